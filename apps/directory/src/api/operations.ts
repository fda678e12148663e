import { createDocument, defineOperation } from '@plumbline/openapi'
import { bearer } from '@plumbline/openapi/security'
import { createRoutes, del, get, post } from '@remix-run/fetch-router/routes'
import { z } from 'zod'
import { problems } from './problems.ts'
import { requestOperations, requestRoutes } from './request-operations.ts'
import { tenantId, text } from './schemas.ts'

/** The routes of the management API. */
export const apiRoutes = {
  ...createRoutes('/api', {
    getHealth: get('/health'),
    getReadiness: get('/ready'),
    listTenants: get('/tenants'),
    createTenant: post('/tenants'),
    listTokens: get('/tokens'),
    createToken: post('/tokens'),
    revokeToken: del('/tokens/:tokenId'),
  }),
  ...requestRoutes,
}

const name = text.min(1).max(200)

const Tenant = z
  .object({ id: tenantId, name: z.string(), createdAt: z.iso.datetime() })
  .meta({ id: 'Tenant' })

const role = z.enum(['admin', 'client'])
const profile = z.enum(['standard', 'entra', 'okta'])

const Token = z
  .object({
    id: z.string(),
    tenantId: tenantId.nullable().meta({ description: 'Null for an administrator’s token' }),
    name: z.string(),
    role,
    profile,
    userId: z.string().nullable().meta({ description: 'The user that `/Me` returns' }),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the token was last used, to the minute' }),
  })
  .meta({ id: 'Token' })

/** The role decides whether the token belongs to a tenant. */
const TokenRequest = z
  .object({
    tenantId: tenantId.optional().meta({
      description: '`default` if omitted; must be absent for the role `admin`',
    }),
    name,
    role: role.default('client'),
    profile: profile.default('standard'),
    userId: text.max(100).optional(),
  })
  .refine((body) => body.role !== 'admin' || body.tenantId === undefined, {
    path: ['tenantId'],
    error: 'must be absent for the role admin: an administrator does not belong to a tenant',
  })

const CreatedToken = Token.extend({
  token: z.string().meta({ description: 'The bearer token, returned only in this response' }),
}).meta({ id: 'CreatedToken' })

/** The operations of the management API, which document it and parse its requests. */
export const operations = {
  getHealth: defineOperation('getHealth', apiRoutes.getHealth, {
    summary: 'Check that the process answers',
    description: 'A process that does not answer should be restarted. The database is not queried.',
    tags: ['operations'],
    security: [],
    responses: {
      200: { description: 'The process answers', body: z.object({ status: z.literal('ok') }) },
    },
  }),
  getReadiness: defineOperation('getReadiness', apiRoutes.getReadiness, {
    summary: 'Check that requests can be served',
    description:
      'A process that is not ready should not get requests. It becomes ready again when its database answers.',
    tags: ['operations'],
    security: [],
    responses: {
      200: { description: 'The database answers', body: z.object({ status: z.literal('ready') }) },
    },
    problems: ['unavailable'],
  }),
  listTenants: defineOperation('listTenants', apiRoutes.listTenants, {
    summary: 'List tenants',
    tags: ['tenants'],
    responses: {
      200: { description: 'All tenants', body: z.object({ tenants: z.array(Tenant) }) },
    },
    problems: ['unavailable'],
  }),
  createTenant: defineOperation('createTenant', apiRoutes.createTenant, {
    summary: 'Create a tenant',
    description: 'A tenant does not have access to the resources of other tenants.',
    tags: ['tenants'],
    body: { 'application/json': z.object({ id: tenantId, name }) },
    responses: { 201: { description: 'The tenant', body: Tenant } },
    problems: ['unavailable', 'conflict'],
  }),
  listTokens: defineOperation('listTokens', apiRoutes.listTokens, {
    summary: 'List tokens',
    description:
      'Without `tenantId`, the response lists the administrators’ tokens and those of the tenant `default`.',
    tags: ['tokens'],
    query: z.object({
      tenantId: tenantId.optional().meta({ description: 'The tenant of the tokens' }),
    }),
    responses: {
      200: {
        description: 'The tokens, without their secrets',
        body: z.object({ tokens: z.array(Token) }),
      },
    },
    problems: ['unavailable'],
  }),
  createToken: defineOperation('createToken', apiRoutes.createToken, {
    summary: 'Create a token',
    description:
      'Only this response contains the bearer token: the directory stores its hash and cannot show it again.',
    tags: ['tokens'],
    body: {
      'application/json': TokenRequest,
    },
    responses: { 201: { description: 'The token', body: CreatedToken } },
    problems: ['unavailable', 'notFound'],
  }),
  revokeToken: defineOperation('revokeToken', apiRoutes.revokeToken, {
    summary: 'Revoke a token',
    tags: ['tokens'],
    params: z.object({ tokenId: text.max(100) }),
    responses: { 204: { description: 'The token is revoked' } },
    problems: ['unavailable', 'notFound'],
  }),
  ...requestOperations,
}

/** The OpenAPI document of the management API. */
export const apiDocument = createDocument({
  info: {
    title: 'Plumbline Directory management API',
    version: '2026.11.21',
    description:
      'Manages the tenants and tokens of a SCIM 2.0 directory, and shows the requests of clients.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: 'http://127.0.0.1:3000', description: 'The default address of `npm start`' }],
  tags: [
    { name: 'operations', description: 'The health of the server' },
    { name: 'tenants', description: 'Organizations whose users and groups the directory stores' },
    { name: 'tokens', description: 'Bearer tokens of clients and administrators' },
    { name: 'requests', description: 'The SCIM requests of clients: the provisioning log' },
  ],
  securitySchemes: { token: bearer({ description: 'An administrator’s token' }) },
  security: [{ token: [] }],
  problems,
  defaults: {},
}).add(...Object.values(operations))
