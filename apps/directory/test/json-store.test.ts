import { RawJson, USER_SCHEMA } from '@plumbline/scim'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { USER, USER_STORE } from '../src/resources/user.ts'
import { openSqlite } from '../src/store/engines/sqlite/sqlite.ts'
import type { JsonResources } from '../src/store/json/json-resources.ts'
import { viewOf } from '../src/store/json/json-views.ts'
import type { WireResource } from '../src/store/list/list.ts'
import { MOST_IN_RESOURCE } from '../src/store/sizes.ts'
import type { Store } from '../src/store/store.ts'
import { users } from '../src/store/tables.ts'
import { inScope, newTenant } from './in-scope.ts'

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
    ['ASCII', 'x'.repeat(MOST_IN_RESOURCE - size), 'x'],
    ['letters of two bytes', 'é'.repeat((MOST_IN_RESOURCE - size - (size % 2)) / 2), 'éé'],
  ])('in %s', async (_, locale, more) => {
    await expect(create(locale + more)).rejects.toMatchObject({
      status: 413,
      message: 'the user would be larger than 2 MiB',
    })
    const { id } = await create(locale)
    await inScope(store, tenantId, (scope) => USER_STORE.delete(scope, String(id)))
  })
})

it('many users are inserted with their ids, their times and the rows of their values', async () => {
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
      `select resource_id, attribute, value_key from user_values where tenant_id = '${tenantId}'`,
    )
    expect(found.rows).toMatchObject([
      { resource_id: 'b1', attribute: 'emails#value', value_key: 'bob@example.com' },
    ])
  })
})

describe('the size of a view', () => {
  const type: JsonResources = {
    ...USER,
    table: users,
    columns: {},
    sorted: {},
    omitted: [],
    computed: {
      ...{ name: 'groups', largest: 2_500, first: () => 'null' },
      ...{ readOne: async () => [], readMany: async () => [] },
    },
  }
  const row = { id: 'a', resource: '{"id":"a"}', version: 'W/"1"', created_at: 0, last_modified: 0 }
  const groups = [{ value: 'g' }, { value: 'h' }]
  const view = (of: JsonResources) =>
    inScope(store, tenantId, async (scope) => viewOf(row, scope, of, groups, {}))

  it('is that of the stored JSON, and the largest size of each computed value', async () => {
    const { size, body } = await view(type)
    expect(size).toBe(10 + 2 * 2_500)
    expect(body).toBeInstanceOf(RawJson)
    expect(JSON.parse(JSON.stringify(body))).toMatchObject({ id: 'a', groups })
  })

  it('is that of the stored JSON for a type without computed values', async () => {
    const { computed: _, ...others } = type
    expect((await view(others)).size).toBe(10)
  })
})
