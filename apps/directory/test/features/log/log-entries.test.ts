import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDirectory } from '../../../src/app.ts'
import type { AnsweredRequest } from '../../../src/features/log/entry.ts'
import type { ProvisioningLog } from '../../../src/features/log/provisioning-log.ts'
import type { Recorder } from '../../../src/features/recordings/recorder.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import type { LogEntry } from '../../../src/shell/observe/request-log.ts'
import { type Client, connect } from '../../support/harness.ts'

const log: LogEntry[] = []
let store: Store
let client: Client
beforeAll(async () => {
  store = await openSqlite(':memory:')
  client = await connect(store, {
    log: (entry) => log.push(entry),
    now: () => Date.parse('2026-11-21T12:00:00Z'),
  })
})
afterAll(() => store.close())

it.each([
  ['GET', '/scim/v2/Users?count=0', '/scim/v2/Users', 200, true],
  ['HEAD', '/scim/v2/Users', '/scim/v2/Users', 200, true],
  ['GET', '/scim/v2/Users/none', '/scim/v2/Users/:id', 404, true],
  ['GET', '/scim/v2/Users/', '/scim/v2/Users', 200, true],
  ['HEAD', '/scim/v2/Users/?count=0', '/scim/v2/Users', 200, true],
  ['PUT', '/scim/v2/Users', null, 405, true],
  ['GET', '/scim/v2/Nothing', null, 404, true],
  ['GET', '/api/health', '/api/health', 200, false],
  ['DELETE', '/api/tokens/a', '/api/tokens/:tokenId', 403, true],
  ['PATCH', '/api/tokens', null, 405, false],
  ['GET', '/openapi.json', '/openapi.json', 200, false],
  ['GET', '/', '/', 200, false],
  ['GET', '/console/', '/console', 303, false],
] as const)('a log entry contains the route instead of the path: %s %s', async (...row) => {
  const [method, path, route, status, hasTenant] = row
  log.length = 0
  const headers = { Authorization: `Bearer ${client.token}` }
  const sent = new Request(`http://localhost${path}`, { method, headers })
  const response = await client.directory.fetch(sent)
  expect(log).toEqual([
    {
      time: '2026-11-21T12:00:00.000Z',
      requestId: response.headers.get('X-Request-Id'),
      level: path === '/api/health' ? 'debug' : 'info',
      method,
      route,
      status,
      milliseconds: expect.any(Number),
      tenant: hasTenant ? client.tenantId : null,
      tokenId: hasTenant ? client.token.split('.')[0] : null,
    },
  ])
})

it('a log entry has the request duration in milliseconds, rounded to hundredths', async () => {
  log.length = 0
  const now = vi.spyOn(performance, 'now')
  onTestFinished(() => now.mockRestore())
  now.mockReturnValueOnce(1_000).mockReturnValueOnce(1_012.345_6)
  await client.directory.fetch(new Request('http://localhost/nothing'))
  expect(log).toMatchObject([{ milliseconds: 12.35 }])
})

describe.each(['/scim/v2/Users/a', '/api/tenants'])('a client hanging up: %s', (path) => {
  const entries: LogEntry[] = []
  const client = new AbortController()
  let reads = 0
  const read: Store['read'] = async () => {
    reads += 1
    await setImmediate()
    client.abort()
    await setImmediate()
    throw new TypeError('the query was stopped')
  }

  it.each([
    ['while the database works', 1],
    ['before the request is routed', 0],
  ])(
    'a client hanging up has a log entry with the status 499 and without an error: %s',
    async (_, wanted) => {
      entries.length = 0
      reads = 0
      const log = (one: LogEntry) => entries.push(one)
      const directory = createDirectory({ store: { ...store, read }, log })
      const init = { headers: { Authorization: 'Bearer a.b' }, signal: client.signal }
      const response = await directory.fetch(new Request(`http://localhost${path}`, init))
      expect([response.status, reads]).toEqual([499, wanted])
      expect(entries).toMatchObject([{ level: 'info', status: 499 }])
      expect(entries[0]).not.toHaveProperty('error')
    },
  )
})

it.each(['/scim/v2/Users/a', '/api/tenants'])(
  'a request failing with an internal error has it in the log entry: %s',
  async (path) => {
    const entries: LogEntry[] = []
    const read: Store['read'] = async () => {
      throw new TypeError('the query is wrong')
    }
    const directory = createDirectory({
      store: { ...store, read },
      log: (one) => entries.push(one),
    })
    const init = { headers: { Authorization: 'Bearer a.b' } }
    const response = await directory.fetch(new Request(`http://localhost${path}`, init))
    expect(response.status).toBe(500)
    expect(entries).toMatchObject([
      { level: 'error', status: 500, error: expect.stringMatching(/^TypeError /) },
    ])
  },
)

it('an unknown token is rejected with 401, also if the reason for the log cannot be read', async () => {
  let reads = 0
  const read: Store['read'] = async (...given) => {
    reads += 1
    if (reads > 1) throw new TypeError('the query is wrong')
    return await store.read(...given)
  }
  const directory = createDirectory({ store: { ...store, read } })
  const init = { headers: { Authorization: 'Bearer a.b' } }
  const response = await directory.fetch(new Request('http://localhost/scim/v2/Users/a', init))
  expect([response.status, reads]).toEqual([401, 2])
})

it('a rejection whose reason cannot be read is in the provisioning log without a reason', async () => {
  let reads = 0
  const read: Store['read'] = async (...given) => {
    reads += 1
    if (reads > 1) throw new TypeError('the query is wrong')
    return await store.read(...given)
  }
  const added: AnsweredRequest[] = []
  const provisioning: ProvisioningLog = {
    add: (one) => void added.push(one),
    counts: () => ({ stored: 0, dropped: 0, waiting: 0 }),
    flush: async () => undefined,
    close: async () => undefined,
  }
  const directory = createDirectory({ store: { ...store, read }, provisioning })
  const init = { headers: { Authorization: 'Bearer a.b' } }
  await directory.fetch(new Request('http://localhost/scim/v2/Users/a?x=1', init))
  expect(added).toMatchObject([
    { status: 401, rejection: null, tenantId: null, tokenId: null, target: '/Users/a?x=1' },
  ])
})

it('the recordings are looked up before each SCIM request, and before no other', async () => {
  const calls: string[] = []
  const recorder: Recorder = {
    refresh: async () => void calls.push('refresh'),
    lookUp: async () => void calls.push('lookUp'),
    record: ({ target }, response) => {
      calls.push(target)
      return response
    },
    flush: async () => undefined,
  }
  const { send } = await connect(store, { recorder, role: 'admin' })
  for (const path of ['/api/tenants', '/Users/none', '/api/health']) await send('GET', path)
  expect(calls).toEqual(['refresh', '/Users/none'])
})
