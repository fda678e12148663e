import { bearerTokens, createScimEndpoint } from '@plumbline/scim/endpoint'
import { Hono } from 'hono'
import { createTransaction, type Database } from './schema.ts'
import { resourceTypes, toScimError } from './scim.ts'

export interface ScimSettings {
  readonly token: string | undefined
  /** The public URL of the endpoint, such as `https://example.com/scim/v2`. */
  readonly base: string
}

/** An application of Hono with the SCIM endpoint below `/scim/v2`. Throws a TypeError without a token or a base. */
export function createApp(db: Database, { token, base }: ScimSettings): Hono {
  const scim = createScimEndpoint({
    basePath: '/scim/v2',
    base,
    resourceTypes: resourceTypes(db),
    authenticate: bearerTokens({ token, context: {} }),
    transaction: createTransaction(db),
    toScimError,
    profile: 'entra',
    onError: (error) => console.error(error),
  })
  return new Hono().all('/scim/v2/*', ({ req }) => scim.fetch(req.raw))
}
