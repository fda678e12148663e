import { createDocument, defineOperation } from '@plumbline/openapi'
import { bearer } from '@plumbline/openapi/security'
import { createRoutes, del, get, post } from '@remix-run/fetch-router/routes'
import { z } from 'zod'
import { problems } from './problems.ts'

/** The routes of the management API. */
export const apiRoutes = createRoutes('/api', {
  getHealth: get('/health'),
  listTenants: get('/tenants'),
  createTenant: post('/tenants'),
  listTokens: get('/tokens'),
  createToken: post('/tokens'),
  revokeToken: del('/tokens/:tokenId'),
})

const tenantId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/)
  .meta({ description: 'Lower-case letters, digits and hyphens' })

/** Text that databases keep as it is: PostgreSQL rejects U+0000, and UTF-8 has no lone surrogates. */
const text = z
  .string()
  .refine((value) => !value.includes('\0'), 'must not hold U+0000')
  .refine((value) => value.isWellFormed(), 'must not hold a lone surrogate')
const name = text.min(1).max(200)

const Tenant = z
  .object({ id: tenantId, name: z.string(), createdAt: z.iso.datetime() })
  .meta({ id: 'Tenant' })

const role = z.enum(['admin', 'client'])
const profile = z.enum(['standard', 'entra', 'okta'])

const Token = z
  .object({
    id: z.string(),
    tenantId: tenantId.nullable().meta({ description: 'Null for an administrator' }),
    name: z.string(),
    role,
    profile,
    userId: z.string().nullable().meta({ description: 'The user whom /Me shows' }),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable().meta({ description: 'To the minute' }),
  })
  .meta({ id: 'Token' })

/** The role decides whether the token belongs to a tenant. */
const TokenRequest = z
  .object({
    tenantId: tenantId.optional().meta({
      description: '`default` by default; must be absent for the role `admin`',
    }),
    name,
    role: role.default('client'),
    profile: profile.default('standard'),
    userId: text.max(100).optional(),
  })
  .refine((body) => body.role !== 'admin' || body.tenantId === undefined, {
    path: ['tenantId'],
    error: 'must be absent for the role admin, which belongs to no tenant',
  })

const CreatedToken = Token.extend({
  token: z.string().meta({ description: 'The bearer token, shown this once' }),
}).meta({ id: 'CreatedToken' })

const refused = ['unauthorized', 'forbidden', 'unavailable'] as const
const refusedBody = [
  ...refused,
  'malformed',
  'tooLarge',
  'unsupportedMediaType',
  'invalid',
] as const

/** The operations of the management API: what is documented, what is parsed, what is checked. */
export const operations = {
  getHealth: defineOperation('getHealth', apiRoutes.getHealth, {
    summary: 'Say whether the directory can work',
    tags: ['operations'],
    security: [],
    responses: {
      200: {
        description: 'It can',
        body: z.object({ status: z.literal('ok') }),
      },
    },
    problems: ['unavailable'],
  }),
  listTenants: defineOperation('listTenants', apiRoutes.listTenants, {
    summary: 'List the tenants',
    tags: ['tenants'],
    responses: {
      200: { description: 'All tenants', body: z.object({ tenants: z.array(Tenant) }) },
    },
    problems: refused,
  }),
  createTenant: defineOperation('createTenant', apiRoutes.createTenant, {
    summary: 'Create a tenant',
    description: 'A tenant sees no resource of another.',
    tags: ['tenants'],
    body: { 'application/json': z.object({ id: tenantId, name }) },
    responses: { 201: { description: 'The tenant', body: Tenant } },
    problems: [...refusedBody, 'conflict'],
  }),
  listTokens: defineOperation('listTokens', apiRoutes.listTokens, {
    summary: 'List tokens',
    description:
      'Without `tenantId`, the tokens of the administrators and those of the tenant `default`.',
    tags: ['tokens'],
    query: z.object({
      tenantId: tenantId.optional().meta({ description: 'The tenant that the tokens belong to' }),
    }),
    responses: {
      200: {
        description: 'The tokens, without their text',
        body: z.object({ tokens: z.array(Token) }),
      },
    },
    problems: [...refused, 'invalid'],
  }),
  createToken: defineOperation('createToken', apiRoutes.createToken, {
    summary: 'Create a token',
    description: 'Its text is in this answer and nowhere else: only a hash of it is kept.',
    tags: ['tokens'],
    body: {
      'application/json': TokenRequest,
    },
    responses: { 201: { description: 'The token', body: CreatedToken } },
    problems: [...refusedBody, 'notFound'],
  }),
  revokeToken: defineOperation('revokeToken', apiRoutes.revokeToken, {
    summary: 'Revoke a token',
    tags: ['tokens'],
    params: z.object({ tokenId: text.max(100) }),
    responses: { 204: { description: 'It is accepted no longer' } },
    problems: [...refused, 'notFound', 'invalid'],
  }),
}

/** The document of the management API, for serving and for checking. */
export const apiDocument = createDocument({
  info: {
    title: 'Plumbline Directory: management',
    version: '2026.11.21',
    description: 'Tenants and tokens of a SCIM 2.0 directory.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: 'http://127.0.0.1:3000', description: 'Where npm start listens' }],
  tags: [
    { name: 'operations', description: 'How the server is' },
    { name: 'tenants', description: 'Who keeps resources here' },
    { name: 'tokens', description: 'Who may come in' },
  ],
  securitySchemes: { token: bearer({ description: 'An administrator’s token' }) },
  security: [{ token: [] }],
  problems,
}).add(...Object.values(operations))
