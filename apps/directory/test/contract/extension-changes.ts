import { describe, expect, it } from 'vitest'
import { createDirectory } from '../../src/app.ts'
import { HOUR } from '../../src/kernel/durations.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Client, connect, recorder, sender } from '../support/harness.ts'

const URN = 'urn:example:acme:1.0:User'

/** Changes of the extension schemas of tenants, on every store. */
export function extensionChangeContract(storeOf: () => Store): void {
  describe('a schema change that no resource prevents', () => {
    it.each(Object.entries(CHANGES))(
      'a schema change is accepted without values: %s',
      async (_, attributes) => {
        const tenant = await withSchema(storeOf(), BEFORE)
        await tenant.send('POST', '/Users', { userName: 'a' })
        expect((await tenant.replace(attributes)).status).toBe(200)
      },
    )

    it('a schema change is accepted with values: another attribute, description or order', async () => {
      const tenant = await withSchema(storeOf(), BEFORE)
      const value = { text: 'x', parts: [{ a: '1' }] }
      const { body } = await tenant.send('POST', '/Users', { userName: 'a', [URN]: value })
      const more = [{ name: 'more', type: 'boolean' }, ...[...BEFORE].reverse()]
      expect((await tenant.replace(more)).status).toBe(200)
      expect((await tenant.send('GET', `/Users/${body.id}`)).body).toEqual(body)
      const put = await tenant.send('PUT', `/Users/${body.id}`, {
        userName: 'a',
        [URN]: { ...value, more: true },
      })
      expect(put.body[URN]).toEqual({ ...value, more: true })
    })
  })

  describe('a schema change that would lose or invalidate stored values is 409', () => {
    it.each(Object.entries(CHANGES))(
      'a schema change losing or invalidating stored values is 409 with the resource count: %s',
      async (_, attributes) => {
        const tenant = await withSchema(storeOf(), BEFORE)
        const value = { text: 'x', secret: 'y', parts: [{ a: '1' }] }
        for (const userName of ['a', 'b']) {
          const user = { userName, [URN]: value }
          expect((await tenant.send('POST', '/Users', user)).status).toBe(201)
        }
        await tenant.send('POST', '/Users', { userName: 'c' })
        expect(await tenant.replace(attributes)).toMatchObject({
          status: 409,
          body: {
            detail: expect.stringMatching(/^Users that (?:do not )?have a value of .*: 2\.$/),
          },
        })
        const { body } = await tenant.send('GET', '/Users?filter=userName%20eq%20%22a%22')
        expect(body.Resources).toMatchObject([{ [URN]: { text: 'x', parts: [{ a: '1' }] } }])
      },
    )

    it('a schema change losing or invalidating stored values is 409 for a deleted schema, until the values are removed', async () => {
      const tenant = await withSchema(storeOf(), BEFORE)
      const user = { userName: 'a', [URN]: { text: 'x' } }
      const { body } = await tenant.send('POST', '/Users', user)
      expect(await tenant.remove()).toMatchObject({
        status: 409,
        body: { detail: 'Users that have the extension: 1.' },
      })
      await tenant.send('PUT', `/Users/${body.id}`, { userName: 'a' })
      expect((await tenant.remove()).status).toBe(204)
      const { body: shown } = await tenant.send('PUT', `/Users/${body.id}`, user)
      expect(shown).not.toHaveProperty(URN)
      expect((await tenant.send('GET', `/Schemas/${URN}`)).status).toBe(404)
    })

    it('a schema change losing or invalidating stored values is 409 with a count capped at 100 resources', async () => {
      const tenant = await withSchema(storeOf(), BEFORE)
      const Operations = Array.from({ length: 130 }, (_, at) => ({
        method: 'POST',
        path: '/Users',
        bulkId: `b${at}`,
        data: { userName: `user-${at}`, [URN]: { text: 'x' } },
      }))
      const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest']
      expect((await tenant.send('POST', '/Bulk', { schemas, Operations })).status).toBe(200)
      expect((await tenant.remove()).body.detail).toBe(
        'Users that have the extension: more than 100.',
      )
    })

    it('a schema change losing or invalidating stored values is 409 for another resource type', async () => {
      const tenant = await withSchema(storeOf(), BEFORE)
      expect(await tenant.replace(BEFORE, { resourceType: 'Group' })).toMatchObject({ status: 409 })
    })
  })

  describe('a required extension (RFC 7643 §6)', () => {
    it('a required extension cannot be the first one for two minutes, because a write may have started before', async () => {
      const tenant = await withSchema(storeOf(), BEFORE)
      expect((await tenant.replace(BEFORE, { required: true })).status).toBe(409)
      tenant.wait(2 * 60_000)
      expect((await tenant.replace(BEFORE, { required: true })).status).toBe(200)
    })

    it('a required extension is possible if every resource in the type has it, and then each must have it', async () => {
      const tenant = await withSchema(storeOf(), BEFORE)
      tenant.wait(HOUR)
      const { body } = await tenant.send('POST', '/Users', { userName: 'a' })
      expect(await tenant.replace(BEFORE, { required: true })).toMatchObject({
        status: 409,
        body: { detail: 'Users that do not have the extension: 1.' },
      })
      const user = { userName: 'a', [URN]: { text: 'x' } }
      expect((await tenant.send('PUT', `/Users/${body.id}`, user)).status).toBe(200)
      expect((await tenant.replace(BEFORE, { required: true })).status).toBe(200)
      const without = await tenant.send('POST', '/Users', { userName: 'b' })
      expect(without).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
      const types = await tenant.send('GET', '/ResourceTypes/User')
      expect(types.body.schemaExtensions).toContainEqual({ schema: URN, required: true })
    })
  })

  describe('another server process', () => {
    it("another server process accepts a new schema's attributes after a second", async () => {
      const tenant = await connected(storeOf())
      const other = tenant.another()
      expect((await other.send('GET', '/Users')).status).toBe(200)
      await tenant.register(BEFORE)
      other.wait(1_000)
      const user = { userName: 'a', [URN]: { text: 'x' } }
      expect((await other.send('POST', '/Users', user)).body).toMatchObject(user)
    })

    it('another server process rejects a write under an older version with 503, and accepts the retry', async () => {
      const tenant = await withSchema(storeOf(), BEFORE)
      const other = tenant.another()
      const user = { userName: 'a', [URN]: { text: 'x' } }
      const { body } = await other.send('POST', '/Users', user)
      await tenant.replace([...BEFORE, { name: 'more', type: 'string' }])
      const path = `/Users/${body.id}`
      const changed = { userName: 'a', [URN]: { more: 'y' } }
      expect((await other.send('PUT', path, changed)).status).toBe(503)
      expect((await other.send('PUT', path, changed)).body).toMatchObject(changed)
    })

    it('a server process without the first schema neither shows nor loses its values', async () => {
      const tenant = await connected(storeOf())
      const other = tenant.another()
      expect((await other.send('GET', '/Users')).status).toBe(200)
      await tenant.register([{ name: 'pin', type: 'string', returned: 'never' }])
      const user = { userName: 'a', [URN]: { pin: '1234' } }
      const { body } = await tenant.send('POST', '/Users', user)
      const path = `/Users/${body.id}`
      expect((await other.send('GET', path)).body).not.toHaveProperty(URN)
      const operation = { op: 'add', path: 'title', value: 'x' }
      const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
      const patched = await other.send('PATCH', path, { schemas, Operations: [operation] })
      expect(patched.status).toBe(503)
      expect((await tenant.remove()).status).toBe(409)
    })
  })
}

/** A tenant whose clock a test moves. */
interface Tenant extends Pick<Client, 'send'> {
  register(attributes: readonly object[], over?: object): ReturnType<Client['send']>
  replace(attributes: readonly object[], over?: object): ReturnType<Client['send']>
  remove(): ReturnType<Client['send']>
  wait(milliseconds: number): void
  /** A client of the same tenant on another server process, with its own caches. */
  another(): Pick<Tenant, 'send' | 'wait'>
}

async function connected(store: Store): Promise<Tenant> {
  let time = Date.now()
  const client = await connect(store, { role: 'admin', now: () => time })
  const { send, tenantId, token } = client
  const path = `/api/tenants/${tenantId}/schemas`
  const schema = { resourceType: 'User', id: URN, name: 'Acme' }
  return {
    send,
    register: (attributes, over = {}) => send('POST', path, { ...schema, attributes, ...over }),
    replace: (attributes, over = {}) =>
      send('PUT', `${path}/${URN}`, { ...schema, attributes, ...over }),
    remove: () => send('DELETE', `${path}/${URN}`),
    wait: (milliseconds) => {
      time += milliseconds
    },
    another: () => {
      let later = 0
      const options = { now: () => time + later, apiMiddleware: recorder.middleware }
      // The caches belong to the value of the store.
      const directory = createDirectory({ store: { ...store }, ...options })
      return {
        send: sender(directory, token),
        wait: (milliseconds) => {
          later += milliseconds
        },
      }
    },
  }
}

async function withSchema(store: Store, attributes: readonly object[]): Promise<Tenant> {
  const tenant = await connected(store)
  expect((await tenant.register(attributes)).status).toBe(201)
  return tenant
}

const TEXT = { name: 'text', type: 'string' }
const SECRET = { name: 'secret', type: 'string', mutability: 'writeOnly' }
const PARTS = {
  name: 'parts',
  type: 'complex',
  multiValued: true,
  subAttributes: [
    { name: 'a', type: 'string' },
    { name: 'b', type: 'string' },
  ],
}
const BEFORE = [TEXT, SECRET, PARTS]

/** The attributes after a change that stored values prevent. */
const CHANGES: Readonly<Record<string, readonly object[]>> = {
  'an attribute is removed': [SECRET, PARTS],
  'another letter case of a name': [{ ...TEXT, name: 'Text' }, SECRET, PARTS],
  'another type': [{ ...TEXT, type: 'integer' }, SECRET, PARTS],
  'a list instead of a value': [{ ...TEXT, multiValued: true }, SECRET, PARTS],
  'another comparison of letter case': [{ ...TEXT, caseExact: true }, SECRET, PARTS],
  'a secret is returned': [TEXT, { name: 'secret', type: 'string' }, PARTS],
  'a sub-attribute is removed': [
    TEXT,
    SECRET,
    { ...PARTS, subAttributes: PARTS.subAttributes.slice(1) },
  ],
  'a sub-attribute of another type': [
    TEXT,
    SECRET,
    { ...PARTS, subAttributes: [{ name: 'a', type: 'boolean' }] },
  ],
  'a new required attribute': [...BEFORE, { name: 'more', type: 'string', required: true }],
  'a sub-attribute becomes required': [
    TEXT,
    SECRET,
    {
      ...PARTS,
      subAttributes: [
        { name: 'a', type: 'string' },
        { name: 'b', type: 'string', required: true },
      ],
    },
  ],
}
