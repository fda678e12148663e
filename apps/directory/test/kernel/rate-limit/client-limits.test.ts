import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnsweredRequest } from '../../../src/features/log/entry.ts'
import type { ProvisioningLog } from '../../../src/features/log/provisioning-log.ts'
import { createToken, revokeToken } from '../../../src/kernel/access/token-store.ts'
import { createClientLimits } from '../../../src/kernel/rate-limit/client-limits.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import type { LogEntry } from '../../../src/shell/observe/request-log.ts'
import { openConsole } from '../../support/console-client.ts'
import { connect } from '../../support/harness.ts'

let store: Store
beforeAll(async () => {
  store = await openSqlite(':memory:')
})
afterAll(() => store.close())

/** A directory with one request per second and token, up to three without a pause, and a clock that the test sets. */
async function limited({ role = 'client' }: { readonly role?: 'client' | 'admin' } = {}) {
  const clock = { time: 0 }
  const limits = createClientLimits({
    requests: { perSecond: 1, burst: 3 },
    now: () => clock.time,
    proxies: 0,
    isBehindProxy: false,
  })
  const logged: AnsweredRequest[] = []
  const provisioning: ProvisioningLog = {
    add: (answered) => logged.push(answered),
    flush: async () => undefined,
    counts: () => ({ waiting: 0, stored: 0, dropped: 0 }),
    close: async () => undefined,
  }
  const lines: LogEntry[] = []
  const log = (line: LogEntry) => lines.push(line)
  const options = { limits, provisioning, role, log, token: 'of-the-environment' }
  const client = await connect(store, options)
  /** Sends a request from an address, and returns the status. */
  const from = async (address: string, token: string, path = '/scim/v2/Users?count=0') => {
    const headers = { Authorization: `Bearer ${token}` }
    const request = new Request(`http://localhost${path}`, { headers })
    const { status } = await client.directory.fetch(request, { address })
    return status
  }
  return { ...client, clock, logged, lines, from }
}

const times = async <Value>(count: number, work: (at: number) => Promise<Value>) => {
  const values: Value[] = []
  for (let at = 0; at < count; at += 1) values.push(await work(at))
  return values
}

describe('a token with too many SCIM requests', () => {
  it('the token gets 429 with Retry-After and a SCIM error without a scimType (RFC 6585 §4, RFC 7644 §3.12)', async () => {
    const { send, clock } = await limited()
    const before = await times(3, () => send('GET', '/Users?count=0'))
    expect(before.map(({ status }) => status)).toEqual([200, 200, 200])
    const rejected = await send('GET', '/Users?count=0')
    expect(rejected.headers.get('Retry-After')).toBe('1')
    expect(rejected.headers.get('Content-Type')).toBe('application/scim+json')
    expect([rejected.status, rejected.body]).toEqual([
      429,
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '429',
        detail: 'the token has sent too many requests',
      },
    ])
    clock.time += 1_000
    expect((await send('POST', '/Users', { userName: 'later' })).status).toBe(201)
    expect((await send('POST', '/Users', { userName: 'too many' })).status).toBe(429)
  })

  it('the token is also limited on a path that does not exist', async () => {
    const { send, logged, tenantId } = await limited()
    const answers = await times(4, () => send('GET', '/Nothing'))
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 429])
    expect(answers[3]?.headers.get('Retry-After')).toBe('1')
    expect(answers[3]?.body).toMatchObject({ status: '429' })
    const error = { status: 429, message: 'the token has sent too many requests' }
    expect(logged.at(-1)).toMatchObject({ tenantId, status: 429, route: null, error })
    expect(answers[3]?.headers.get('X-Request-Id')).toBe(logged.at(-1)?.requestId)
  })

  it('the token does not limit another token', async () => {
    const { send, tenantId, from } = await limited()
    await times(4, () => send('GET', '/Users?count=0'))
    const other = await store.write((db) =>
      createToken(db, { tenantId, name: 'b', role: 'client', profile: 'standard', now: 0 }),
    )
    expect(await from('192.0.2.1', other.text)).toBe(200)
    expect(await from('192.0.2.1', 'of-the-environment')).toBe(200)
  })

  it('the token has one such request in ten seconds in the provisioning log, with the tenant and the token', async () => {
    const { send, clock, logged, tenantId, token } = await limited()
    await times(50, () => send('GET', '/Users?count=0'))
    const found = () => logged.filter(({ status }) => status === 429)
    expect(found()).toMatchObject([{ tenantId, tokenId: token.split('.')[0], route: '/Users' }])
    expect(logged).toHaveLength(4)
    clock.time += 10_000
    await times(50, () => send('GET', '/Users?count=0'))
    expect(found()).toHaveLength(2)
  })

  it("the token's limit is not an error in the server log", async () => {
    const { send, lines, tenantId } = await limited({ role: 'admin' })
    await times(4, () => send('GET', '/Users?count=0'))
    await times(4, () => send('GET', '/api/tenants'))
    expect(lines.filter(({ status }) => status === 429)).toMatchObject([
      { level: 'info', route: '/scim/v2/Users', tenant: tenantId },
      { level: 'info', route: '/api/tenants', tenant: null },
    ])
    expect(lines.some((line) => 'error' in line)).toBe(false)
  })
})

it('a console page counts its requests to the management API, and not those to the SCIM endpoint', async () => {
  const options = { perSecond: 1, burst: 3 }
  const limits = createClientLimits({
    requests: options,
    now: () => 0,
    proxies: 0,
    isBehindProxy: false,
  })
  const browser = await openConsole(store, { limits })
  const pages = await times(4, () => browser.open('/console/about'))
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 429])
})

it.each(['/scim/v2/Users', '/api/tenants'])(
  'an internal error in a limit is answered with 500 and without Retry-After: %s',
  async (path) => {
    const fail = (): never => {
      throw new TypeError('a bug')
    }
    const limits = { countRequest: fail, requireFewGuesses: fail, countGuess: fail }
    const { directory, token } = await connect(store, { limits })
    const headers = { Authorization: `Bearer ${token}` }
    const response = await directory.fetch(new Request(`http://localhost${path}`, { headers }))
    expect([response.status, response.headers.get('Retry-After')]).toEqual([500, null])
  },
)

describe("the environment's token", () => {
  it("the environment's token is limited as well", async () => {
    const { from } = await limited()
    const statuses = await times(4, () => from('192.0.2.1', 'of-the-environment'))
    expect(statuses).toEqual([200, 200, 200, 429])
  })
})

describe('an address with many unknown tokens', () => {
  const guess = (from: Awaited<ReturnType<typeof limited>>['from'], address = '192.0.2.1') =>
    times(70, (at) => from(address, `guess.${at}`))

  it("the address gets 429 after 60 unknown tokens, also for the environment's token, until time has passed", async () => {
    const { from, clock } = await limited()
    const statuses = await guess(from)
    expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 401))
    expect(statuses.slice(60)).toEqual(Array.from({ length: 10 }, () => 429))
    expect(await from('192.0.2.1', 'of-the-environment')).toBe(429)
    expect(await from('192.0.2.1', 'of-the-environment', '/api/tenants')).toBe(429)
    expect(await from('192.0.2.2', 'of-the-environment')).toBe(200)
    clock.time += 1_000
    expect(await from('192.0.2.1', 'of-the-environment')).toBe(200)
  })

  it('the address gets 401 as before without a token', async () => {
    const { directory, from } = await limited()
    await guess(from)
    for (const path of ['/scim/v2/Users', '/api/tenants']) {
      const request = new Request(`http://localhost${path}`)
      const { status } = await directory.fetch(request, { address: '192.0.2.1' })
      expect(status).toBe(401)
    }
  })

  it('the address does not block tokens this process has accepted before', async () => {
    const { from, token } = await limited()
    expect(await from('192.0.2.1', token)).toBe(200)
    await guess(from)
    expect(await from('192.0.2.1', token)).toBe(200)
  })

  it('the address may repeat one wrong token, or send a revoked one', async () => {
    const { from, tenantId } = await limited()
    expect(new Set(await times(100, () => from('192.0.2.1', 'mistyped')))).toEqual(new Set([401]))
    const revoked = await times(70, () =>
      store.write(async (db) => {
        const options = { name: 'r', role: 'client', profile: 'standard', now: 0 } as const
        const { row, text } = await createToken(db, { ...options, tenantId })
        await revokeToken(db, store.dialect, row.id, 1)
        return text
      }),
    )
    const statuses = await times(70, (at) => from('192.0.2.1', revoked[at] ?? ''))
    expect(new Set(statuses)).toEqual(new Set([401]))
  })

  it('the address is not limited if clients share it, such as the loopback', async () => {
    const { from } = await limited()
    expect(new Set(await guess(from, '127.0.0.1'))).toEqual(new Set([401]))
  })

  it('the address has one rejection in ten seconds in the provisioning log', async () => {
    const { from, logged } = await limited()
    await guess(from)
    expect(logged.map(({ status }) => status).filter((status) => status === 429)).toEqual([429])
  })
})
