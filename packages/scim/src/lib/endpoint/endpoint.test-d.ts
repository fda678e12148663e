import { expectTypeOf } from 'vitest'
import type { ResourceStore } from '../../endpoint.ts'
import { createScimEndpoint, defineResourceType, memoryStore } from '../../endpoint.ts'
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
