import { expectTypeOf } from 'vitest'
import type { ResourceStore, ResourceType } from '../../endpoint.ts'
import { createScimEndpoint, defineResourceType, memoryStore } from '../../endpoint.ts'
import type { SqlStore } from '../../sql.ts'
import type { Definitions } from '../schema/types.ts'

// The context flows from `authenticate` to the stores.

interface Client {
  readonly tenant: string
}

interface Administrator extends Client {
  readonly role: string
}

declare const definitions: Definitions
declare const clientStore: ResourceStore<Client>
declare const administratorStore: ResourceStore<Administrator>
declare const definedAdministratorStore: SqlStore<Administrator>

const client = async (_: Request): Promise<Client | null> => null
const User = { name: 'User', endpoint: '/Users', definitions }

const types = [defineResourceType({ ...User, store: clientStore })]
createScimEndpoint({
  resourceTypes: types,
  authenticate: client,
  me: {
    id: (context) => {
      expectTypeOf(context).toEqualTypeOf<Client>()
      return null
    },
  },
  profile: ({ tenant }) => (tenant === 'a' ? 'entra' : 'okta'),
  client: ({ tenant }) => tenant,
})

// A store may need less than `authenticate` returns.
createScimEndpoint({
  resourceTypes: [
    defineResourceType({ ...User, store: clientStore }),
    defineResourceType({ ...User, store: memoryStore({ definitions }) }),
  ],
  authenticate: async (): Promise<Administrator> => ({ tenant: 'a', role: 'b' }),
})

createScimEndpoint({
  // @ts-expect-error A store must not need more than `authenticate` returns.
  resourceTypes: [defineResourceType({ ...User, store: administratorStore })],
  authenticate: client,
})

// A store that has its definitions gives them to the type.

declare const definedStore: SqlStore<Client>
const bare = { name: 'User', endpoint: '/Users' }
const defined = defineResourceType({ ...bare, store: definedStore })
expectTypeOf(defined).toEqualTypeOf<ResourceType<Client>>()
createScimEndpoint({ resourceTypes: [defined], authenticate: client })
createScimEndpoint({
  resourceTypes: [defineResourceType({ ...bare, store: memoryStore({ definitions }) })],
  authenticate: client,
})
createScimEndpoint({
  // @ts-expect-error A store with definitions needs not more than `authenticate` returns, either.
  resourceTypes: [defineResourceType({ ...bare, store: definedAdministratorStore })],
  authenticate: client,
})
// @ts-expect-error A store without definitions needs them from the type.
defineResourceType({ ...bare, store: clientStore })

defineResourceType<Client>({
  ...User,
  // @ts-expect-error The store of a type gets exactly the context of the type.
  store: administratorStore,
})

createScimEndpoint({
  resourceTypes: types,
  authenticate: client,
  // @ts-expect-error There is not a profile of this name.
  profile: 'adfs',
})

// Only an object is a client, so a comparison is not one.

const anything = [defineResourceType({ ...User, store: memoryStore({ definitions }) })]
createScimEndpoint({
  resourceTypes: anything,
  // @ts-expect-error Type 'boolean' is not assignable to type 'object'.
  authenticate: async ({ headers }) => headers.get('Authorization') === 'Bearer secret',
})
createScimEndpoint({
  resourceTypes: anything,
  // @ts-expect-error Type 'string' is not assignable to type 'object'.
  authenticate: async ({ headers }) => headers.get('Authorization'),
})
createScimEndpoint({
  resourceTypes: anything,
  // @ts-expect-error Type 'number' is not assignable to type 'object'.
  authenticate: async ({ headers }) => Number(headers.get('X-Tenant')),
})
createScimEndpoint({
  resourceTypes: anything,
  // @ts-expect-error Type 'boolean' is not assignable to type 'object'.
  authenticate: async ({ headers }) => headers.has('Authorization') && { tenant: 'a' },
})
// @ts-expect-error Type 'boolean' does not satisfy the constraint 'object'.
createScimEndpoint<boolean>({ resourceTypes: anything, authenticate: async () => null })
createScimEndpoint({ resourceTypes: anything, authenticate: async () => ({}) })
createScimEndpoint({
  resourceTypes: anything,
  authenticate: async ({ headers }) => (headers.has('Authorization') ? { tenant: 'a' } : null),
})

// A transaction may extend the context.

interface Transaction {
  readonly execute: (sql: string) => Promise<void>
}

interface Transacting extends Client {
  readonly tx?: Transaction
}

declare const database: {
  transaction<Value>(work: (tx: Transaction) => Promise<Value>): Promise<Value>
}
declare const transactingStore: ResourceStore<Transacting>

createScimEndpoint({
  resourceTypes: [defineResourceType({ ...User, store: transactingStore })],
  authenticate: async (): Promise<Transacting | null> => ({ tenant: 'a' }),
  transaction: (context, work) => database.transaction((tx) => work({ ...context, tx })),
})
