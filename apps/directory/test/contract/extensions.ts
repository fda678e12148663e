import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Client, connect } from '../support/harness.ts'

const URN = 'urn:ietf:params:scim:schemas:extension:acme:2.0:User'
const TEAM = 'urn:example:acme:1.0:Group'

/** Extension schemas of tenants, on every store. */
export function extensionContract(storeOf: () => Store): void {
  describe('a registered extension (RFC 7643 §3.3)', () => {
    it("a registered extension is listed in the tenant's own discovery, and in no other", async () => {
      const [client, other] = [await connected(storeOf()), await connected(storeOf())]
      expect((await register(client, EMPLOYEE_SCHEMA)).status).toBe(201)
      const schema = await client.send('GET', `/Schemas/${URN}`)
      expect(schema).toMatchObject({
        status: 200,
        body: { id: URN, attributes: expect.arrayContaining([COST_CENTER]) },
      })
      const { body } = await client.send('GET', '/ResourceTypes/User')
      expect(body.schemaExtensions).toContainEqual({ schema: URN, required: false })
      expect((await other.send('GET', `/Schemas/${URN}`)).status).toBe(404)
      const types = await other.send('GET', '/ResourceTypes/User')
      expect(JSON.stringify(types.body)).not.toContain(URN)
    })

    it.each([
      ['a number for a string', { costCode: 7 }],
      ['a string for an integer', { level: 'x' }],
      ['an object for a list of strings', { tags: [{}] }],
      ['a value that is not an object', 'x'],
      ['a missing required sub-attribute', { badges: [{ type: 'door' }] }],
    ])('a registered extension rejects %s with 400 invalidValue', async (_, value) => {
      const client = await withEmployee(storeOf())
      const rejected = { status: 400, body: { scimType: 'invalidValue' } }
      const user = { userName: 'a', [URN]: value }
      expect(await client.send('POST', '/Users', user)).toMatchObject(rejected)
    })

    it('a registered extension is stored, replaced, and removed by a PUT without it', async () => {
      const client = await withEmployee(storeOf())
      const value = { costCode: 'A-1', level: 3, tags: ['x', 'y'], badges: [BADGE] }
      const { body } = await client.send('POST', '/Users', {
        userName: 'a',
        [URN.toUpperCase()]: { COSTCODE: 'A-1', level: 3, tags: ['x', 'y'], badges: [BADGE] },
      })
      expect(body[URN]).toEqual(value)
      expect(body.schemas).toContain(URN)
      const path = `/Users/${body.id}`
      expect((await client.send('GET', path)).body).toEqual(body)
      const put = await client.send('PUT', path, { userName: 'a', [URN]: { level: 4 } })
      expect(put.body[URN]).toEqual({ level: 4 })
      expect(put.headers.get('ETag')).not.toBe(body.meta?.version)
      const without = await client.send('PUT', path, { userName: 'a' })
      expect(without.body).not.toHaveProperty(URN)
      expect(without.body.schemas).not.toContain(URN)
      expect((await client.send('GET', '/Users')).body.Resources).toEqual([without.body])
    })

    it.each([
      ['the path of the attribute', { op: 'add', path: `${URN}:costCode`, value: 'B' }],
      ['another letter case', { op: 'Add', path: `${URN.toUpperCase()}:COSTcode`, value: 'B' }],
      ['the name without the URN', { op: 'replace', path: 'costCode', value: 'B' }],
      ['the path of the schema', { op: 'add', path: URN, value: { costCode: 'B' } }],
      ['a value without a path', { op: 'add', value: { [URN]: { costCode: 'B' } } }],
      ['a flat key', { op: 'replace', value: { [`${URN}:costCode`]: 'B' } }],
      ['a flat key with a dot', { op: 'add', value: { [`${URN}.costCode`]: 'B' } }],
    ])('a registered extension is patched by %s (RFC 7644 §3.5.2)', async (_, operation) => {
      const client = await withEmployee(storeOf())
      const user = { userName: 'a', [URN]: { costCode: 'A', level: 1 } }
      const { body } = await client.send('POST', '/Users', user)
      const patched = await patch(client, `/Users/${body.id}`, operation)
      expect(patched).toMatchObject({ status: 200, body: { [URN]: { costCode: 'B', level: 1 } } })
    })

    it('a registered extension is patched in a value path and a sub-attribute, and removed whole', async () => {
      const client = await withEmployee(storeOf())
      const user = { userName: 'a', [URN]: { badges: [BADGE, { ...BADGE, number: '2' }] } }
      const { body } = await client.send('POST', '/Users', user)
      const path = `/Users/${body.id}`
      const at = `${URN}:badges[number eq "2"].type`
      const patched = await patch(client, path, { op: 'replace', path: at, value: 'gate' })
      expect(patched.body[URN]).toEqual({
        badges: [BADGE, { ...BADGE, number: '2', type: 'gate' }],
      })
      const part = { op: 'replace', path: `${URN}:seat.floor`, value: 2 }
      expect((await patch(client, path, part)).body[URN]).toMatchObject({ seat: { floor: 2 } })
      const removed = await patch(client, path, { op: 'remove', path: URN })
      expect(removed.body).not.toHaveProperty(URN)
    })
  })

  describe('a search on a registered extension (RFC 7644 §3.4.2)', () => {
    it.each([
      [`${URN}:costCode eq "a-1"`, ['one']],
      ['costCode eq "A-1"', ['one']],
      [`${URN}:costCode sw "a" and level gt 1`, ['two']],
      [`${URN}:level ge 1`, ['one', 'two']],
      [`${URN}:level pr`, ['one', 'two']],
      [`not (${URN}:level pr)`, ['three']],
      [`${URN}:tags eq "x"`, ['one']],
      [`${URN}:badges[type eq "door" and number eq "1"]`, ['two']],
      [`${URN}:badges.number co "1"`, ['two']],
      [`${URN}:since lt "2026-02-01T00:00:00+01:00"`, ['three']],
      [`${URN}:code eq "aB"`, []],
      [`${URN}:code eq "ab"`, ['three']],
    ])('a search on an extension finds %s', async (filter, expected) => {
      const client = await withEmployee(storeOf())
      for (const user of PEOPLE)
        expect((await client.send('POST', '/Users', user)).status).toBe(201)
      const query = `filter=${encodeURIComponent(filter)}&sortBy=userName`
      const { status, body } = await client.send('GET', `/Users?${query}`)
      expect(status).toBe(200)
      expect(body.Resources?.map(({ userName }) => userName).sort()).toEqual([...expected].sort())
    })

    it("a list is sorted by an extension's attribute", async () => {
      const client = await withEmployee(storeOf())
      for (const user of PEOPLE) await client.send('POST', '/Users', user)
      const { body } = await client.send('GET', `/Users?sortBy=${URN}:level&sortOrder=descending`)
      expect(body.Resources?.map(({ userName }) => userName)).toEqual(['three', 'two', 'one'])
    })

    it('a search on an extension is 400 in a tenant without it', async () => {
      const client = await connected(storeOf())
      const filter = encodeURIComponent(`${URN}:costCode eq "x"`)
      expect(await client.send('GET', `/Users?filter=${filter}`)).toMatchObject({ status: 400 })
    })
  })

  it('extension attributes are returned as they are defined (RFC 7643 §2.2)', async () => {
    const client = await connected(storeOf())
    const names = ['default', 'always', 'request', 'never'] as const
    const attributes = names.map((returned) => ({
      name: `${returned}One`,
      type: 'string',
      returned,
    }))
    const secret = { name: 'pin', type: 'string', mutability: 'writeOnly' }
    await register(client, { ...EMPLOYEE_SCHEMA, attributes: [...attributes, secret] })
    const value = { defaultOne: 'd', alwaysOne: 'a', requestOne: 'r', neverOne: 'n', pin: '1234' }
    const created = await client.send('POST', '/Users', { userName: 'a', [URN]: value })
    const path = `/Users/${created.body.id}`
    const shown = { defaultOne: 'd', alwaysOne: 'a' }
    expect(created.body[URN]).toEqual(shown)
    expect((await client.send('GET', path)).body[URN]).toEqual(shown)
    expect((await client.send('GET', '/Users')).body.Resources?.[0]?.[URN]).toEqual(shown)
    const requested = await client.send('GET', `${path}?attributes=${URN}:requestOne,${URN}:pin`)
    expect(requested.body[URN]).toEqual({ alwaysOne: 'a', requestOne: 'r' })
    const excluded = await client.send('GET', `${path}?excludedAttributes=${URN}`)
    expect(excluded.body[URN]).toEqual({ alwaysOne: 'a' })
    const patched = await patch(client, path, { op: 'add', path: `${URN}:defaultOne`, value: 'e' })
    expect(patched.body[URN]).toEqual({ ...shown, defaultOne: 'e' })
    const found = await client.send('GET', `/Users?filter=${URN}:neverOne%20eq%20%22n%22`)
    expect(found.status).toBe(400)
  })

  describe('a group with a registered extension', () => {
    it('a group with an extension is created, searched, patched with members, and replaced', async () => {
      const client = await connected(storeOf())
      expect((await register(client, TEAM_SCHEMA)).status).toBe(201)
      const user = await client.send('POST', '/Users', { userName: 'a' })
      const members = [{ value: user.body.id }]
      const group = { displayName: 'G', members, [TEAM]: { region: 'north' } }
      const { body, headers } = await client.send('POST', '/Groups', group)
      expect(body).toMatchObject({ [TEAM]: { region: 'north' }, members })
      expect(body.schemas).toContain(TEAM)
      const path = `/Groups/${body.id}`
      expect((await client.send('GET', path)).body).toEqual(body)
      const excluding = await client.send('GET', `${path}?excludedAttributes=members`)
      expect(excluding.body).toMatchObject({ [TEAM]: { region: 'north' } })
      const same = await client.send('PUT', path, group)
      expect(same.headers.get('ETag')).toBe(headers.get('ETag'))
      const operations = [
        { op: 'replace', path: `${TEAM}:region`, value: 'south' },
        { op: 'remove', path: `members[value eq "${user.body.id}"]` },
      ]
      expect((await patch(client, path, ...operations)).status).toBe(204)
      const found = await client.send('GET', `/Groups?filter=${TEAM}:region%20eq%20%22SOUTH%22`)
      expect(found.body.Resources).toMatchObject([{ id: body.id, [TEAM]: { region: 'south' } }])
      expect(found.body.Resources?.[0]).not.toHaveProperty('members')
      expect(found.body.Resources?.[0]?.meta?.version).not.toBe(headers.get('ETag'))
      await client.send('PUT', path, { displayName: 'G' })
      expect((await client.send('GET', path)).body).not.toHaveProperty(TEAM)
    })
  })
}

/** A tenant, and a client with its token and that of an administrator. */
async function connected(store: Store): Promise<Client> {
  return await connect(store, { role: 'admin' })
}

/** A tenant with the extension of a user. */
async function withEmployee(store: Store): Promise<Client> {
  const client = await connected(store)
  await register(client, EMPLOYEE_SCHEMA)
  return client
}

async function register({ send, tenantId }: Client, schema: object) {
  return await send('POST', `/api/tenants/${tenantId}/schemas`, schema)
}

async function patch({ send }: Client, path: string, ...Operations: readonly object[]) {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
  return await send('PATCH', path, { schemas, Operations })
}

const COST_CENTER = {
  name: 'costCode',
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
}

/** An extension of users with attributes of several types. */
export const EMPLOYEE_SCHEMA = {
  resourceType: 'User',
  id: URN,
  name: 'Employee',
  attributes: [
    { name: 'costCode', type: 'string' },
    { name: 'code', type: 'string', caseExact: true },
    { name: 'level', type: 'integer' },
    { name: 'since', type: 'dateTime' },
    { name: 'tags', type: 'string', multiValued: true },
    {
      name: 'badges',
      type: 'complex',
      multiValued: true,
      subAttributes: [
        { name: 'number', type: 'string', required: true },
        { name: 'type', type: 'string' },
      ],
    },
    { name: 'seat', type: 'complex', subAttributes: [{ name: 'floor', type: 'integer' }] },
  ],
}

/** An extension of groups. */
export const TEAM_SCHEMA = {
  resourceType: 'Group',
  id: TEAM,
  name: 'Team',
  attributes: [{ name: 'region', type: 'string' }],
}

const BADGE = { number: '1', type: 'door' }

const PEOPLE = [
  { userName: 'one', [URN]: { costCode: 'A-1', level: 1, tags: ['x'] } },
  { userName: 'two', [URN]: { costCode: 'a-2', level: 2, badges: [BADGE] } },
  { userName: 'three', [URN]: { code: 'ab', since: '2026-01-31T23:00:00+01:00' } },
]
