import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDirectory } from '../../../src/app.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { type Store, StoreUnavailableError } from '../../../src/kernel/store/store.ts'
import type { LogEntry } from '../../../src/shell/observe/request-log.ts'
import { recorder, sender } from '../../support/harness.ts'

const TOKEN = 'a-token-of-the-environment'

let store: Store
beforeAll(async () => {
  store = await openSqlite(':memory:')
})
afterAll(() => store.close())

describe('a management body cut off early', () => {
  it.each([
    ['tenants', '{"id":"acme","name":"A'],
    ['tokens', '{"name":"a"'],
  ])(
    'a body cut off early is answered with 400, without a logged error and without a new row: %s',
    async (path, half) => {
      const log: LogEntry[] = []
      const directory = createDirectory({
        store,
        token: TOKEN,
        log: (entry) => log.push(entry),
        apiMiddleware: recorder.middleware,
      })
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode(half)),
        pull: (controller) => controller.error(new Error('the client hung up')),
      })
      const init = { method: 'POST', body, duplex: 'half' } as const
      const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' }
      const request = new Request(`http://localhost/api/${path}`, { ...init, headers })
      const response = await directory.fetch(request)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        status: 400,
        title: expect.any(String),
        detail: expect.stringContaining('could not be read'),
      })
      expect(log).toMatchObject([{ status: 400, level: 'info' }])
      const { body: list } = await sender(directory, TOKEN)('GET', `/api/${path}`)
      expect(list[path]).toEqual([])
    },
  )
})

describe('an internal error in the management API', () => {
  it.each([
    ['GET', '/api/tenants', undefined],
    ['POST', '/api/tenants', { id: 'acme', name: 'Acme' }],
    ['GET', '/api/tenants/acme', undefined],
    ['PATCH', '/api/tenants/acme', { name: 'Acme' }],
    ['DELETE', '/api/tenants/acme', undefined],
    ['GET', '/api/tokens', undefined],
    ['POST', '/api/tokens', { name: 'a' }],
    ['DELETE', '/api/tokens/a', undefined],
  ])(
    'an internal error is answered with 500, and not with 503, which clients would retry: %s %s',
    async (method, path, body) => {
      const log: LogEntry[] = []
      const fail = async (): Promise<never> => {
        throw new TypeError('secret')
      }
      const broken: Store = { ...store, read: fail, write: fail, ping: fail }
      const directory = createDirectory({
        store: broken,
        token: TOKEN,
        log: (one) => log.push(one),
      })
      const answer = await sender(directory, TOKEN)(method, path, body)
      expect(answer).toMatchObject({
        status: 500,
        body: { type: 'about:blank', title: 'Internal server error', status: 500 },
      })
      expect(answer.headers.get('Retry-After')).toBeNull()
      expect(log).toMatchObject([
        { status: 500, level: 'error', error: expect.stringMatching(/^TypeError at /) },
      ])
      expect(JSON.stringify([answer.body, log])).not.toContain('secret')
    },
  )
})

it('readiness is 503 after any database error, which is logged', async () => {
  const log: LogEntry[] = []
  const ping = async (): Promise<never> => {
    throw new TypeError('secret')
  }
  const directory = createDirectory({ store: { ...store, ping }, log: (one) => log.push(one) })
  const { status, headers, body } = await sender(directory, TOKEN)('GET', '/api/ready')
  expect([status, headers.get('Retry-After')]).toEqual([503, '5'])
  expect(log).toMatchObject([
    { status: 503, level: 'error', error: expect.stringContaining('TypeError at ') },
  ])
  expect(JSON.stringify([body, log])).not.toContain('secret')
})

describe('a connection that the client has closed', () => {
  it.each([
    ['is not logged, because it may be caused by the abort', new TypeError('x'), false],
    ['is logged if a retry may succeed', new StoreUnavailableError('gone'), true],
  ])('an error after the client has closed the connection %s', async (_, error, isLogged) => {
    const log: LogEntry[] = []
    const controller = new AbortController()
    const read = async () => {
      controller.abort()
      throw error
    }
    const directory = createDirectory({
      store: { ...store, read },
      token: TOKEN,
      log: (entry) => log.push(entry),
    })
    const headers = { Authorization: `Bearer ${TOKEN}` }
    const { signal } = controller
    await directory.fetch(new Request('http://localhost/api/tenants', { headers, signal }))
    expect(log).toMatchObject([{ status: 499, level: isLogged ? 'error' : 'info' }])
    expect(log[0] !== undefined && 'error' in log[0]).toBe(isLogged)
  })
})
