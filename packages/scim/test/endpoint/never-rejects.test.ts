import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BULK_REQUEST_SCHEMA, ERROR_SCHEMA, MEDIA_TYPE } from '../../src/lib/constants.ts'
import type { ResourceStore } from '../../src/lib/endpoint/options/store.ts'
import { ScimError } from '../../src/lib/error.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import { BASE, type Client, type ServeOptions, serve, USER_DEFINITIONS } from './serve.ts'

const memory = memoryStore({ definitions: USER_DEFINITIONS })

function requestTo(path: string, init: RequestInit = {}): Request {
  const headers = { Authorization: 'Bearer t', 'Content-Type': MEDIA_TYPE }
  return new Request(`${BASE}${path}`, { headers, ...init })
}

/** Expects a SCIM error document (RFC 7644 §3.12). */
async function expectError(response: Response, status: number): Promise<void> {
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ schemas: [ERROR_SCHEMA], status: `${status}` })
}

const revoked = Proxy.revocable({}, {})
revoked.revoke()
const fail = (): never => {
  throw new RangeError('a trap')
}
const HOSTILE: readonly (readonly [string, () => unknown])[] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['a number', () => 404],
  ['a symbol', () => Symbol('x')],
  ['an object without a prototype', () => Object.create(null)],
  ['a proxy whose prototype cannot be read', () => new Proxy({}, { getPrototypeOf: fail })],
  ['a proxy whose members cannot be read', () => new Proxy(new ScimError(404, 'x'), { get: fail })],
  [
    'a proxy of an error whose members cannot be read',
    () => new Proxy(new Error('x'), { get: fail }),
  ],
  ['a revoked proxy', () => revoked.proxy],
  ['a ScimError without a message', () => Object.assign(new ScimError(404, 'x'), { message: 1n })],
  [
    'a ScimError with a type of its own',
    () => Object.assign(new ScimError(404, 'x'), { scimType: 1n }),
  ],
  ['a ScimError with a status that changes', () => withChangingStatus()],
]

function withChangingStatus(): ScimError {
  let reads = 0
  const error = new ScimError(404, 'x')
  return Object.defineProperty(error, 'status', { get: () => (reads++ < 2 ? 404 : 42) })
}

describe('fetch answers with a SCIM document whatever is thrown', () => {
  // Errors of callbacks are printed.
  beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())
  afterEach(() => void vi.restoreAllMocks())
  const places: readonly (readonly [string, (value: () => unknown) => ServeOptions])[] = [
    ['authenticate', (thrown) => ({ authenticate: async () => Promise.reject(thrown()) })],
    ['a store', (thrown) => ({ users: { ...memory, read: async () => Promise.reject(thrown()) } })],
    ['headers', (thrown) => ({ headers: throwing(thrown) })],
    ['base', (thrown) => ({ base: throwing(thrown) })],
    ['basePath', (thrown) => ({ basePath: throwing(thrown) })],
    ['profile', (thrown) => ({ profile: throwing(thrown) })],
    [
      'toScimError and onError',
      (thrown) => ({
        users: { ...memory, read: async () => Promise.reject(thrown()) },
        toScimError: throwing(thrown),
        onError: throwing(thrown),
        onAnswer: throwing(thrown),
      }),
    ],
  ]
  for (const [place, optionsOf] of places) {
    it.each(HOSTILE)(`an error thrown by ${place} is answered: %s`, async (_, thrown) => {
      const { fetch } = serve(optionsOf(thrown))
      const response = await fetch(requestTo('/Users/1'))
      await expectError(response, response.status)
      expect([404, 500]).toContain(response.status)
      expect((await fetch(requestTo('/Users/1', { method: 'HEAD' }))).status).toBe(response.status)
    })
  }

  it.each(HOSTILE)(
    'fetch answers with a SCIM document whatever a bulk operation throws: %s',
    async (_, thrown) => {
      const { fetch } = serve({
        users: { ...memory, delete: async () => Promise.reject(thrown()) },
      })
      const Operations = [
        { method: 'DELETE', path: '/Users/1' },
        { method: 'POST', path: '/Groups', bulkId: 'g', data: { displayName: 'g' } },
      ]
      const body = JSON.stringify({ schemas: [BULK_REQUEST_SCHEMA], Operations })
      const response = await fetch(requestTo('/Bulk', { method: 'POST', body }))
      expect(response.status).toBe(200)
      expect((await response.json()).Operations).toMatchObject([
        { response: { schemas: [ERROR_SCHEMA] } },
        { status: '201' },
      ])
    },
  )
})

function throwing(thrown: () => unknown): () => never {
  return () => {
    throw thrown()
  }
}

describe('a request without a signal, as some runtimes and mocks make it', () => {
  const withoutSignal = (path: string, init?: RequestInit): Request =>
    Object.defineProperty(requestTo(path, init), 'signal', { value: undefined })

  it('a request without a signal is answered, also with an error', async () => {
    const { fetch } = serve({ users: memoryStore({ definitions: USER_DEFINITIONS }) })
    const body = JSON.stringify({ userName: 'a' })
    const created = await fetch(withoutSignal('/Users', { method: 'POST', body }))
    expect(created.status).toBe(201)
    const { id } = await created.json()
    expect((await fetch(withoutSignal(`/Users/${id}`))).status).toBe(200)
    await expectError(await fetch(withoutSignal('/Users/missing')), 404)
    await expectError(await fetch(withoutSignal('/Nothing')), 404)
    await expectError(await fetch(withoutSignal('/Users', { method: 'POST', body })), 409)
    const authorization = { headers: { Authorization: '' } }
    await expectError(await fetch(withoutSignal('/Users', authorization)), 401)
  })

  it('a store gets a signal, which is not aborted', async () => {
    const signals: AbortSignal[] = []
    const users: ResourceStore<Client> = {
      ...memory,
      list: async (_, { signal }) => {
        signal.throwIfAborted()
        signals.push(signal)
        return { resources: [] }
      },
    }
    expect((await serve({ users }).fetch(withoutSignal('/Users'))).status).toBe(200)
    expect(signals).toEqual([expect.any(AbortSignal)])
  })
})

it('a request without some Request members is a 500', async () => {
  const { fetch } = serve()
  const headers = new Headers()
  for (const request of [{ headers }, { headers, method: 'GET' }, { headers, url: 5 }]) {
    expect((await fetch(request as unknown as Request)).status).toBe(500)
  }
})

it('/Me without `me` is 501, and not a service error (RFC 7644 §3.11)', async () => {
  const errors: unknown[] = []
  const { send } = serve({ onError: (error) => errors.push(error) })
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    expect((await send(method, '/Me', method.startsWith('P') ? {} : undefined)).status).toBe(501)
  }
  const Operations = [{ method: 'DELETE', path: '/Users/1' }]
  await send('POST', '/Bulk', { schemas: [BULK_REQUEST_SCHEMA], Operations })
  expect(errors).toEqual([])
})
