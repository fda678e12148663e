import { expectTypeOf } from 'vitest'
import {
  bearerTokens,
  createScimEndpoint,
  type IssuedToken,
  issueToken,
  type ResourceType,
  type Transaction,
} from '../../../endpoint.ts'

interface Client {
  readonly org: number
  readonly tx?: string
}

declare const resourceTypes: readonly ResourceType<Client>[]
declare const transaction: Transaction<Client>
declare const environment: Readonly<Record<string, string | undefined>>
declare const NAME: string
declare const rows: Map<string, Client>

expectTypeOf(issueToken()).resolves.toEqualTypeOf<IssuedToken>()
// @ts-expect-error A prefix is a string.
issueToken({ prefix: 5 })

// The context of a token, or of a look-up, is that of the client.

type Authenticate<Context> = (request: Request) => Promise<Context | null>

const one = { token: environment[NAME], context: { org: 7 } }
expectTypeOf(bearerTokens(one)).toEqualTypeOf<Authenticate<{ org: number }>>()
expectTypeOf(bearerTokens({ find: (hash) => rows.get(hash) })).toEqualTypeOf<Authenticate<Client>>()
expectTypeOf(bearerTokens({ find: async () => null as Client | null })).toEqualTypeOf<
  Authenticate<Client>
>()
bearerTokens({
  find: (hash, request) => {
    expectTypeOf(hash).toEqualTypeOf<string>()
    expectTypeOf(request).toEqualTypeOf<Request>()
    return null
  },
})

createScimEndpoint<Client>({ resourceTypes, transaction, authenticate: bearerTokens(one) })
createScimEndpoint<Client>({
  resourceTypes,
  transaction,
  authenticate: bearerTokens({ find: (hash) => rows.get(hash) }),
})
const authenticate = bearerTokens({ find: (hash) => rows.get(hash) })
createScimEndpoint({ resourceTypes, transaction, authenticate })

createScimEndpoint<Client>({
  resourceTypes,
  // @ts-expect-error The context lacks the member that the stores need.
  authenticate: bearerTokens({ token: '', context: { tenant: 'a' } }),
})
// @ts-expect-error A comparison is not a client.
bearerTokens({ find: (hash) => hash === 'a' })
// @ts-expect-error A client with one token needs a context.
bearerTokens({ token: environment[NAME] })
