import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createJobReports } from '../../../../src/kernel/jobs/job-reports.ts'
import { withDeadline } from '../../../../src/kernel/store/engines/deadline.ts'
import { FairQueue } from '../../../../src/kernel/store/engines/fair-queue.ts'
import { createFairScans, type RunScan } from '../../../../src/kernel/store/engines/fair-scans.ts'
import { Queue } from '../../../../src/kernel/store/engines/sqlite/queue.ts'
import { createLogPauses } from '../../../../src/kernel/store/engines/sqlite/wal-checkpoints.ts'
import { RECALLED, type Turn } from '../../../../src/kernel/store/engines/turn.ts'
import type { Slots } from '../../../../src/kernel/store/engines/worker-pool.ts'
import { ScanTimeoutError } from '../../../../src/kernel/store/store.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('a fair queue', () => {
  it("a fair queue serves tenants in turn, and each tenant's items in order", () => {
    const queue = new FairQueue<number>()
    for (const [at, tenant] of ['a', 'a', 'b', 'a', 'c', 'b'].entries()) queue.add(tenant, at)
    const served: string[] = []
    for (let [tenant] = queue.tenants(); tenant !== undefined; [tenant] = queue.tenants()) {
      served.push(`${tenant}${queue.next(tenant)}`)
    }
    expect(served).toEqual(['a0', 'b2', 'c4', 'a1', 'b5', 'a3'])
    expect(queue.next('a')).toBe(undefined)
    expect(queue.next('unknown')).toBe(undefined)
  })

  it('a fair queue forgets a tenant after the last item was deleted', () => {
    const queue = new FairQueue<number>()
    queue.add('a', 1)
    queue.add('a', 2)
    queue.add('b', 3)
    queue.delete('a', 1)
    queue.delete('unknown', 1)
    expect([...queue.tenants()]).toEqual(['a', 'b'])
    queue.delete('a', 2)
    expect([...queue.tenants()]).toEqual(['b'])
  })
})

describe('a deadline', () => {
  const error = () => new Error('too late')

  it("a deadline returns the work's result, and clears the timer", async () => {
    vi.useFakeTimers()
    const done = withDeadline({ limit: 10, signal: undefined, error }, async () => 5)
    expect(await done).toBe(5)
    expect(vi.getTimerCount()).toBe(0)
    const failed = withDeadline({ limit: 10, signal: undefined, error }, () =>
      Promise.reject(error()),
    )
    await expect(failed).rejects.toThrow('too late')
    expect(vi.getTimerCount()).toBe(0)
  })

  it("a deadline aborts the work after the limit, or with the caller's signal", async () => {
    vi.useFakeTimers()
    const untilAborted = (signal: AbortSignal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    const late = withDeadline({ limit: 10, signal: undefined, error }, untilAborted)
    const rejected = expect(late).rejects.toThrow('too late')
    await vi.advanceTimersByTimeAsync(9)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    await rejected
    const client = new AbortController()
    const left = withDeadline({ limit: 10, signal: client.signal, error }, untilAborted)
    client.abort(new Error('hung up'))
    await expect(left).rejects.toThrow('hung up')
    const both = withDeadline(
      { limit: 10, signal: new AbortController().signal, error },
      untilAborted,
    )
    const ended = expect(both).rejects.toThrow('too late')
    await vi.advanceTimersByTimeAsync(10)
    await ended
  })
})

describe('a fair scan', () => {
  const work = async (): Promise<string> => 'unused'

  /** Slots that assign a turn at each call, and count the released ones. */
  function slots() {
    const turns: { readonly turn: Turn<string>; readonly tenantId: string }[] = []
    const back: Turn<string>[] = []
    const all: Pick<Slots<string>, 'take' | 'giveBack'> = {
      take: async (tenantId) => {
        const recalling = new AbortController()
        const recall = () => recalling.abort(RECALLED)
        const { signal: recalled } = recalling
        const isRecalled = () => recalled.aborted
        const slot = `slot ${turns.length}`
        const turn = { slot, tenantId, began: 0, recalled, isRecalled, recall }
        turns.push({ turn, tenantId })
        return turn
      },
      giveBack: (turn) => back.push(turn),
    }
    return { all, turns, back }
  }

  const scan = (run: (slot: string, signal: AbortSignal) => Promise<unknown>, limit = 60_000) => {
    const shared = slots()
    const runScan = (async (slot: string, _work: unknown, signal: AbortSignal) =>
      await run(slot, signal)) as RunScan<string>
    return { ...shared, scan: createFairScans(shared.all, runScan, limit) }
  }

  it("a fair scan runs in its tenant's slot, and returns the slot", async () => {
    const { scan: one, turns, back } = scan(async (slot) => slot)
    expect(await one(work, { tenantId: 'a' })).toBe('slot 0')
    expect(turns.map(({ tenantId }) => tenantId)).toEqual(['a'])
    expect(back).toEqual(turns.map(({ turn }) => turn))
  })

  it('a fair scan is retried if the turn is recalled, and fails with any other error', async () => {
    const recalled = scan(async (slot, signal) => {
      if (slot !== 'slot 0') return slot
      recalled.turns[0]?.turn.recall()
      throw signal.reason
    })
    expect(await recalled.scan(work)).toBe('slot 1')
    expect(recalled.back).toHaveLength(2)
    const failing = scan(() => Promise.reject(new TypeError('a bug')))
    await expect(failing.scan(work)).rejects.toThrow('a bug')
    expect(failing.back).toHaveLength(1)
  })

  it('a fair scan is not retried if the client has hung up as well', async () => {
    const client = new AbortController()
    const left = scan(async (_, signal) => {
      left.turns[0]?.turn.recall()
      client.abort(new Error('hung up'))
      throw signal.reason
    })
    await expect(left.scan(work, client)).rejects.toThrow('hung up')
    expect([left.turns.length, left.back.length]).toEqual([1, 1])
  })

  it('a fair scan is stopped after the time limit, which the error names', async () => {
    vi.useFakeTimers()
    const untilAborted = (_: string, signal: AbortSignal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    const late = scan(untilAborted, 2_500).scan(work)
    const rejected = expect(late).rejects.toEqual(new ScanTimeoutError(2_500))
    await vi.advanceTimersByTimeAsync(2_500)
    await rejected
    expect(new ScanTimeoutError(2_500).message).toBe('the search took longer than 2.5 seconds')
  })
})

describe('a one-at-a-time queue', () => {
  it('a queue runs work in order, also after failed work', async () => {
    const queue = new Queue()
    const ran: number[] = []
    const run = (at: number) =>
      queue.run(async () => {
        await Promise.resolve()
        ran.push(at)
        if (at === 1) throw new Error('failed')
        return at
      })
    const results = Promise.allSettled([run(0), run(1), run(2)])
    await queue.idle()
    expect(ran).toEqual([0, 1, 2])
    expect((await results).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
  })

  it('a queue is idle when all work has ended, for each waiting caller', async () => {
    const queue = new Queue()
    const ended: number[] = []
    const run = (at: number) => queue.run(async () => void ended.push(at), `${at}`)
    const work = [run(0), run(1)]
    await Promise.all([queue.idle(), queue.idle()])
    expect(ended).toEqual([0, 1])
    await Promise.all([...work, queue.idle()])
    expect(queue.size).toBe(0)
  })

  it("a queue runs the tenants' work in turn", async () => {
    const queue = new Queue()
    const ran: string[] = []
    const run = (tenantId: string, name: string) =>
      queue.run(async () => {
        ran.push(name)
      }, tenantId)
    await Promise.all([run('a', 'a0'), run('a', 'a1'), run('a', 'a2'), run('b', 'b0')])
    expect(ran).toEqual(['a0', 'a1', 'b0', 'a2'])
    expect(queue.size).toBe(0)
  })
})

describe('the pauses for the write-ahead log', () => {
  const LONG_LOG = 32 * 1024 * 1024
  const folder = mkdtempSync(join(tmpdir(), 'directory-'))
  const path = join(folder, 'directory.db')
  const grow = (size: number) => {
    writeFileSync(`${path}-wal`, '')
    truncateSync(`${path}-wal`, size)
  }
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('the pauses are due if the log is too long, and again if it grows as much after a pause', async () => {
    let checkpoints = 0
    const jobs = createJobReports()
    const checkpoint = async () => {
      checkpoints += 1
      // A full disk, for example: readers still use the log.
      throw new Error('failed')
    }
    const { isDue, pause } = createLogPauses(path, { checkpoint, jobs })
    expect(isDue()).toBe(false)
    grow(LONG_LOG)
    expect(isDue()).toBe(false)
    grow(LONG_LOG + 1)
    expect(isDue()).toBe(true)
    await pause()
    expect(checkpoints).toBe(1)
    expect(jobs.read()).toContainEqual(expect.objectContaining({ job: 'checkpoints', failures: 1 }))
    expect(isDue()).toBe(false)
    grow(2 * LONG_LOG + 1)
    expect(isDue()).toBe(false)
    grow(2 * LONG_LOG + 2)
    expect(isDue()).toBe(true)
    // The log was truncated: the next pause depends on its new size.
    grow(1_000)
    expect(isDue()).toBe(false)
    grow(LONG_LOG + 1_000)
    expect(isDue()).toBe(false)
    grow(LONG_LOG + 1_001)
    expect(isDue()).toBe(true)
  })
})
