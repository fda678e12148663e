import middie from '@fastify/middie'
import { getRequestListener } from '@hono/node-server'
import { createScimEndpoint } from '@plumbline/scim/endpoint'
import fastify, { type FastifyInstance } from 'fastify'
import type { PrismaClient } from './dist/client/client.ts'
import { type Context, resourceTypes, transactionOf } from './scim.ts'

/** An application of Fastify with the SCIM endpoint below `/scim/v2`. */
export async function createApp(
  db: PrismaClient,
  { token }: { token: string },
): Promise<FastifyInstance> {
  const scim = createScimEndpoint<Context>({
    // Fastify removes the prefix from the URL. A public server has a constant here.
    base: ({ url }) => `${new URL(url).origin}/scim/v2`,
    resourceTypes,
    transaction: transactionOf(db),
    profile: 'entra',
    authenticate: async ({ headers }) =>
      headers.get('Authorization') === `Bearer ${token}` ? { db } : null,
  })
  const app = fastify()
  await app.register(middie)
  app.use('/scim/v2', getRequestListener(scim.fetch))
  return app
}
