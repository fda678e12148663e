import assert from 'node:assert/strict'
import test from 'node:test'
import { examine } from '@plumbline/doctor'
import { storeContract } from '@plumbline/doctor/testing'
import { unwrap } from '@plumbline/result'
import { openDatabase } from './lib/schema.ts'
import { resourceTypes } from './lib/scim.ts'

const makeStores = () => {
  const db = openDatabase()
  const contexts = { context: { workspace: 1 }, otherContext: { workspace: 2 } }
  return { resourceTypes: resourceTypes(db), ...contexts, close: () => db.close() }
}
for (const { name, run } of storeContract(makeStores)) {
  test(name, async (context) => {
    const { skipped } = await run()
    if (skipped !== null) context.skip(skipped)
  })
}

/** The type that Next.js checks the functions of a route against. */
type Handler = (
  request: Request,
  context: { params: Promise<{ path?: string[] }> },
) => Promise<Response>

test('answers the requests that Next.js passes to the route', async () => {
  process.env['SCIM_TOKEN'] = 'secret'
  const route = await import('./app/scim/v2/[[...path]]/route.ts')
  const { GET, POST } = route satisfies Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', Handler>
  const url = 'https://example.com/scim/v2/Users'
  const headers = { Authorization: 'Bearer secret', 'Content-Type': 'application/scim+json' }
  const body = JSON.stringify({ userName: 'ada@example.com', active: 'True' })
  const created = await POST(new Request(url, { method: 'POST', headers, body }))
  assert.equal(created.status, 201)
  assert.equal((await GET(new Request(`${url}?startIndex=1&count=1`, { headers }))).status, 200)
  assert.equal((await GET(new Request(url))).status, 401)
})

test('passes the doctor', async () => {
  process.env['SCIM_TOKEN'] = 'secret'
  const route: Readonly<Record<string, unknown>> = await import(
    './app/scim/v2/[[...path]]/route.ts'
  )
  const answer = async (request: Request): Promise<Response> => {
    const handler = route[request.method]
    return typeof handler === 'function' ? handler(request) : new Response(null, { status: 405 })
  }
  const options = {
    base: 'https://example.com/scim/v2',
    token: 'secret',
    profiles: ['okta'] as const,
  }
  const { outcomes, left } = unwrap(await examine(answer, options))
  const failed = outcomes.filter(({ status }) => status === 'failed' || status === 'broken')
  const findings = failed.filter(({ id, level }) => level !== 'MAY' && !Object.hasOwn(ACCEPTED, id))
  assert.deepEqual(
    findings.map(({ id, finding }) => ({ id, ...finding })),
    [],
  )
  assert.deepEqual(left, [])
})

/** The findings that this application accepts, with the reason. */
const ACCEPTED: Readonly<Record<string, string>> = {
  'representation.meta-dates-present':
    'Its tables do not have the times at which a row was changed.',
  'filters.date-order': 'So these times cannot be used in a filter.',
}
