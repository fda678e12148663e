import { defineOperation } from '@plumbline/openapi'
import { createRoutes, del, get, post, put } from '@remix-run/fetch-router/routes'
import { z } from 'zod'
import { BODY_LIMIT } from '../../kernel/limits.ts'
import { COMMON_PROBLEMS } from '../../shell/api/problems.ts'
import { NO_QUERY, tenantId, text } from '../../shell/api/schemas.ts'
import { ExtensionBody, RegisteredExtension } from './body.ts'

/** Routes for a tenant's extension schemas. */
export const extensionRoutes = createRoutes('/api/tenants/:tenantId/schemas', {
  listSchemas: get('/'),
  createSchema: post('/'),
  getSchema: get('/:schemaId'),
  replaceSchema: put('/:schemaId'),
  deleteSchema: del('/:schemaId'),
})

const ofTenant = z.object({ tenantId })
const ofSchema = ofTenant.extend({
  schemaId: text.max(200).meta({ description: 'The URN of the schema, in any letter case' }),
})
const responses = { 200: { description: 'The schema', body: RegisteredExtension } }

/** Operations for a tenant's extension schemas. */
export const extensionOperations = {
  listSchemas: defineOperation('listSchemas', extensionRoutes.listSchemas, {
    summary: 'List the extension schemas of a tenant',
    tags: ['schemas'],
    params: ofTenant,
    query: NO_QUERY,
    responses: {
      200: {
        description: 'The schemas, the oldest first',
        body: z.object({ schemas: z.array(RegisteredExtension) }),
      },
    },
    problems: [...COMMON_PROBLEMS, 'notFound'],
  }),
  createSchema: defineOperation('createSchema', extensionRoutes.createSchema, {
    summary: 'Register an extension schema',
    description:
      'The body is a schema resource of RFC 7643 §7, and the resource type that it extends. The SCIM endpoints of the tenant accept its attributes from then on, and all server processes within a second. Names are distinct in any letter case, are not those of core attributes, and at most 100 together; the sub-attributes `primary`, `type`, `display` and `$ref` have the types of RFC 7643 §2.4.',
    tags: ['schemas'],
    params: ofTenant,
    query: NO_QUERY,
    body: { 'application/json': ExtensionBody },
    bodyLimit: BODY_LIMIT,
    responses: { 201: { description: 'The schema', body: RegisteredExtension } },
    problems: [...COMMON_PROBLEMS, 'notFound', 'conflict', 'invalid'],
  }),
  getSchema: defineOperation('getSchema', extensionRoutes.getSchema, {
    summary: 'Read an extension schema',
    tags: ['schemas'],
    params: ofSchema,
    query: NO_QUERY,
    responses,
    problems: [...COMMON_PROBLEMS, 'notFound'],
  }),
  replaceSchema: defineOperation('replaceSchema', extensionRoutes.replaceSchema, {
    summary: 'Replace an extension schema',
    description:
      'A change that would lose stored values, return secret ones or make resources invalid is a conflict, which names how many resources prevent it. Other changes are possible at any time.',
    tags: ['schemas'],
    params: ofSchema,
    query: NO_QUERY,
    body: { 'application/json': ExtensionBody },
    bodyLimit: BODY_LIMIT,
    responses,
    problems: [...COMMON_PROBLEMS, 'notFound', 'conflict', 'invalid'],
  }),
  deleteSchema: defineOperation('deleteSchema', extensionRoutes.deleteSchema, {
    summary: 'Delete an extension schema',
    description: 'It is a conflict if a resource has values of the extension.',
    tags: ['schemas'],
    params: ofSchema,
    query: NO_QUERY,
    responses: { 204: { description: 'The schema is deleted' } },
    problems: [...COMMON_PROBLEMS, 'notFound', 'conflict'],
  }),
}
