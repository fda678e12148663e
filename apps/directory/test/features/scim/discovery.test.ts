import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RESOURCE_TYPES, TYPE_NAMES } from '../../../src/kernel/resources/resource-types.ts'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { type Client, connect } from '../../support/harness.ts'

let store: Store
let client: Client
beforeAll(async () => {
  store = await openSqlite(':memory:')
  client = await connect(store)
})
afterAll(() => store.close())

describe('discovery (RFC 7644 §4)', () => {
  it("discovery describes the server's features", async () => {
    const { body } = await client.send('GET', '/ServiceProviderConfig')
    for (const feature of ['patch', 'bulk', 'filter', 'sort', 'etag']) {
      expect(body[feature]).toMatchObject({ supported: true })
    }
    expect(body.changePassword).toEqual({ supported: false })
    expect(body.authenticationSchemes?.[0]).toMatchObject({ type: 'oauthbearertoken' })
  })

  it('discovery describes pagination (RFC 9865 §4)', async () => {
    const { body } = await client.send('GET', '/ServiceProviderConfig')
    expect(body.pagination).toEqual({
      cursor: true,
      index: true,
      defaultPaginationMethod: 'index',
      defaultPageSize: 100,
      maxPageSize: 1_000,
      cursorTimeout: 3_600,
    })
  })

  it('discovery lists the resource types, and returns each by its id', async () => {
    const { body } = await client.send('GET', '/ResourceTypes')
    expect((body.Resources ?? []).map(({ id }) => id)).toEqual(TYPE_NAMES)
    const user = await client.send('GET', '/ResourceTypes/User')
    expect(user.body).toMatchObject({ id: 'User', endpoint: '/Users' })
  })

  it('discovery lists the schemas, and returns each by its URN', async () => {
    const { body } = await client.send('GET', '/Schemas')
    const urns = RESOURCE_TYPES.flatMap(({ definitions }) => Object.keys(definitions))
    expect((body.Resources ?? []).map(({ id }) => id)).toEqual(urns)
    const urn = 'urn:ietf:params:scim:schemas:core:2.0:Group'
    const group = await client.send('GET', `/Schemas/${encodeURIComponent(urn)}`)
    expect(group.body).toMatchObject({ id: urn, name: 'Group' })
    expect((await client.send('GET', '/Schemas/urn:no:such')).status).toBe(404)
  })

  it('discovery rejects filters (RFC 7644 §4)', async () => {
    for (const path of ['/Schemas', '/ResourceTypes', '/ServiceProviderConfig']) {
      expect((await client.send('GET', `${path}?filter=id+pr`)).status).toBe(403)
    }
  })
})

describe('/Me (RFC 7644 §3.11)', () => {
  it("/Me is the token's user", async () => {
    const { body } = await client.send('POST', '/Users', { userName: 'me' })
    const me = await connect(store, { tenantId: client.tenantId, userId: String(body.id) })
    expect((await me.send('GET', '/Me')).body).toEqual(body)
    const patched = await me.send('PATCH', '/Me', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'add', path: 'nickName', value: 'I' }],
    })
    expect(patched.body).toMatchObject({ userName: 'me', nickName: 'I' })
  })

  it('/Me is not found for a token without a user', async () => {
    expect((await client.send('GET', '/Me')).status).toBe(404)
  })
})

describe("the server's public address", () => {
  it('the public address is the base for resource locations (RFC 7643 §3.1)', async () => {
    const publicOrigin = 'https://directory.example.com'
    const base = `${publicOrigin}/scim/v2`
    const { send } = await connect(store, { publicOrigin })
    const user = await send('POST', '/Users', { userName: 'a' })
    expect(user.body.meta?.location).toBe(`${base}/Users/${user.body.id}`)
    expect(user.headers.get('Location')).toBe(user.body.meta?.location)
    const members = [{ value: user.body.id }]
    const group = await send('POST', '/Groups', { displayName: 'g', members })
    expect(group.body.members?.[0]?.$ref).toBe(user.body.meta?.location)
    const bulk = await send('POST', '/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: [{ method: 'PUT', path: `/Users/${user.body.id}`, data: { userName: 'b' } }],
    })
    expect(bulk.body.Operations).toMatchObject([
      { status: '200', location: user.body.meta?.location },
    ])
  })
})

it('the public address is the base for locations in discovery documents (RFC 7643 §3.1)', async () => {
  const publicOrigin = 'https://directory.example.com'
  const { send } = await connect(store, { publicOrigin })
  const paths = [
    '/ServiceProviderConfig',
    '/ResourceTypes/Group',
    '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User',
  ]
  for (const path of paths) {
    const { body } = await send('GET', path)
    expect(body.meta?.location).toBe(`${publicOrigin}/scim/v2${path}`)
  }
})

describe('HEAD and trailing slashes', () => {
  it('HEAD is answered as GET, without a body', async () => {
    const answer = await client.send('HEAD', '/Users')
    expect(answer).toMatchObject({ status: 200, body: undefined })
  })

  it('a path with a trailing slash is accepted', async () => {
    expect((await client.send('GET', '/Users/?count=0')).status).toBe(200)
  })
})
