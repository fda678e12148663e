import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { DirectoryContext } from '../../../../src/features/scim/context.ts'
import { createLargeBodies, mostBodies } from '../../../../src/kernel/requests/large-bodies.ts'
import type { Database } from '../../../../src/kernel/store/database.ts'
import { createLoopTurns } from '../../../../src/kernel/store/engines/loop-turns.ts'
import { createReads } from '../../../../src/kernel/store/engines/sqlite/reads.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Replaces the clock; returns the function that lets time pass, in milliseconds. */
function useClock(): (milliseconds: number) => void {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  return (milliseconds) => {
    now += milliseconds
  }
}

describe('event loop turns', () => {
  it('work of less than 5 ms together runs without waiting', () => {
    const pass = useClock()
    const turns = createLoopTurns()
    expect(turns.next('a')).toBe(undefined)
    pass(4.9)
    expect(turns.next('b')).toBe(undefined)
    pass(0.1)
    expect(turns.next('c')).toBeInstanceOf(Promise)
  })

  it('waiting work runs one at a time in each loop turn, and the tenants in turn', async () => {
    const pass = useClock()
    const turns = createLoopTurns()
    let loop = 0
    const ran: [name: string, loop: number][] = []
    const work = async (tenantId: string, name: string) => {
      await turns.next(tenantId)
      ran.push([name, loop])
      pass(50)
    }
    turns.next('first')
    pass(50)
    const all = ['a0', 'a1', 'a2', 'b0', 'a3'].map((name) => work(name.slice(0, 1), name))
    let isOver = false
    const done = Promise.all(all).then(() => {
      isOver = true
    })
    for (; !isOver; loop += 1) await setImmediate()
    await done
    expect(ran.map(([name]) => name)).toEqual(['a0', 'b0', 'a1', 'a2', 'a3'])
    expect(new Set(ran.map(([, at]) => at)).size).toBe(5)
  })

  it('work does not wait for a loop turn that is over', async () => {
    const pass = useClock()
    const turns = createLoopTurns()
    turns.next('a')
    pass(4)
    await setImmediate()
    pass(1_000)
    expect(turns.next('a')).toBe(undefined)
  })
})

describe('reads on SQLite', () => {
  const createRecorded = () => {
    const transactions: string[][] = []
    const read = createReads(async (work) => {
      transactions.push([])
      await work({} as Database)
    })
    const run = (name: string, milliseconds = 0, pass: (ms: number) => void = () => undefined) =>
      read(
        async () => {
          transactions.at(-1)?.push(name)
          pass(milliseconds)
        },
        { tenantId: name.slice(0, 1) },
      )
    return { transactions, read, run }
  }

  it('reads on SQLite in one event loop turn share a transaction', async () => {
    useClock()
    const { transactions, run } = createRecorded()
    await Promise.all([run('a0'), run('a1'), run('b0')])
    expect(transactions).toEqual([['a0', 'b0', 'a1']])
  })

  it('long reads are divided over several transactions, in which tenants take turns', async () => {
    const pass = useClock()
    const { transactions, run } = createRecorded()
    const names = ['a0', 'a1', 'a2', 'b0']
    await Promise.all(names.map((name) => run(name, 5, pass)))
    expect(transactions).toEqual([['a0'], ['b0'], ['a1'], ['a2']])
  })

  it('reads called during a transaction see a later state', async () => {
    const { transactions, read, run } = createRecorded()
    let later: Promise<void> | undefined
    await read(async () => {
      transactions.at(-1)?.push('first')
      later = run('later')
      await setImmediate()
    })
    await later
    expect(transactions).toEqual([['first'], ['later']])
  })

  it('reads all fail if their transaction cannot begin', async () => {
    const read = createReads(() => Promise.reject(new Error('gone')))
    const results = await Promise.allSettled([1, 2].map((at) => read(async () => at)))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})

describe('large bodies', () => {
  const LARGE = 64 * 1024 + 1
  const contextOf = (tenantId: string) =>
    ({
      principal: { tenantId },
      subject: {},
      store: { turns: { next: () => undefined } },
    }) as unknown as DirectoryContext

  it("a tenant's large bodies are parsed one at a time, and others immediately", async () => {
    const bodies = createLargeBodies()
    const admitted: string[] = []
    const enter = (name: string, bytes: number) => {
      const context = contextOf(name.slice(0, 1))
      const entered = Promise.resolve(bodies.turn(context, bytes)).then(() => admitted.push(name))
      return { ...context, entered }
    }
    const first = enter('a0', LARGE)
    const second = enter('a1', LARGE)
    const [small, other] = [enter('a2', LARGE - 1), enter('b0', LARGE)]
    await Promise.all([first.entered, small.entered, other.entered])
    expect(admitted.sort()).toEqual(['a0', 'a2', 'b0'])
    bodies.leave(first.subject)
    await second.entered
    expect(admitted).toContain('a1')
  })

  it("a tenant's large bodies are read 16 at a time, the tenant's others later, and other tenants immediately", async () => {
    const bodies = createLargeBodies()
    const entered: string[] = []
    const enter = (tenantId: string, headers: Record<string, string>, signal?: AbortSignal) => {
      const context = contextOf(tenantId)
      const init = { method: 'POST', headers, ...(signal && { signal }) }
      const waiting = bodies.enter(context, new Request('http://localhost', init))
      if (waiting === undefined) return null
      void waiting.then(() => entered.push(tenantId))
      return context
    }
    const large = { 'Content-Length': '1000000' }
    const first = enter('a', large)
    for (let at = 0; at < 16; at += 1) enter('a', { 'Transfer-Encoding': 'chunked' })
    enter('b', large)
    expect(enter('a', { 'Content-Length': '16384' })).toBeNull()
    expect(enter('a', { 'Content-Length': '1048577' })).toBeNull()
    await setImmediate()
    expect(entered).toEqual([...Array(16).fill('a'), 'b'])
    bodies.leave(first?.subject ?? {})
    await setImmediate()
    expect(entered.slice(17)).toEqual(['a'])
    const client = new AbortController()
    enter('a', large, client.signal)
    client.abort()
    await setImmediate()
    expect(entered.slice(18)).toEqual(['a'])
  })

  it('fewer large bodies are read at the same time in a smaller heap', () => {
    const mebibyte = 2 ** 20
    expect(mostBodies(2_048 * mebibyte)).toEqual({ ofAll: 64, ofTenant: 16 })
    expect(mostBodies(304 * mebibyte)).toEqual({ ofAll: 19, ofTenant: 5 })
    expect(mostBodies(8 * mebibyte)).toEqual({ ofAll: 1, ofTenant: 1 })
  })

  it("bulk request bodies do not wait for another bulk request's operations", async () => {
    const bodies = createLargeBodies()
    const [bulk, next] = [contextOf('a'), contextOf('a')]
    await bodies.turn(bulk, LARGE)
    const admitted = bodies.turn(next, LARGE)
    bodies.turn(bulk, 0)
    await admitted
    expect(admitted).toBeInstanceOf(Promise)
  })
})
