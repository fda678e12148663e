import middie from '@fastify/middie'
import { getRequestListener } from '@hono/node-server'
import { bearerTokens, createScimEndpoint } from '@plumbline/scim/endpoint'
import fastify, { type FastifyInstance } from 'fastify'
import type { PrismaClient } from './dist/client/client.ts'
import { type Context, resourceTypes, transactionOf } from './scim.ts'

export interface ScimSettings {
  readonly token: string | undefined
  /** The public URL of the endpoint, such as `https://example.com/scim/v2`. */
  readonly base: string
}

/** An application of Fastify with the SCIM endpoint below `/scim/v2`. Rejects without a token or a base. */
export async function createApp(
  db: PrismaClient,
  { token, base }: ScimSettings,
): Promise<FastifyInstance> {
  const scim = createScimEndpoint<Context>({
    // Fastify removes the path from the URL, so locations start with the public URL.
    base,
    resourceTypes,
    authenticate: bearerTokens({ token, context: { db } }),
    transaction: transactionOf(db),
    profile: 'entra',
    onError: (error) => console.error(error),
  })
  const app = fastify()
  await app.register(middie)
  app.use('/scim/v2', getRequestListener(scim.fetch))
  return app
}
