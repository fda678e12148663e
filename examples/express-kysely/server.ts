import { createScimEndpoint } from '@plumbline/scim/endpoint'
import express, { type Express } from 'express'
import type { Kysely } from 'kysely'
import type { Tables } from './schema.ts'
import { type Context, resourceTypes, transaction } from './scim.ts'

/** An application of Express with the SCIM endpoint below `/scim/v2`. */
export function createApp(db: Kysely<Tables>, { token }: { token: string }): Express {
  const scim = createScimEndpoint<Context>({
    basePath: '/scim/v2',
    resourceTypes,
    transaction,
    profile: 'entra',
    authenticate: async ({ headers }) =>
      headers.get('Authorization') === `Bearer ${token}` ? { db } : null,
  })
  const app = express()
  app.use('/scim/v2', express.raw({ type: () => true }), async (incoming, outgoing) => {
    const { method, originalUrl, headers } = incoming
    const request = new Request(new URL(originalUrl, `http://${headers.host}`), {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      body: Buffer.isBuffer(incoming.body) ? new Uint8Array(incoming.body) : null,
    })
    const response = await scim.fetch(request)
    outgoing.status(response.status).set(Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  })
  return app
}
