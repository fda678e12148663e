import { defineOperation } from '@plumbline/openapi'
import { createRoutes, del, get, post } from '@remix-run/fetch-router/routes'
import { z } from 'zod'
import { COMMON_PROBLEMS } from '../../shell/api/problems.ts'
import { NO_QUERY, name, profile, tenantId, text } from '../../shell/api/schemas.ts'

/** Routes for OAuth clients. */
export const clientRoutes = createRoutes('/api', {
  listClients: get('/clients'),
  createClient: post('/clients'),
  rotateClient: post('/clients/:clientId/rotate'),
  deleteClient: del('/clients/:clientId'),
})

const access = z.enum(['read', 'write'])
const clientId = text.max(100)

const absent = z.never('must be absent: it belongs to a private key').optional()
/** Members both key types share (RFC 7517 §4). `d` belongs to private keys (RFC 7518 §6). */
const shared = {
  kid: text.min(1).max(200).optional(),
  use: z.literal('sig', 'must be sig: the key is used to verify').optional(),
  key_ops: z.array(z.literal('verify', 'must be verify')).min(1).max(1).optional(),
  d: absent,
}
const coordinate = z.string().regex(/^[\w-]{43}$/)
const PublicKey = z
  .discriminatedUnion('kty', [
    z.object({
      kty: z.literal('EC'),
      crv: z.literal('P-256'),
      x: coordinate,
      y: coordinate,
      alg: z.literal('ES256').optional(),
      ...shared,
    }),
    z.object({
      kty: z.literal('RSA'),
      n: z
        .string()
        .regex(/^[\w-]{342,683}$/)
        .meta({ description: '2,048 to 4,096 bits' }),
      e: z
        .string()
        .regex(/^[\w-]{2,6}$/)
        .meta({ description: 'An odd number of at least 3' }),
      alg: z.literal('RS256').optional(),
      p: absent,
      q: absent,
      ...shared,
    }),
  ])
  .meta({ id: 'PublicKey', description: 'A public key (RFC 7517) for ES256 or RS256' })

const jwks = z.object({ keys: z.array(PublicKey).min(1).max(10) }).meta({
  description:
    'The public keys of a client that authenticates by signed JWTs (RFC 7523 §2.2) and not by a secret',
})

const Client = z
  .object({
    id: z.string().meta({ description: 'The `client_id`' }),
    tenantId,
    name: z.string(),
    profile,
    access: access.meta({
      description: '`read` for the scope `scim:read`, `write` for both scopes',
    }),
    userId: z.string().nullable().meta({ description: 'The user that `/Me` returns' }),
    jwks: jwks.nullable(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When an access token of the client was last used, to the minute' }),
    oldSecretExpiresAt: z.iso.datetime().nullable().meta({
      description: 'Until when the secret before the last rotation is valid. Null if it is not.',
    }),
  })
  .meta({ id: 'Client' })

const ClientWithSecret = Client.extend({
  secret: z.string().nullable().meta({
    description: 'The `client_secret`, returned only in this response; null for a client with keys',
  }),
}).meta({ id: 'ClientWithSecret' })

/** Operations for OAuth clients. */
export const clientOperations = {
  listClients: defineOperation('listClients', clientRoutes.listClients, {
    summary: 'List OAuth clients',
    tags: ['clients'],
    query: z.strictObject({
      tenantId: tenantId.default('default').meta({ description: 'The tenant of the clients' }),
    }),
    responses: {
      200: {
        description: 'The clients, without their secrets',
        body: z.object({ clients: z.array(Client) }),
      },
    },
    problems: [...COMMON_PROBLEMS],
  }),
  createClient: defineOperation('createClient', clientRoutes.createClient, {
    summary: 'Create an OAuth client',
    description:
      'Only this response contains the secret: the directory stores its hash and cannot show it again.',
    tags: ['clients'],
    query: NO_QUERY,
    body: {
      'application/json': z.strictObject({
        tenantId: tenantId.default('default'),
        name,
        profile: profile.default('standard'),
        access: access.default('write'),
        userId: text.max(100).optional(),
        jwks: jwks.optional(),
      }),
    },
    responses: { 201: { description: 'The client', body: ClientWithSecret } },
    problems: [...COMMON_PROBLEMS, 'notFound', 'invalid'],
  }),
  rotateClient: defineOperation('rotateClient', clientRoutes.rotateClient, {
    summary: 'Replace the secret or the keys of an OAuth client',
    description:
      'The secret before it, and the access tokens that were issued for it, stay valid for `overlapSeconds`. An even older secret is not valid any more. With `jwks`, the client has these keys instead of a secret, and without it a secret instead of keys. Keys before the rotation are not valid any more: send the old and the new keys together for an overlap.',
    tags: ['clients'],
    params: z.object({ clientId }),
    query: NO_QUERY,
    body: {
      'application/json': z.strictObject({
        overlapSeconds: z.int().min(0).max(2_592_000).default(86_400).meta({
          description: '0 if the secret is known to others: it is rejected within a second',
        }),
        jwks: jwks.optional(),
      }),
    },
    responses: { 200: { description: 'The client with its new secret', body: ClientWithSecret } },
    problems: [...COMMON_PROBLEMS, 'notFound', 'invalid'],
  }),
  deleteClient: defineOperation('deleteClient', clientRoutes.deleteClient, {
    summary: 'Delete an OAuth client',
    description: 'Its access tokens are rejected within a second.',
    tags: ['clients'],
    params: z.object({ clientId }),
    query: NO_QUERY,
    responses: { 204: { description: 'The client is deleted' } },
    problems: [...COMMON_PROBLEMS, 'notFound'],
  }),
}
