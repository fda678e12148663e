import { defineOperation } from '@plumbline/openapi'
import { createRoutes, del, get, post } from '@remix-run/fetch-router/routes'
import { z } from 'zod'
import { COMMON_PROBLEMS } from '../../shell/api/problems.ts'
import { NO_QUERY, name, profile, tenantId, text } from '../../shell/api/schemas.ts'

/** Routes for tokens. */
export const tokenRoutes = createRoutes('/api', {
  listTokens: get('/tokens'),
  createToken: post('/tokens'),
  revokeToken: del('/tokens/:tokenId'),
  rotateToken: post('/tokens/:tokenId/rotate'),
})

const DAY_SECONDS = 86_400
const MONTH = 30 * DAY_SECONDS

const role = z.enum(['admin', 'client', 'receiver']).meta({
  description:
    'A `client` provisions the users and groups of its tenant. A `receiver` is an application: it reads them, and the changes of its tenant. An `admin` may do everything.',
})
const access = z.enum(['read', 'write']).meta({
  description:
    '`read` permits only requests that do not change anything: `GET` and, below `/scim`, searches by `POST`',
})

const Token = z
  .object({
    id: z.string(),
    tenantId: tenantId.nullable().meta({ description: 'Null for an administrator’s token' }),
    name: z.string(),
    role: role.nullable().meta({
      description: 'Null for a role of a newer version, which this one does not accept',
    }),
    profile,
    access,
    userId: z.string().nullable().meta({ description: 'The user that `/Me` returns' }),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the token was last used, to the minute' }),
    expiresAt: z.iso.datetime().nullable().meta({
      description: 'The token is rejected from this time on. Null if it does not expire.',
    }),
    replaces: z.string().nullable().meta({
      description: 'The id of the token that was rotated to create this one; it may be revoked',
    }),
    replacedBy: z.string().nullable().meta({
      description: 'The id of the token that replaces this one, which expires after the overlap',
    }),
  })
  .meta({ id: 'Token' })

/** The role decides whether the token belongs to a tenant. */
const TokenRequest = z
  .strictObject({
    tenantId: tenantId.optional().meta({
      description: '`default` if omitted; must be absent for the role `admin`',
    }),
    name,
    role: role.default('client'),
    profile: profile.default('standard'),
    access: access.optional().meta({
      description: '`write` by default; a receiver’s token is always `read`',
    }),
    userId: text.max(100).optional(),
    expiresAt: z.iso.datetime({ offset: true }).nullable().default(null).meta({
      description: 'A time in the future, or null for a token that does not expire',
    }),
  })
  .refine((body) => body.role !== 'admin' || body.tenantId === undefined, {
    path: ['tenantId'],
    error: 'must be absent for the role admin: an administrator does not belong to a tenant',
  })
  .refine((body) => body.role !== 'receiver' || body.access !== 'write', {
    path: ['access'],
    error: 'must be read for the role receiver',
  })
  .meta({
    not: {
      anyOf: [
        {
          properties: { role: { const: 'admin' }, tenantId: {} },
          required: ['role', 'tenantId'],
        },
        {
          properties: { role: { const: 'receiver' }, access: { const: 'write' } },
          required: ['role', 'access'],
        },
      ],
    },
  })

const RotationRequest = z.strictObject({
  overlapSeconds: z.int().min(0).max(MONTH).default(DAY_SECONDS).meta({
    description: 'How long the old token is still accepted, unless it expires earlier',
  }),
  expiresAt: z.iso.datetime({ offset: true }).nullable().optional().meta({
    description:
      'When the new token expires: a time in the future, or null for never. By default, the new token has the lifetime for which the old one was created.',
  }),
})

const CreatedToken = Token.extend({
  token: z.string().meta({ description: 'The bearer token, returned only in this response' }),
}).meta({ id: 'CreatedToken' })

/** Operations for tokens. */
export const tokenOperations = {
  listTokens: defineOperation('listTokens', tokenRoutes.listTokens, {
    summary: 'List tokens',
    description:
      'Without `tenantId`, the response lists the administrators’ tokens and those of the tenant `default`. A token that has expired is listed until it is revoked.',
    tags: ['tokens'],
    query: z.strictObject({
      tenantId: tenantId.optional().meta({ description: 'The tenant of the tokens' }),
    }),
    responses: {
      200: {
        description: 'The tokens, without their secrets',
        body: z.object({ tokens: z.array(Token) }),
      },
    },
    problems: [...COMMON_PROBLEMS],
  }),
  createToken: defineOperation('createToken', tokenRoutes.createToken, {
    summary: 'Create a token',
    description:
      'Only this response contains the bearer token: the directory stores its hash and cannot show it again.',
    tags: ['tokens'],
    query: NO_QUERY,
    body: {
      'application/json': TokenRequest,
    },
    responses: { 201: { description: 'The token', body: CreatedToken } },
    problems: [...COMMON_PROBLEMS, 'notFound', 'invalid'],
  }),
  revokeToken: defineOperation('revokeToken', tokenRoutes.revokeToken, {
    summary: 'Revoke a token',
    tags: ['tokens'],
    params: z.object({ tokenId: text.max(100) }),
    query: NO_QUERY,
    responses: { 204: { description: 'The token is revoked' } },
    problems: [...COMMON_PROBLEMS, 'notFound'],
  }),
  rotateToken: defineOperation('rotateToken', tokenRoutes.rotateToken, {
    summary: 'Rotate a token',
    description:
      'Creates a token with the name, tenant, role, profile, access and user of another. Both are accepted during the overlap, so that clients can change to the new one.',
    tags: ['tokens'],
    params: z.object({ tokenId: text.max(100) }),
    query: NO_QUERY,
    body: { 'application/json': RotationRequest },
    responses: { 201: { description: 'The new token', body: CreatedToken } },
    problems: [...COMMON_PROBLEMS, 'notFound', 'notRotatable', 'invalid'],
  }),
}
