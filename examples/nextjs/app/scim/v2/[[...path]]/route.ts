import { bearerTokens, createScimEndpoint, type ScimEndpoint } from '@plumbline/scim/endpoint'
import { createTransaction, openDatabase } from '../../../../lib/schema.ts'
import { type Context, resourceTypes } from '../../../../lib/scim.ts'

/** Throws a TypeError without a token or a base. */
function createEndpoint(): ScimEndpoint {
  const db = openDatabase(process.env['DATABASE_PATH'] ?? 'app.db')
  return createScimEndpoint<Context>({
    basePath: '/scim/v2',
    // Next.js does not know the host that a proxy received, so locations start with the public URL.
    base: process.env['SCIM_BASE'] ?? '',
    resourceTypes: resourceTypes(db),
    authenticate: bearerTokens({ token: process.env['SCIM_TOKEN'], context: { workspace: 1 } }),
    transaction: createTransaction(db),
    profile: 'okta',
    onError: (error) => console.error(error),
  })
}

// Created by the first request, because `next build` loads this file without the variables.
let scim: ScimEndpoint | undefined
async function answer(request: Request): Promise<Response> {
  scim ??= createEndpoint()
  return await scim.fetch(request)
}

export const runtime = 'nodejs'
export const dynamic = 'force-dynamic'
export { answer as DELETE, answer as GET, answer as PATCH, answer as POST, answer as PUT }
