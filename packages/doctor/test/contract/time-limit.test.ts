import { type StoresUnderTest, storeContract } from '@plumbline/doctor/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Fault } from './faults.ts'
import { createTransaction, type Tenant } from './memory.ts'
import { makeStores } from './subject.ts'

/** The timers of limits: long ones, which run when the clock is moved, and not while a machine is busy. */
const limits = new Map<unknown, () => void>()

beforeEach(() => {
  const { setTimeout: start, clearTimeout: stop } = globalThis
  vi.stubGlobal('setTimeout', (run: () => void, milliseconds = 0) => {
    const timer = start(run, milliseconds)
    if (milliseconds > 20_000) limits.set(timer, run)
    return timer
  })
  vi.stubGlobal('clearTimeout', (timer: ReturnType<typeof setTimeout> | undefined) => {
    limits.delete(timer)
    stop(timer)
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  limits.clear()
})

/** A store call without an end: 30 seconds later, it has not returned. */
async function hang(): Promise<never> {
  await null
  for (const [timer, run] of limits) {
    clearTimeout(timer as Parameters<typeof clearTimeout>[0])
    run()
  }
  return await new Promise(() => undefined)
}

type Stores = StoresUnderTest<Tenant>

/** Runs the checks of topics, and returns what each one said. */
async function saidBy(
  topics: RegExp,
  makeAll: () => Stores | Promise<Stores>,
): Promise<ReadonlyMap<string, string>> {
  const said = new Map<string, string>()
  for (const { name, run } of storeContract(makeAll).filter((one) => topics.test(one.name))) {
    const outcome = await run().then(
      ({ skipped }) => (skipped === null ? 'passed' : `skipped: ${skipped}`),
      (error: unknown) => String(error),
    )
    said.set(name.slice(0, name.indexOf(':')), outcome)
  }
  return said
}

const over = (fault: Fault) => () => makeStores(['User'], fault)

describe('a store call without an end', () => {
  it('a call without an end fails the check after 30 seconds, with the request and what to do', async () => {
    const said = await saidBy(
      /^delete\./,
      over(() => ({ delete: hang })),
    )
    expect(said.get('delete.user')).toMatch(
      /^Error: delete\.user: .*\nsent: POST .*: no answer\nexpected: an answer\ncame: no answer to DELETE \/scim\/v2\/Users\/user-\d+ within 30 s\nwhat to do: Does `execute` use the connection of `transaction`\?/,
    )
  })

  it('the topic fails if only a deletion after the checks does not end', async () => {
    /** Hangs in one of the deletions, and counts them. */
    const deletions = { count: 0, hangsAt: Number.POSITIVE_INFINITY }
    const run = () =>
      saidBy(/^transactions\./, () =>
        makeStores(['User'], ({ store }) => ({
          delete: async (...call) => {
            deletions.count += 1
            return deletions.count < deletions.hangsAt ? await store.delete(...call) : await hang()
          },
        })),
      )
    await run()
    Object.assign(deletions, { count: 0, hangsAt: deletions.count })
    expect([...new Set((await run()).values())]).toEqual([
      expect.stringMatching(/^Error: no answer to DELETE .*\nwhat to do: Does `execute` use/),
    ])
  })

  it('later checks are skipped, because their requests could wait for the same connection', async () => {
    let calls = 0
    const said = await saidBy(/^(delete|filters|races)\./, () => {
      calls += 1
      return makeStores(['User'], () => ({ delete: hang }))
    })
    expect(said.get('delete.read')).toBe(
      'skipped: It needs delete.user, which did not get a response.',
    )
    expect(said.get('races.create')).toMatch(
      /^skipped: no answer to DELETE \/scim\/v2\/Users\/user-1 within 30 s$/,
    )
    expect(said.get('filters.eq-string')).toBe(said.get('races.create'))
    expect(calls).toBe(1)
  })

  it('a check fails if the store does not even list resources', async () => {
    const said = await saidBy(
      /^read\./,
      over(() => ({ list: hang })),
    )
    const [first] = said.values()
    expect(first).toMatch(
      /no answer to GET \/scim\/v2\/Users within 30 s\nwhat to do: Does `execute` use/,
    )
  })

  it('a check fails if makeStores does not return', async () => {
    const said = await saidBy(/^(read|delete)\./, hang)
    const [first, ...others] = [...said.values()]
    expect(first).toBe('Error: makeStores did not return within 30 s')
    expect(others.at(-1)).toBe('skipped: makeStores did not return within 30 s')
  })

  it('the stores are closed without waiting for the end', async () => {
    let closed = 0
    const said = await saidBy(/^delete\./, () => ({
      ...makeStores(['User'], () => ({ delete: hang })),
      close: () => {
        closed += 1
        return new Promise<void>(() => undefined)
      },
    }))
    expect(said.size).toBeGreaterThan(1)
    expect(closed).toBe(1)
  })
})

describe("a store whose statements bypass the transaction's connection", () => {
  /** Ten connections. A write takes one, and each of its calls takes a second one. */
  const pooled = (): Stores => {
    let free = 10
    const waiting: (() => void)[] = []
    const take = async (): Promise<void> => {
      if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      else free -= 1
    }
    const release = (): void => {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
    const onOwnConnection =
      <Call extends readonly unknown[], Value>(call: (...args: Call) => Promise<Value>) =>
      async (...args: Call): Promise<Value> => {
        await take()
        const value = await call(...args)
        release()
        return value
      }
    const { resourceTypes, ...stores } = makeStores(['User'], ({ store }) => ({
      create: onOwnConnection(store.create),
      replace: onOwnConnection(store.replace),
      delete: onOwnConnection(store.delete),
    }))
    return {
      ...stores,
      resourceTypes,
      transaction: async (context, work) => {
        await take()
        try {
          return await work(context)
        } finally {
          release()
        }
      },
    }
  }

  it('the wrong connection is found before concurrent requests stop the pool', async () => {
    const said = await saidBy(/^(transactions|concurrency|races)\./, pooled)
    expect(said.get('transactions.create')).toMatch(/does `execute` use the connection/)
    expect(said.get('races.create')).toBe(
      'skipped: transactions.create failed, so requests at the same time may wait for each other for ever',
    )
    expect(said.get('concurrency.racing-creates')).toBe(said.get('races.create'))
  })

  it('the wrong connection is found without the transactions topic, too', async () => {
    const said = await saidBy(/^races\.create/, pooled)
    expect(said.get('races.create')).toMatch(/^skipped: transactions\.create failed/)
  })
})

it.each([0, -1, 1.5, Number.NaN, 2 ** 31])('a timeout of %s is rejected', (timeout) => {
  expect(() => storeContract(() => makeStores(['User'], () => ({})), { timeout })).toThrow(
    new TypeError(`timeout: expected milliseconds from 1 to 1073741824, got ${timeout}`),
  )
})

it('the last check counts the skipped checks for each reason', async () => {
  const checks = storeContract(() => makeStores(['Sensor'], () => ({}), createTransaction))
  const last = checks.at(-1)
  expect(last?.name).toBe('contract.complete: Each check applies to the stores')
  const { skipped } = (await last?.run()) ?? {}
  expect(skipped).toMatch(
    /^\d+ of \d+ checks were skipped\. .* 2: The schema of User does not declare userName\. /,
  )
})
