import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTenant } from '../../src/features/tenants/store.ts'
import { DEFAULT_TENANT } from '../../src/kernel/access/tenant-store.ts'
import { createToken } from '../../src/kernel/access/token-store.ts'
import { openSqlite } from '../../src/kernel/store/engines/sqlite/sqlite.ts'
import { type Store, StoreUnavailableError } from '../../src/kernel/store/store.ts'
import type { LogEntry } from '../../src/shell/observe/request-log.ts'
import { type Browser, createBrowser, signIn } from '../support/console-client.ts'
import { recorder } from '../support/harness.ts'

let store: Store
let browser: Browser
let token = { id: '', text: '' }
const entries: LogEntry[] = []
beforeAll(async () => {
  store = await openSqlite(':memory:')
  token = await store.write(async (db) => {
    await createTenant(db, { id: DEFAULT_TENANT, name: 'Default', created_at: 0 })
    const base = { tenantId: null, role: 'admin', profile: 'standard' } as const
    const { row, text } = await createToken(db, { ...base, name: 'log', now: Date.now() })
    return { id: row.id, text }
  })
  browser = createBrowser(store, { log: (entry) => entries.push(entry) })
  await signIn(browser, token.text)
})
afterAll(() => store.close())

/** How a request proves who sends it. */
type Proof = 'bearer' | 'session' | 'nothing' | 'unknown'

it.each<[proof: Proof, method: string, path: string, route: string | null, status: number]>([
  ['bearer', 'GET', '/scim/v2/Users', '/scim/v2/Users', 200],
  ['unknown', 'GET', '/scim/v2/Users', '/scim/v2/Users', 401],
  ['bearer', 'GET', '/api/tenants', '/api/tenants', 200],
  ['bearer', 'DELETE', '/api/tokens/unknown', '/api/tokens/:tokenId', 404],
  ['bearer', 'GET', '/api/requests?status=1', '/api/requests', 422],
  ['unknown', 'GET', '/api/tenants', '/api/tenants', 401],
  ['nothing', 'GET', '/api/health', '/api/health', 200],
  ['bearer', 'GET', '/metrics', '/metrics', 200],
  ['nothing', 'GET', '/openapi.json', '/openapi.json', 200],
  ['nothing', 'GET', '/nowhere', null, 404],
  ['session', 'GET', '/console/tenants/default', '/console/tenants/:tenantId', 200],
  ['nothing', 'GET', '/console/sign-in', '/console/sign-in', 200],
  ['nothing', 'GET', '/console/tenants/default', '/console/tenants/:tenantId', 303],
])(
  'with %s, %s %s has the request id and the token id in the log',
  async (proof, method, path, route, status) => {
    const id = crypto.randomUUID()
    const headers = new Headers({ 'X-Request-Id': id, ...proofs()[proof] })
    const request = new Request(`http://localhost${path}`, { method, headers })
    const answer = () => browser.directory.fetch(request)
    const isManagement = path.startsWith('/api/') || path === '/metrics'
    const response = await (isManagement ? recorder.middleware({ request }, answer) : answer())
    expect(response.headers.get('X-Request-Id')).toBe(id)
    const tokenId = proof === 'bearer' || proof === 'session' ? token.id : null
    expect(entries.at(-1)).toMatchObject({ requestId: id, tokenId, method, route, status })
  },
)

it.each([
  ['/api/health', 'debug'],
  ['/api/ready', 'debug'],
  ['/metrics', 'debug'],
  ['/scim/v2/Users', 'info'],
])('a successful request to %s has the level %s', async (path, level) => {
  await browser.directory.fetch(
    new Request(`http://localhost${path}`, { headers: proofs().bearer }),
  )
  expect(entries.at(-1)).toMatchObject({ route: path, status: 200, level })
})

it('a rejected probe has the level info, and a failing one the level error', async () => {
  await browser.directory.fetch(new Request('http://localhost/metrics'))
  expect(entries.at(-1)).toMatchObject({ status: 401, level: 'info' })
  const ping = () => Promise.reject(new StoreUnavailableError('gone'))
  const log = (entry: LogEntry) => entries.push(entry)
  const broken = createBrowser({ ...store, ping }, { log })
  await broken.directory.fetch(new Request('http://localhost/api/ready'))
  expect(entries.at(-1)).toMatchObject({ status: 503, level: 'error' })
})

/** The headers of each proof. */
function proofs(): Readonly<Record<Proof, Readonly<Record<string, string>>>> {
  return {
    bearer: { Authorization: `Bearer ${token.text}` },
    session: { Cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; ') },
    nothing: {},
    unknown: { Authorization: 'Bearer unknown.token' },
  }
}
