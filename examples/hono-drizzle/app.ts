import { createScimEndpoint } from '@plumbline/scim/endpoint'
import { Hono } from 'hono'
import { createTransaction, type Database } from './schema.ts'
import { resourceTypes, toScimError } from './scim.ts'

/** An application of Hono with the SCIM endpoint below `/scim/v2`. */
export function createApp(db: Database, { token }: { token: string }): Hono {
  const scim = createScimEndpoint({
    basePath: '/scim/v2',
    resourceTypes: resourceTypes(db),
    transaction: createTransaction(db),
    toScimError,
    profile: 'entra',
    authenticate: async ({ headers }) =>
      headers.get('Authorization') === `Bearer ${token}` ? { client: 'idp' } : null,
  })
  return new Hono().all('/scim/v2/*', ({ req }) => scim.fetch(req.raw))
}
