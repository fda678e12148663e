import { type StoresUnderTest, storeContract } from '@plumbline/doctor/testing'
import type { Discovery } from '@plumbline/scim/discovery'
import {
  defineResourceType,
  type StoredResource,
  type WireResource,
} from '@plumbline/scim/endpoint'
import { describe, expect, it } from 'vitest'
import { wire } from './faults.ts'
import { createStore, type Tenant } from './memory.ts'

type Attributes = readonly Discovery.Attribute[]

const string = (name: string, rest: Partial<Discovery.Attribute> = {}): Discovery.Attribute => ({
  name,
  type: 'string',
  ...rest,
})

/** Without another definition, a client can write the `externalId` of every resource (RFC 7643 §3.1). */
const FIXED = string('externalId', { mutability: 'readOnly', returned: 'never' })
const SERIAL = string('serial', { uniqueness: 'server', caseExact: true, mutability: 'immutable' })

/** The check, the reason why it does not apply, and the attributes of the type. */
const SKIPPED: readonly (readonly [check: string, reason: string, attributes: Attributes])[] = [
  ['stored.texts: ', 'No resource type has a text that a client may choose.', [FIXED]],
  ['stored.texts: ', 'No resource type has a text that a client may choose.', [SERIAL]],
  ['stored.lists: ', 'No resource type has a list whose values have a type.', []],
  ['stored.unique: ', 'No resource type has an attribute that is unique.', []],
  ['stored.unique-deleted: ', 'No resource type has an attribute that is unique.', []],
  [
    'stored.unique-letter-case: ',
    'No attribute is unique without regard to letter case.',
    [SERIAL],
  ],
  ['stored.unique-change: ', 'No attribute that is unique can be changed.', [SERIAL]],
  [
    'stored.patch-lists: ',
    'No resource type has such a list that a client can change.',
    [string('tags', { multiValued: true, mutability: 'immutable' })],
  ],
  [
    'stored.patch-parts: ',
    'No resource type has such a list that a client can change.',
    [string('tags', { multiValued: true })],
  ],
  ['transactions.create: ', 'the stores do not have a transaction', []],
  ['transactions.change: ', 'the stores do not have a transaction', []],
  ['transactions.members: ', 'the stores do not have a transaction', []],
  ['tenants.read: ', 'makeStores does not return an otherContext', []],
  ['tenants.list: ', 'makeStores does not return an otherContext', []],
  ['tenants.write: ', 'makeStores does not return an otherContext', []],
  ['declared.filters-exact: ', 'No resource type has a text that a client may choose.', [FIXED]],
  ['declared.stable: ', 'No resource type has a text that a client may change.', [FIXED]],
  ['create.user: ', 'The server does not have users.', []],
  ['declared.dates: ', 'No resource type has meta.created.', []],
  ['declared.last-modified: ', 'No resource type has meta.lastModified.', []],
  [
    'stored.extremes: ',
    'No resource type has a text, a number or an instant that a client may choose.',
    [FIXED],
  ],
]

describe('a storeContract check that does not apply says why', () => {
  it.each(SKIPPED)('%s is skipped: %s', async (name, reason, attributes) => {
    const check = storeContract(() => storeOf(attributes)).find((one) => one.name.startsWith(name))
    expect((await check?.run())?.skipped).toMatch(reason)
  })
})

/** A store of a type with the attributes, which does not set `meta`, without a transaction and other tenants. */
function storeOf(attributes: Attributes): StoresUnderTest<Tenant> {
  const id = 'urn:example:params:scim:schemas:core:2.0:Thing'
  const definitions = { [id]: { id, name: 'Thing', attributes } }
  const store = createStore({ rows: [], nextId: 1 }, 'Thing', definitions)
  const bare = (found: StoredResource | null): WireResource | null =>
    found && { ...wire(found), meta: undefined }
  const withoutMeta: typeof store = {
    ...store,
    create: async (...call) => ({ ...(await store.create(...call)), meta: undefined }),
    replace: async (...call) => bare(await store.replace(...call)),
    read: async (...call) => bare(await store.read(...call)),
  }
  const type = defineResourceType({
    name: 'Thing',
    endpoint: '/Things',
    definitions,
    store: withoutMeta,
  })
  return { resourceTypes: [type], context: { tenant: 'a' } }
}
