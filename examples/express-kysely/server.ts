import { getRequestListener } from '@hono/node-server'
import { bearerTokens, createScimEndpoint } from '@plumbline/scim/endpoint'
import express, { type Express } from 'express'
import type { Kysely } from 'kysely'
import { access, findSession } from './access.ts'
import type { Tables } from './schema.ts'
import { type Context, resourceTypes, transaction } from './scim.ts'

/**
 * An application of Express with the SCIM endpoint below `/scim/v2`. `/account` is the account of a session.
 *
 * @param base the public URL of the endpoint, such as `https://example.com/scim/v2`
 */
export function createApp(db: Kysely<Tables>, base: string): Express {
  const scim = createScimEndpoint<Context>({
    // Express removes the path from the URL, so locations start with the public URL.
    base,
    resourceTypes,
    authenticate: bearerTokens({
      find: async (hash) => {
        const organization = await db
          .selectFrom('organizations')
          .select('id')
          .where('scim_token_hash', '=', hash)
          .executeTakeFirst()
        return organization && { db, org: organization.id }
      },
    }),
    transaction,
    profile: 'entra',
    onChange: access.onChange,
    onError: (error) => console.error(error),
  })
  const app = express()
  app.use('/scim/v2', getRequestListener(scim.fetch))
  app.get('/account', async ({ headers }, response) => {
    const session = await findSession(db, headers.authorization?.replace('Bearer ', '') ?? '')
    if (session === undefined) return response.sendStatus(401)
    const roles = await db
      .selectFrom('roles')
      .select('role')
      .where('account_id', '=', session.id)
      .execute()
    return response.json({ email: session.email, roles: roles.map(({ role }) => role) })
  })
  return app
}
