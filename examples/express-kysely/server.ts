import { getRequestListener } from '@hono/node-server'
import { createScimEndpoint } from '@plumbline/scim/endpoint'
import express, { type Express } from 'express'
import type { Kysely } from 'kysely'
import { access, findSession } from './access.ts'
import { hashOf, type Tables } from './schema.ts'
import { type Context, resourceTypes, transaction } from './scim.ts'

/** An application of Express with the SCIM endpoint below `/scim/v2`. `/account` is the account of a session. */
export function createApp(db: Kysely<Tables>): Express {
  const scim = createScimEndpoint<Context>({
    // Express removes the prefix from the URL. A public server has a constant here.
    base: ({ url }) => `${new URL(url).origin}/scim/v2`,
    resourceTypes,
    transaction,
    profile: 'entra',
    onChange: access.onChange,
    authenticate: async ({ headers }) => {
      const token = headers.get('Authorization')?.replace('Bearer ', '')
      if (token === undefined) return null
      const organization = await db
        .selectFrom('organizations')
        .select('id')
        .where('scim_token_hash', '=', hashOf(token))
        .executeTakeFirst()
      return organization === undefined ? null : { db, org: organization.id }
    },
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
