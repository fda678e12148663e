import assert from 'node:assert/strict'
import test from 'node:test'
import { examine } from '@plumbline/doctor'
import { storeContract } from '@plumbline/doctor/testing'
import { unwrap } from '@plumbline/result'
import { createTransaction, openDatabase } from './lib/schema.ts'
import { resourceTypes } from './lib/scim.ts'

const makeStores = () => {
  const db = openDatabase()
  const contexts = { context: { workspace: 1 }, otherContext: { workspace: 2 } }
  const stores = { resourceTypes: resourceTypes(db), transaction: createTransaction(db) }
  return { ...stores, ...contexts, close: () => db.close() }
}
for (const { name, run } of storeContract(makeStores)) {
  test(name, async (context) => {
    const { skipped } = await run()
    if (skipped !== null) context.skip(skipped)
  })
}

const token = 'token-of-the-tests-1234'
const base = 'https://example.com/scim/v2'

/** The route, as the first request loads it with these variables. */
async function loadRoute(variables: Readonly<Record<string, string>>): Promise<Route> {
  for (const name of ['DATABASE_PATH', 'SCIM_BASE', 'SCIM_TOKEN']) delete process.env[name]
  Object.assign(process.env, { DATABASE_PATH: ':memory:', ...variables })
  loaded += 1
  return await import(`./app/scim/v2/[[...path]]/route.ts?${loaded}`)
}
let loaded = 0
type Route = typeof import('./app/scim/v2/[[...path]]/route.ts')

/** The type that Next.js checks the functions of a route against. */
type Handler = (
  request: Request,
  context: { params: Promise<{ path?: string[] }> },
) => Promise<Response>

test('the route answers the requests that Next.js passes to the route', async () => {
  const route = await loadRoute({ SCIM_TOKEN: token, SCIM_BASE: base })
  const { GET, POST } = route satisfies Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', Handler>
  // Next.js passes the address at which it listens.
  const url = 'https://localhost:3000/scim/v2/Users'
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' }
  const body = JSON.stringify({ userName: 'ada@example.com', active: 'True' })
  const created = await POST(new Request(url, { method: 'POST', headers, body }))
  assert.equal(created.status, 201)
  assert.match(created.headers.get('Location') ?? '', /^https:\/\/example\.com\/scim\/v2\/Users\//)
  assert.equal((await GET(new Request(`${url}?startIndex=1&count=1`, { headers }))).status, 200)
  assert.equal((await GET(new Request(url))).status, 401)
})

for (const [name, variables] of [
  ['SCIM_TOKEN', { SCIM_BASE: base }],
  ['SCIM_BASE', { SCIM_TOKEN: token }],
] as const) {
  test(`the route rejects every request without ${name}`, async () => {
    const { GET } = await loadRoute(variables)
    const request = (authorization: string) =>
      new Request(`${base}/Users`, { headers: { Authorization: authorization } })
    for (const one of [`Bearer ${token}`, 'Bearer undefined']) {
      await assert.rejects(GET(request(one)), TypeError)
    }
  })
}

test('the server passes the doctor', async () => {
  const variables = { SCIM_TOKEN: token, SCIM_BASE: base }
  const route: Readonly<Record<string, unknown>> = await loadRoute(variables)
  const answer = async (request: Request): Promise<Response> => {
    const handler = route[request.method]
    return typeof handler === 'function' ? handler(request) : new Response(null, { status: 405 })
  }
  const options = { base, token, profiles: ['okta'] as const }
  const { outcomes, left } = unwrap(await examine(answer, options))
  const failed = outcomes.filter(({ status }) => status === 'failed' || status === 'broken')
  const findings = failed.filter(({ level }) => level !== 'MAY')
  assert.deepEqual(
    findings.map(({ id, finding }) => ({ id, ...finding })),
    [],
  )
  assert.deepEqual(left, [])
})
