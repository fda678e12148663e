import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MEDIA_TYPE } from '../../src/lib/constants.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import { BASE, type ServeOptions, serve, USER_DEFINITIONS } from './serve.ts'

/** In milliseconds. */
const LIMIT = 5_000
const GRACE = 1_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Serves users whose creation never ends by itself, and logs the steps of their transactions. */
function open(options: ServeOptions = {}) {
  const memory = memoryStore({ definitions: USER_DEFINITIONS })
  const log: string[] = []
  let resume = (): void => undefined
  const transaction: ServeOptions['transaction'] = async (context, work) => {
    log.push('begin')
    try {
      const value = await work(context)
      log.push('commit')
      return value
    } catch (error) {
      log.push('rollback')
      throw error
    } finally {
      log.push('release')
    }
  }
  const { fetch } = serve({
    users: {
      ...memory,
      create: async (resource, context, request) => {
        request.signal.addEventListener('abort', () => log.push('abort'))
        await new Promise<void>((resolve) => {
          resume = resolve
        })
        return await memory.create(resource, context, request)
      },
    },
    transaction,
    limits: { writeTime: LIMIT },
    onChange: () => void log.push('change'),
    ...options,
  })
  const client = new AbortController()
  const request = new Request(`${BASE}/Users`, {
    method: 'POST',
    headers: { Authorization: 'Bearer t', 'Content-Type': MEDIA_TYPE },
    body: JSON.stringify({ userName: 'a' }),
    signal: client.signal,
  })
  const status = fetch(request).then((response) => response.status)
  return { log, status, hangUp: () => client.abort(), resume: () => resume() }
}

/** Lets all tasks run that do not wait for a timer. */
async function idle(milliseconds = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds)
  await vi.advanceTimersByTimeAsync(0)
}

describe('a transaction whose store call never ends is rolled back and releases the connection', () => {
  it('the transaction is rolled back after the time limit', async () => {
    const { log, status } = open()
    await idle(LIMIT)
    expect(log).toEqual(['begin', 'abort'])
    await idle(GRACE)
    expect(log).toEqual(['begin', 'abort', 'rollback', 'release'])
    expect(await status).toBe(503)
  })

  it('the transaction is rolled back after the client has hung up', async () => {
    const { log, status, hangUp } = open()
    await idle()
    hangUp()
    await idle(GRACE)
    expect(log).toEqual(['begin', 'abort', 'rollback', 'release'])
    expect(await status).toBe(499)
  })

  it('the transaction does nothing more if the store call ends later', async () => {
    const { log, status, resume } = open()
    await idle(LIMIT + GRACE)
    expect(await status).toBe(503)
    resume()
    await idle()
    expect(log).toEqual(['begin', 'abort', 'rollback', 'release'])
  })

  it('the client waits at most two seconds for a rollback that never ends', async () => {
    const { status } = open({
      transaction: async (context, work) => {
        try {
          return await work(context)
        } catch {
          return await new Promise(() => undefined)
        }
      },
    })
    await idle(LIMIT + 2 * GRACE)
    expect(await status).toBe(503)
  })
})

it("a transaction ending before its work aborts the store call's signal", async () => {
  const { log, status, resume } = open({
    transaction: (context, work) =>
      Promise.race([
        work(context),
        new Promise<never>((_, reject) => setTimeout(() => reject(new Error('timeout')), 100)),
      ]),
  })
  await idle(100)
  expect(await status).toBe(500)
  expect(log).toEqual(['abort'])
  resume()
  await idle()
  expect(log).toEqual(['abort'])
})
