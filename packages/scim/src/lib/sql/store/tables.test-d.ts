import { expectTypeOf } from 'vitest'
import { createScimEndpoint, defineResourceType, type Transaction } from '../../../endpoint.ts'
import { type SqlStoreOptions, sqlStore } from '../../../sql.ts'
import type { Definitions } from '../../schema/types.ts'

// A map whose writes change several tables requires a transaction.

interface Client {
  readonly org: number
}

declare const definitions: Definitions
declare const transaction: Transaction<Client>
const authenticate = async (_: Request): Promise<Client | null> => null
const User = { name: 'User', endpoint: '/Users' }
const common = {
  execute: () => [],
  dialect: 'sqlite',
  definitions,
  table: 'users',
  id: 'id',
} as const
const value = { column: 'user_id', key: 'integer' } as const
const target = { table: 'users', id: 'id' }
const members = { table: 'team_users', on: { team_id: 'id' }, columns: { value }, target }

const one = sqlStore<Client>({
  ...common,
  attributes: {
    userName: 'email',
    name: { column: 'name', type: 'json' },
    active: { column: 'is_on', type: 'boolean', default: true },
    password: { column: 'hash', encode: (password) => `hash of ${password}` },
  },
  tenant: { column: 'org_id', value: ({ org }) => org },
  hooks: { read: () => ({}) },
})
createScimEndpoint<Client>({
  resourceTypes: [defineResourceType({ ...User, store: one })],
  authenticate,
})
createScimEndpoint({ resourceTypes: [defineResourceType({ ...User, store: one })], authenticate })

const several = sqlStore<Client>({ ...common, attributes: { userName: 'email', members } })
expectTypeOf(several.writesTo).toEqualTypeOf<readonly string[]>()
const type = defineResourceType({ ...User, store: several })
createScimEndpoint<Client>({ resourceTypes: [type], authenticate, transaction })
createScimEndpoint({
  resourceTypes: [type, defineResourceType({ ...User, store: one })],
  authenticate,
  transaction: (context, work) => {
    expectTypeOf(context).toEqualTypeOf<Client>()
    return work(context)
  },
})
// @ts-expect-error createScimEndpoint needs the option transaction for these tables
createScimEndpoint<Client>({
  resourceTypes: [type],
  authenticate,
})
// @ts-expect-error createScimEndpoint needs the option transaction for these tables
createScimEndpoint({
  resourceTypes: [defineResourceType({ ...User, store: one }), type],
  authenticate,
})

const index = { table: 'user_values', on: { user_id: 'id' }, hash: (text: string) => text }
const indexed = sqlStore<Client>({ ...common, attributes: { userName: 'email' }, index })
// @ts-expect-error createScimEndpoint needs the option transaction for these tables
createScimEndpoint<Client>({
  resourceTypes: [defineResourceType({ ...User, store: indexed })],
  authenticate,
})

const hooks = { created: () => undefined }
const hooked = sqlStore<Client>({ ...common, attributes: { userName: 'email' }, hooks })
// @ts-expect-error createScimEndpoint needs the option transaction for these tables
createScimEndpoint<Client>({
  resourceTypes: [defineResourceType({ ...User, store: hooked })],
  authenticate,
})

// A map whose type says less may have several tables.

declare const wide: SqlStoreOptions<Client>
// @ts-expect-error createScimEndpoint needs the option transaction for these tables
createScimEndpoint<Client>({
  resourceTypes: [defineResourceType({ ...User, store: sqlStore(wide) })],
  authenticate,
})
