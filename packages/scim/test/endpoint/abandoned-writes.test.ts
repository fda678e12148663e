import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BULK_REQUEST_SCHEMA, MEDIA_TYPE } from '../../src/lib/constants.ts'
import type { ResourceStore, StoreRequest } from '../../src/lib/endpoint/options/store.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import {
  BASE,
  type Client,
  GROUP_DEFINITIONS,
  patchOf,
  type ServeOptions,
  serve,
  USER_DEFINITIONS,
} from './serve.ts'

/** In milliseconds. */
const LIMIT = 5_000
/** How long a store call that is running may still end, in milliseconds. */
const GRACE = 1_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A store call that ends when a test says so. */
interface Call {
  readonly method: string
  readonly title: unknown
  /** Most stores do not read its signal. */
  readonly request: StoreRequest
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

type Mode = 'without a transaction' | 'with a transaction'
const MODES: readonly Mode[] = ['without a transaction', 'with a transaction']

/** Serves users with a store whose calls of these methods do not end until a test ends them. */
async function serveStuck(mode: Mode, methods: readonly string[] = ['replace'], options = {}) {
  const memory = memoryStore({ definitions: USER_DEFINITIONS })
  const errors: unknown[] = []
  const calls: Call[] = []
  let isStuck = false
  const stick = async (method: string, title: unknown, request: StoreRequest): Promise<void> => {
    if (!isStuck || !methods.includes(method)) return
    await new Promise<void>((resolve, reject) => {
      calls.push({ method, title, request, resolve, reject })
    })
  }
  const users: ResourceStore<Client> = {
    ...memory,
    // Otherwise a transaction would take turns as well.
    needsTurns: false,
    read: async (id, context, request) => {
      if (request.isForUpdate) await stick('read', undefined, request)
      return await memory.read(id, context, request)
    },
    replace: async (id, resource, context, request) => {
      await stick('replace', resource.title, request)
      return await memory.replace(id, resource, context, request)
    },
    delete: async (id, context, request) => {
      await stick('delete', undefined, request)
      return await memory.delete(id, context, request)
    },
  }
  const transaction: ServeOptions['transaction'] = async (context, work) => await work(context)
  const { fetch, send } = serve({
    users,
    limits: { writeTime: LIMIT },
    onError: (error) => errors.push(error),
    ...(mode === 'with a transaction' ? { transaction } : {}),
    ...options,
  })
  const { body } = await send('POST', '/Users', { userName: 'a', title: 'old' })
  isStuck = true
  const path = `/Users/${body.id}`
  return {
    errors,
    calls,
    send,
    path,
    unstick: () => {
      isStuck = false
    },
    titleOf: async () => (await send('GET', path)).body.title,
    /** Sends a request whose client may hang up. */
    start: (method: string, sent?: object, target = path) => {
      const client = new AbortController()
      const request = new Request(`${BASE}${target}`, {
        method,
        headers: { Authorization: 'Bearer t', 'Content-Type': MEDIA_TYPE },
        signal: client.signal,
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      })
      const response = fetch(request)
      return { response, status: response.then((one) => one.status), hangUp: () => client.abort() }
    },
    put: (title: string) => ({ userName: 'a', title }),
  }
}

/** Lets all tasks run that do not wait for a timer. */
async function idle(milliseconds = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds)
  await vi.advanceTimersByTimeAsync(0)
}

describe.each(MODES)('a store call that never ends, %s', (mode) => {
  it('a write is a 503 with Retry-After after the time limit, and unlocks the resource', async () => {
    const { start, put, path, send, errors, calls, unstick, titleOf } = await serveStuck(mode)
    const stuck = start('PUT', put('stuck'))
    await idle(LIMIT)
    unstick()
    const later = start('PUT', put('later'))
    await idle(GRACE)
    const response = await stuck.response
    expect(response.status).toBe(503)
    expect(response.headers.get('Retry-After')).toBe('5')
    expect(await response.json()).toMatchObject({
      detail: 'the write did not end within 5 seconds',
    })
    expect(calls[0]?.request.signal.aborted).toBe(true)
    expect(await later.status).toBe(200)
    expect(await titleOf()).toBe('later')
    const patch = patchOf({ op: 'replace', path: 'title', value: 'patched' })
    expect((await send('PATCH', path, patch)).status).toBe(200)
    expect((await send('DELETE', path)).status).toBe(204)
    expect(errors.map(String)).toEqual(['ScimError: the write did not end within 5 seconds'])
  })

  it('a write unlocks the resource after the client has hung up', async () => {
    const { start, put, errors, unstick, titleOf, calls } = await serveStuck(mode)
    const stuck = start('PUT', put('stuck'))
    await idle()
    const later = start('PUT', put('later'))
    stuck.hangUp()
    expect(calls[0]?.request.signal.aborted).toBe(true)
    unstick()
    await idle(GRACE)
    expect(await stuck.status).toBe(499)
    expect(await later.status).toBe(200)
    expect(await titleOf()).toBe('later')
    expect(errors).toEqual([])
  })

  it.each(['read', 'delete'])('%s: nothing is written after the time limit', async (method) => {
    const { start, put, calls, unstick, titleOf, path, send } = await serveStuck(mode, [method])
    const stuck = method === 'read' ? start('PUT', put('stuck')) : start('DELETE')
    await idle(LIMIT + GRACE)
    expect(await stuck.status).toBe(503)
    unstick()
    // The call comes to life: its write must not take another step.
    if (method === 'read') {
      calls[0]?.resolve()
      await idle()
      expect(await titleOf()).toBe('old')
    }
    expect((await send('PUT', path, put('later'))).status).toBe(200)
    expect(await titleOf()).toBe('later')
  })

  it('a late failure in a store call does not cause an unhandled rejection', async () => {
    const unhandled: unknown[] = []
    const listen = (reason: unknown): void => void unhandled.push(reason)
    const { process } = globalThis as unknown as {
      process: {
        on(name: string, listener: unknown): void
        off(name: string, listener: unknown): void
      }
    }
    process.on('unhandledRejection', listen)
    const { start, put, calls } = await serveStuck(mode)
    const stuck = start('PUT', put('stuck'))
    await idle(LIMIT + GRACE)
    expect(await stuck.status).toBe(503)
    calls[0]?.reject(new Error('connection lost'))
    vi.useRealTimers()
    await new Promise((resolve) => setTimeout(resolve, 10))
    process.off('unhandledRejection', listen)
    expect(unhandled).toEqual([])
  })

  it('a cancellation with a driver error is a 503, and onError receives the error', async () => {
    const { start, put, calls, errors } = await serveStuck(mode)
    const stuck = start('PUT', put('stuck'))
    await idle(LIMIT)
    const cancelled = new Error('canceling statement due to user request')
    calls[0]?.reject(cancelled)
    await idle()
    expect(await stuck.status).toBe(503)
    expect(errors).toMatchObject([{ status: 503, cause: cancelled }])
  })

  it('a store call ending soon after the time limit is answered with the result', async () => {
    const { start, put, calls, titleOf } = await serveStuck(mode)
    const slow = start('PUT', put('slow'))
    await idle(LIMIT + GRACE - 1)
    calls[0]?.resolve()
    await idle()
    expect(await slow.status).toBe(200)
    expect(await titleOf()).toBe('slow')
  })
})

describe('without a transaction, writes to one resource do not run at the same time', () => {
  it('a write arriving after a client has hung up waits at most a second', async () => {
    const { start, put, calls, titleOf, unstick } = await serveStuck('without a transaction')
    const stuck = start('PUT', put('stuck'))
    await idle()
    stuck.hangUp()
    await idle(LIMIT / 2)
    unstick()
    const later = start('PUT', put('later'))
    await idle(GRACE)
    expect(await stuck.status).toBe(499)
    expect(await later.status).toBe(200)
    expect(await titleOf()).toBe('later')
    // The guarantee ends here: the call comes to life again, and a store that ignores the signal writes.
    expect(calls[0]?.request.signal.aborted).toBe(true)
    calls[0]?.resolve()
    await idle()
    expect(await titleOf()).toBe('stuck')
  })

  it('the next write waits for a call that ends soon after its client has hung up', async () => {
    const { start, put, calls, titleOf } = await serveStuck('without a transaction')
    const first = start('PUT', put('first'))
    await idle()
    const second = start('PUT', put('second'))
    first.hangUp()
    await idle(GRACE - 1)
    expect(calls.map(({ title }) => title)).toEqual(['first'])
    calls[0]?.resolve()
    await idle()
    expect(calls.map(({ title }) => title)).toEqual(['first', 'second'])
    calls[1]?.resolve()
    await idle()
    expect(await second.status).toBe(200)
    expect(await titleOf()).toBe('second')
  })

  it('40 waiting writes are 503 after the time limit, and none reaches the store', async () => {
    const { start, put, calls, titleOf, unstick, send, path } =
      await serveStuck('without a transaction')
    const all = Array.from({ length: 40 }, (_, at) => start('PUT', put(`${at}`)))
    await idle(LIMIT + GRACE)
    const statuses = await Promise.all(all.map(({ status }) => status))
    expect(new Set(statuses)).toEqual(new Set([503]))
    expect(calls.map(({ title }) => title)).toEqual(['0'])
    unstick()
    expect((await send('PUT', path, put('later'))).status).toBe(200)
    expect(await titleOf()).toBe('later')
  })

  it('40 writes keep their order, and a write whose client hangs up while waiting does not run', async () => {
    const { start, put, calls, titleOf } = await serveStuck('without a transaction')
    const all = Array.from({ length: 40 }, (_, at) => start('PUT', put(`${at}`)))
    await idle()
    for (const [at, { hangUp }] of all.entries()) if (at > 0 && at % 3 !== 0) hangUp()
    for (let ended = 0; ended < 14; ended += 1) {
      await idle()
      // One more call than those that have ended: no two writes run at the same time.
      expect(calls).toHaveLength(ended + 1)
      calls[ended]?.resolve()
    }
    await idle()
    const statuses = await Promise.all(all.map(({ status }) => status))
    expect(statuses).toEqual(all.map((_, at) => (at % 3 === 0 ? 200 : 499)))
    expect(calls.map(({ title }) => title)).toEqual(
      all.flatMap((_, at) => (at % 3 === 0 ? [`${at}`] : [])),
    )
    expect(await titleOf()).toBe('39')
  })

  it('writes to other resources do not wait', async () => {
    const { start, put, send } = await serveStuck('without a transaction', ['replace'])
    start('PUT', put('stuck'))
    await idle()
    expect((await send('POST', '/Users', { userName: 'b' })).status).toBe(201)
  })

  it('creates waiting for a unique value are released as well', async () => {
    const { start, put, send, unstick } = await serveStuck('without a transaction', ['replace'], {
      profile: { patch: [], patchBody: [], query: [], unique: { User: ['displayName'] } },
    })
    const stuck = start('PUT', put('stuck'))
    await idle()
    const waiting = start('POST', { userName: 'b', displayName: 'B' }, '/Users')
    const gone = start('POST', { userName: 'c', displayName: 'C' }, '/Users')
    gone.hangUp()
    await idle()
    expect(await gone.status).toBe(499)
    unstick()
    stuck.hangUp()
    await idle(GRACE)
    expect(await waiting.status).toBe(201)
    expect((await send('GET', '/Users?filter=userName eq "c"')).body.totalResults).toBe(0)
  })
})

it.each([LIMIT, LIMIT + GRACE])(
  'a deletion finishes removing references although it is over after %d ms',
  async (milliseconds) => {
    const users = memoryStore({ definitions: USER_DEFINITIONS })
    const groups = memoryStore({ definitions: GROUP_DEFINITIONS })
    const ends: (() => void)[] = []
    const { send } = serve({
      users,
      groups: {
        ...groups,
        removeReferences: async (id) => {
          await new Promise<void>((resolve) => ends.push(resolve))
          groups.leaveGroups(id)
        },
      },
      limits: { writeTime: LIMIT },
    })
    const { body } = await send('POST', '/Users', { userName: 'a' })
    const members = [{ value: body.id }]
    const group = await send('POST', '/Groups', { displayName: 'g', members })
    const deleted = send('DELETE', `/Users/${body.id}`)
    await idle(milliseconds)
    for (const end of ends) end()
    await idle()
    // The client of a write that took too long does not learn of the outcome.
    expect((await deleted).status).toBe(milliseconds === LIMIT ? 204 : 503)
    expect((await send('GET', `/Users/${body.id}`)).status).toBe(404)
    expect((await send('GET', `/Groups/${group.body.id}`)).body).not.toHaveProperty('members')
  },
)

it('a bulk request stops writing after the client has hung up (RFC 7644 §3.7)', async () => {
  const { start, path, calls, send } = await serveStuck('without a transaction', ['delete'])
  const Operations = [
    { method: 'DELETE', path },
    ...Array.from({ length: 40 }, (_, at) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `${at}`,
      data: { userName: `u${at}` },
    })),
  ]
  const bulk = start('POST', { schemas: [BULK_REQUEST_SCHEMA], Operations }, '/Bulk')
  await idle()
  expect(calls).toHaveLength(1)
  bulk.hangUp()
  calls[0]?.resolve()
  // Other requests run between two operations.
  await idle(100)
  await bulk.response
  expect((await send('GET', '/Users')).body.totalResults).toBe(0)
})
