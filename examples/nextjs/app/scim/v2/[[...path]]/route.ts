import { createScimEndpoint } from '@plumbline/scim/endpoint'
import { openDatabase } from '../../../../lib/schema.ts'
import { type Context, resourceTypes } from '../../../../lib/scim.ts'

const scim = createScimEndpoint<Context>({
  basePath: '/scim/v2',
  resourceTypes: resourceTypes(openDatabase(process.env['DATABASE_PATH'])),
  profile: 'okta',
  authenticate: async ({ headers }) =>
    headers.get('Authorization') === `Bearer ${process.env['SCIM_TOKEN']}`
      ? { workspace: 1 }
      : null,
})

export const runtime = 'nodejs'
export const dynamic = 'force-dynamic'
export const GET = scim.fetch
export const POST = scim.fetch
export const PUT = scim.fetch
export const PATCH = scim.fetch
export const DELETE = scim.fetch
