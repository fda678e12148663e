import { GROUP_SCHEMA, RawJson, USER_SCHEMA } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import { sql } from '@plumbline/scim/internal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createExtensionColumn } from '../../../../src/features/scim/extension-column.ts'
import { GROUP_STORE } from '../../../../src/features/scim/group.ts'
import type { WireResource } from '../../../../src/features/scim/list/list.ts'
import { USER, USER_STORE } from '../../../../src/features/scim/user.ts'
import type { JsonResources } from '../../../../src/features/scim/users/json-resources.ts'
import { type ExtendedResources, viewOf } from '../../../../src/features/scim/users/json-views.ts'
import { prepareType } from '../../../../src/features/scim/users/prepare-type.ts'
import { openSqlite } from '../../../../src/kernel/store/engines/sqlite/sqlite.ts'
import { MAX_RESOURCE_BYTES } from '../../../../src/kernel/store/sizes.ts'
import type { Store } from '../../../../src/kernel/store/store.ts'
import { inScope, newTenant } from '../../../support/in-scope.ts'

let store: Store
let tenantId: string
beforeAll(async () => {
  store = await openSqlite(':memory:')
  tenantId = await newTenant(store)
})
afterAll(() => store.close())

const userOf = (userName: string, more: object = {}): WireResource => ({
  schemas: [USER_SCHEMA],
  userName,
  ...more,
})

describe('a user of 2 MiB is stored, and a larger one is rejected with 413 (RFC 7644 §3.12)', () => {
  // The JSON of a user without a locale, apart from the id of 36 characters.
  const size = JSON.stringify({ id: crypto.randomUUID(), ...userOf('ann', { locale: '' }) }).length
  const create = (locale: string) =>
    inScope(store, tenantId, (scope) => USER_STORE.create(scope, userOf('ann', { locale })))

  it.each([
    ['ASCII', 'x'.repeat(MAX_RESOURCE_BYTES - size), 'x'],
    ['letters of two bytes', 'é'.repeat((MAX_RESOURCE_BYTES - size - (size % 2)) / 2), 'éé'],
  ])('a user of 2 MiB is stored in %s', async (_, locale, more) => {
    await expect(create(locale + more)).rejects.toMatchObject({
      status: 413,
      message: 'the user would be larger than 2 MiB',
    })
    const { id } = await create(locale)
    await inScope(store, tenantId, (scope) => USER_STORE.delete(scope, String(id)))
  })
})

it('many users are inserted with their ids, times and value rows', async () => {
  const emails = [{ value: 'Bob@Example.com' }]
  await inScope(store, tenantId, async (scope) => {
    await USER_STORE.insert(scope, [
      { id: 'b1', at: 1_000, resource: userOf('bob', { emails }) },
      { id: 'c1', at: 2_000, resource: userOf('carl') },
    ])
    const { body } = await USER_STORE.read(scope, 'c1', {}, () => true)
    expect(JSON.parse(JSON.stringify(body))).toMatchObject({
      id: 'c1',
      userName: 'carl',
      meta: { created: '1970-01-01T00:00:02.000Z', lastModified: '1970-01-01T00:00:02.000Z' },
    })
    const found = await scope.db.exec(
      sql`select resource_id, attribute, value_key from user_values where tenant_id = ${tenantId}`,
    )
    expect(found.rows).toMatchObject([
      { resource_id: 'b1', attribute: 'emails#value', value_key: 'bob@example.com' },
    ])
  })
})

/** Selects a group as one value, and not as a stream. */
const PLAIN = { excludedAttributes: ['members'] }

it('groups are inserted with their ids, times and the first revision', async () => {
  const resource = { schemas: [GROUP_SCHEMA], displayName: 'Guides' }
  await inScope(store, tenantId, async (scope) => {
    const row = await GROUP_STORE.insert(scope, { id: 'g1', at: 1_000, resource })
    expect(row).toMatchObject({ id: 'g1', display_name_key: 'guides', revision: 1 })
    const { body } = await GROUP_STORE.read(scope, 'g1', PLAIN, () => true)
    expect(JSON.parse(JSON.stringify(body))).toMatchObject({
      displayName: 'Guides',
      meta: { created: '1970-01-01T00:00:01.000Z', lastModified: '1970-01-01T00:00:01.000Z' },
    })
  })
})

describe.each([
  ['user', USER_STORE],
  ['group', GROUP_STORE],
] as const)('a %s', (name, resources) => {
  const view = { needs: () => true }

  it('a resource that does not exist is 404 (RFC 7644 §3.12)', async () => {
    const error = { status: 404, message: `${name} none not found` }
    await inScope(store, tenantId, async (scope) => {
      await expect(resources.read(scope, 'none', {}, () => true)).rejects.toMatchObject(error)
      await expect(resources.readForUpdate(scope, 'none', view)).rejects.toMatchObject(error)
      await expect(resources.delete(scope, 'none')).rejects.toMatchObject(error)
    })
  })

  it('a resource is only replaced if it was read for that', async () => {
    const request = { current: userOf('unread'), view }
    await inScope(store, tenantId, async (scope) => {
      const replaced = resources.replace(scope, 'none', userOf('replaced'), request)
      await expect(replaced).rejects.toThrow('was not read for an update')
    })
  })
})

const TYPE: JsonResources = {
  ...USER,
  table: 'users',
  columns: {},
  sorted: {},
  omitted: [],
  computed: {
    name: 'groups',
    largest: 2_500,
    first: () => sql`null`,
    readOne: async () => [],
    readMany: async () => [],
  },
}
const EXTENSION: Discovery.SchemaDefinition = {
  id: 'urn:example:Badge',
  name: 'Badge',
  attributes: [{ name: 'number', type: 'string' }],
}

it("a row's size in a list includes the extensions if the tenant has some", () => {
  const extended = prepareType({ ...TYPE, extensions: [EXTENSION] })
  expect(extended.listing.sizeSql).toBe(
    'octet_length(resource) + coalesce(octet_length(extensions), 0)',
  )
  expect(prepareType(TYPE).listing).not.toHaveProperty('sizeSql')
})

describe("a view's size", () => {
  const row = { id: 'a', resource: '{"id":"a"}', version: 'W/"1"', created_at: 0, last_modified: 0 }
  const groups = [{ value: 'g' }, { value: 'h' }]
  const view = (of: ExtendedResources) =>
    inScope(store, tenantId, async (scope) => viewOf(row, scope, of, groups, {}))

  it('a view has the size of the stored JSON, plus the largest size of each computed value', async () => {
    const { size, body } = await view(TYPE)
    expect(size).toBe(10 + 2 * 2_500)
    expect(body).toBeInstanceOf(RawJson)
    expect(JSON.parse(JSON.stringify(body))).toMatchObject({ id: 'a', groups })
  })

  it('a view has the size of the stored JSON for a tenant with extensions, in a row without them', async () => {
    const column = createExtensionColumn('User', [EXTENSION])
    const extended: ExtendedResources = { ...TYPE, column }
    const { size, body } = await view(extended)
    expect(size).toBe(10 + 2 * 2_500)
    expect(body).toBeInstanceOf(RawJson)
  })

  it('a view has the size of the stored JSON for a type without computed values', async () => {
    const { computed: _, ...others } = TYPE
    expect((await view(others)).size).toBe(10)
  })
})
