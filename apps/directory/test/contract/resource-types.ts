import { describe, expect, it } from 'vitest'
import type { ResourceType } from '../../src/kernel/resources/resource-type.ts'
import { RESOURCE_TYPES } from '../../src/kernel/resources/resource-types.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Client, connect } from '../support/harness.ts'

/** A resource of each type, with an attribute that can be changed. A new type needs an entry. */
const SAMPLES: Readonly<Record<string, { readonly body: object; readonly changes: string }>> = {
  User: { body: { userName: 'anna', externalId: 'a' }, changes: 'displayName' },
  Group: { body: { displayName: 'Guides', externalId: 'a' }, changes: 'displayName' },
}

const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const SEARCH_REQUEST = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'

/** The behavior that every resource type must have on every store. */
export function resourceTypeContract(storeOf: () => Store): void {
  it.each(RESOURCE_TYPES)('$name has a sample', ({ name }) => {
    expect(Object.keys(SAMPLES)).toContain(name)
  })

  describe.each(RESOURCE_TYPES)('$name', (type) => {
    it('a resource is read as it was created, until it changes (RFC 7644 §3.3, §3.14)', async () => {
      const { client, path, created } = await createOne(storeOf(), type)
      expect(created.status).toBe(201)
      expect(created.headers.get('Location')).toBe(`http://localhost/scim/v2${path}`)
      expect(created.body.meta).toMatchObject({ resourceType: type.name })
      const read = await client.send('GET', path)
      expect(read.body).toEqual(created.body)
      const ETag = created.headers.get('ETag') ?? ''
      expect(read.headers.get('ETag')).toBe(ETag)
      const again = await client.send('GET', path, undefined, { 'If-None-Match': ETag })
      expect(again.status).toBe(304)
    })

    it('a resource is replaced only in the If-Match version (RFC 7644 §3.5.1, §3.14)', async () => {
      const { client, path, created, sample } = await createOne(storeOf(), type)
      const changed = { ...sample.body, [sample.changes]: 'Changed' }
      const stale = { 'If-Match': 'W/"0"' }
      expect((await client.send('PUT', path, changed, stale)).status).toBe(412)
      const current = { 'If-Match': created.headers.get('ETag') ?? '' }
      const replaced = await client.send('PUT', path, changed, current)
      expect(replaced).toMatchObject({ status: 200, body: { [sample.changes]: 'Changed' } })
      expect(replaced.headers.get('ETag')).not.toBe(created.headers.get('ETag'))
      expect((await client.send('GET', path)).body).toEqual(replaced.body)
    })

    it('a resource changes in a PATCH, and not in one without effect (RFC 7644 §3.5.2)', async () => {
      const { client, path, sample } = await createOne(storeOf(), type)
      const Operations = [{ op: 'replace', path: sample.changes, value: 'Changed' }]
      const send = async () => {
        const { status } = await client.send('PATCH', path, { schemas: [PATCH_OP], Operations })
        expect([200, 204]).toContain(status)
        return await client.send('GET', path)
      }
      const first = await send()
      expect(first.body).toMatchObject({ [sample.changes]: 'Changed' })
      expect((await send()).body).toEqual(first.body)
    })

    it('a resource is found by filters, by searches and on pages (RFC 7644 §3.4)', async () => {
      const { client, created } = await createOne(storeOf(), type)
      const { id } = created.body
      const filter = `id eq "${id}" and externalId eq "a" and meta.lastModified pr`
      const found = { totalResults: 1, Resources: [created.body] }
      const query = `${type.endpoint}?filter=${encodeURIComponent(filter)}`
      expect((await client.send('GET', query)).body).toMatchObject(found)
      const search = { schemas: [SEARCH_REQUEST], filter }
      const { body: ofType } = await client.send('POST', `${type.endpoint}/.search`, search)
      expect(ofType).toMatchObject(found)
      expect((await client.send('POST', '/.search', search)).body).toMatchObject(found)
      const { body: page } = await client.send('GET', `${type.endpoint}?cursor&sortBy=externalId`)
      expect(page).toMatchObject({ Resources: [{ id }] })
    })

    it('a resource is deleted, and never visible to another tenant', async () => {
      const { client, path } = await createOne(storeOf(), type)
      const other = await connect(storeOf())
      expect((await other.send('GET', path)).status).toBe(404)
      expect((await other.send('DELETE', path)).status).toBe(404)
      expect((await client.send('DELETE', path, undefined, { 'If-Match': 'W/"0"' })).status).toBe(
        412,
      )
      expect((await client.send('DELETE', path)).status).toBe(204)
      expect((await client.send('GET', path)).status).toBe(404)
    })

    it('the discovery endpoints describe the resource type (RFC 7644 §4)', async () => {
      const client = await connect(storeOf())
      const { body } = await client.send('GET', `/ResourceTypes/${type.name}`)
      const [schema, ...extensions] = Object.keys(type.definitions)
      expect(body).toMatchObject({ name: type.name, endpoint: type.endpoint, schema })
      const described = Array.from(body.schemaExtensions ?? [], (one) => one.schema)
      expect(described).toEqual(extensions)
      for (const id of Object.keys(type.definitions)) {
        expect((await client.send('GET', `/Schemas/${id}`)).body).toMatchObject({ id })
      }
    })
  })
}

async function createOne(store: Store, type: ResourceType) {
  const client: Client = await connect(store)
  const sample = SAMPLES[type.name] ?? { body: {}, changes: '' }
  const created = await client.send('POST', type.endpoint, sample.body)
  return { client, sample, created, path: `${type.endpoint}/${created.body.id}` }
}
