import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRequests } from '../../../src/features/log/find-requests.ts'
import { createProvisioningLog } from '../../../src/features/log/provisioning-log.ts'
import { createToken } from '../../../src/kernel/access/token-store.ts'
import { findScimPath } from '../../../src/kernel/requests/scim-path.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { type Client, connect } from '../../support/harness.ts'

let store: Store
beforeAll(async () => {
  store = await openSqlite(':memory:')
})
afterAll(() => store.close())

/** Sends a request to a path of the server. */
async function sendTo({ directory }: Client, path: string, token: string, body?: object) {
  const response = await directory.fetch(
    new Request(`http://localhost${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' },
      body: body === undefined ? null : JSON.stringify(body),
    }),
  )
  return { status: response.status, body: await response.json() }
}

/** Creates the token of an administrator. */
async function administrator(): Promise<string> {
  const options = { tenantId: null, name: 'test', role: 'admin', profile: 'standard' } as const
  const { text } = await store.write((db) => createToken(db, { ...options, now: Date.now() }))
  return text
}

describe('the SCIM endpoint path for a tenant', () => {
  it.each([
    ['/scim/v2', '/scim/v2', null],
    ['/scim/v2?filter=x', '/scim/v2', null],
    ['/scim/v2/Users/1', '/scim/v2', null],
    ['/scim/tenants/acme/v2/Users', '/scim/tenants/acme/v2', 'acme'],
    ['/scim/tenants/acme/v2', '/scim/tenants/acme/v2', 'acme'],
    ['/scim/tenants/v2/v2/Users', '/scim/tenants/v2/v2', 'v2'],
  ])('the tenant path is found in %s', (path, base, tenantId) => {
    expect(findScimPath(`https://example.com${path}`)).toMatchObject({ base, tenantId })
  })

  it.each([
    '',
    '/',
    '/scim',
    '/scim/v20/Users',
    '/scim/V2',
    '/api/scim/v2',
    '/?/scim/v2',
    '/scim/tenants',
    '/scim/tenants/',
    '/scim/tenants/acme',
    '/scim/tenants/acme/',
    '/scim/tenants//v2',
    '/scim/tenants/ACME/v2',
    '/scim/tenants/-a/v2',
    '/scim/tenants/a%62/v2',
    '/scim/tenants/a/b/v2',
    '/scim/tenants/acme/v20',
    '/scim/tenants/acme?/v2',
    `/scim/tenants/${'a'.repeat(64)}/v2`,
  ])('the tenant path is not found in "%s"', (path) => {
    expect(findScimPath(`https://example.com${path}`)).toBeNull()
  })
})

describe("a client at its own tenant's path", () => {
  it("a client gets the tenant's resources, with locations below the path it used (RFC 7643 §3.1)", async () => {
    const client = await connect(store)
    const base = `/scim/tenants/${client.tenantId}/v2`
    const created = await sendTo(client, `${base}/Users`, client.token, { userName: 'a' })
    const url = `http://localhost${base}/Users/${created.body.id}`
    expect(created).toMatchObject({ status: 201, body: { meta: { location: url } } })
    const group = { displayName: 'G', members: [{ value: created.body.id }] }
    const { body } = await sendTo(client, `${base}/Groups`, client.token, group)
    expect(body.members).toMatchObject([{ $ref: url }])
    for (const [at, origin] of [
      [base, base],
      ['/scim/v2', '/scim/v2'],
    ]) {
      const listed = await sendTo(client, `${at}/Users`, client.token)
      const { meta, groups } = listed.body.Resources[0]
      expect(meta.location).toBe(`http://localhost${origin}/Users/${created.body.id}`)
      expect(groups[0].$ref).toBe(`http://localhost${origin}/Groups/${body.id}`)
      const types = await sendTo(client, `${at}/ResourceTypes/User`, client.token)
      expect(types.body.meta.location).toBe(`http://localhost${origin}/ResourceTypes/User`)
    }
  })

  it("a client is answered with 401 at any other tenant's path, whether the tenant exists or not", async () => {
    const [client, other] = [await connect(store), await connect(store)]
    const answers = []
    for (const tenantId of [other.tenantId, 'missing']) {
      for (const token of [client.token, 'unknown']) {
        const answer = await sendTo(client, `/scim/tenants/${tenantId}/v2/Users`, token)
        answers.push(answer)
      }
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]?.status).toBe(401)
  })
})

describe('an administrator', () => {
  it('an administrator sees the tenant in the path, and a 404 for a tenant that does not exist', async () => {
    const [client, token] = [await connect(store), await administrator()]
    await client.send('POST', '/Users', { userName: 'a' })
    const path = `/scim/tenants/${client.tenantId}/v2/Users`
    expect(await sendTo(client, path, token)).toMatchObject({
      status: 200,
      body: { totalResults: 1 },
    })
    expect(await sendTo(client, '/scim/tenants/missing/v2/Users', token)).toMatchObject({
      status: 404,
      body: { detail: 'tenant missing not found' },
    })
  })
})

it('the provisioning log has the path below the endpoints, and the tenant', async () => {
  const provisioning = createProvisioningLog({ store, days: 1, rows: 100, now: Date.now })
  const client = await connect(store, { provisioning })
  await sendTo(client, `/scim/tenants/${client.tenantId}/v2/Users?count=1`, client.token)
  await provisioning.close()
  const wanted = { tenantId: client.tenantId, count: 10 }
  const rows = await store.read((db) => findRequests(db, wanted))
  expect(rows.map(({ entry }) => JSON.parse(entry))).toMatchObject([
    { path: '/Users?count=1', operation: 'list', resourceType: 'User' },
  ])
})
