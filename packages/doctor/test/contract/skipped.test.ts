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
  ['create: keeps strings exactly', 'no attribute is a free string', [FIXED]],
  ['create: keeps strings exactly', 'no attribute is a free string', [SERIAL]],
  ['create: keeps long strings', 'no attribute is a free string', [FIXED]],
  ['create: keeps all values of a list', 'no value of a list has a type', []],
  [
    'unique: folds the letter case',
    'no attribute is unique without regard to letter case',
    [SERIAL],
  ],
  ['tenant: may use the unique values', 'makeStores does not return an otherContext', []],
  ['unique: rejects a second create with the same value', 'no attribute is unique', []],
  ['unique: accepts the value of a deleted resource', 'no attribute is unique', []],
  [
    'unique: rejects a second create with the same value in another letter case',
    'no attribute is unique without regard to letter case',
    [SERIAL],
  ],
  [
    'unique: rejects a change',
    'no attribute that is unique can be changed',
    [string('serial', { uniqueness: 'global', mutability: 'immutable' })],
  ],
  ['patch: replaces, removes and adds single', 'no single value can be changed', [FIXED]],
  [
    'patch: replaces, removes and adds the values of a list',
    'no attribute that a client can change is multi-valued',
    [string('tags', { multiValued: true, mutability: 'immutable' })],
  ],
  [
    'patch: changes the part of a value',
    'no value of a list has a type',
    [string('tags', { multiValued: true })],
  ],
  ['transaction: a create', 'the stores do not have a transaction', []],
  ['transaction: a change that fails', 'the stores do not have a transaction', []],
  ['transaction: a change of members', 'the stores do not have a transaction', []],
  ['tenant: cannot read', 'makeStores does not return an otherContext', []],
  ['tenant: cannot list', 'makeStores does not return an otherContext', []],
  ['tenant: cannot change', 'makeStores does not return an otherContext', []],
  ['declared.filters-exact: ', 'No resource type has a text that a client may choose.', [FIXED]],
  ['declared.stable: ', 'No resource type has a text that a client may change.', [FIXED]],
  ['create.user: ', 'The server does not have users.', []],
  ['declared.dates: ', 'No resource type has meta.created.', []],
]

describe('a check of storeContract that does not apply says why', () => {
  it.each(SKIPPED)('%s: %s', async (name, reason, attributes) => {
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
