import { defineOperation } from '@plumbline/openapi'
import { z } from 'zod'
import { TOKEN_PATH } from '../../kernel/requests/scim-path.ts'
import { COMMON_PROBLEMS } from '../../shell/api/problems.ts'
import { ASSERTION_TYPE } from './assertion.ts'

/** Routes for the authorization server. */
export const oauthRoutes = {
  createAccessToken: { method: 'POST', pattern: TOKEN_PATH },
  getAuthorizationServer: {
    method: 'GET',
    pattern: '/.well-known/oauth-authorization-server',
  },
} as const

const AccessTokenResponse = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'In seconds' }),
    scope: z
      .string()
      .meta({ description: '`scim:read`, `scim:read scim:write`, or `scim` if it was requested' }),
  })
  .meta({ id: 'AccessToken' })

const OAuthError = z
  .object({
    error: z.enum(['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope']),
    error_description: z.string(),
  })
  .meta({ id: 'OAuthError' })

/**
 * Parameters from RFC 6749 §4.4.2 and §2.3.1, for the document. The schema accepts every form, because RFC 6749 §5.2
 * defines the answer to an invalid one: the handler reads it with `readTokenRequest`. RFC 6749 §3.2: an empty parameter
 * counts as omitted.
 */
const PARAMETERS = {
  properties: {
    grant_type: { type: 'string', const: 'client_credentials' },
    client_id: { type: 'string' },
    client_secret: { type: 'string' },
    client_assertion_type: { type: 'string', enum: [ASSERTION_TYPE, ''] },
    client_assertion: {
      type: 'string',
      description: 'A JWT that the client has signed by ES256 or RS256 (RFC 7523 §2.2)',
    },
    scope: {
      type: 'string',
      pattern: '^(?:scim(?::read|:write)?(?: scim(?::read|:write)?)*)?$',
      description: 'All scopes of the client by default. `scim` is both others (IPSIE).',
    },
  },
  required: ['grant_type'],
  additionalProperties: { type: 'string' },
}

const TokenForm = z
  .record(z.string(), z.union([z.string(), z.array(z.string())]))
  .meta(PARAMETERS)
  .optional()

const noStore = {
  'Cache-Control': { schema: z.literal('no-store'), required: true },
  Pragma: { schema: z.literal('no-cache'), required: true },
} as const

/** Problems with status 400 lack the Pragma header. */
const noStoreOfErrors = {
  'Cache-Control': { schema: z.literal('no-store') },
  Pragma: { schema: z.literal('no-cache') },
} as const

/** Operations for the authorization server. */
export const oauthOperations = {
  createAccessToken: defineOperation('createAccessToken', oauthRoutes.createAccessToken, {
    summary: 'Issue an access token',
    description:
      'The client credentials grant (RFC 6749 §4.4). The client authenticates by HTTP Basic, by `client_id` and `client_secret` in the form, or by a JWT in `client_assertion` (RFC 7523 §2.2), which it may send once. The errors that RFC 6749 §5.2 defines are JSON, and all others are problems.',
    tags: ['oauth'],
    security: [{ client: [] }, {}],
    body: { 'application/x-www-form-urlencoded': TokenForm },
    responses: {
      200: { description: 'The access token', headers: noStore, body: AccessTokenResponse },
      400: {
        description: 'The request is not valid',
        headers: noStoreOfErrors,
        body: { 'application/json': OAuthError },
      },
      401: {
        description: 'The credentials of the client are not valid',
        headers: { ...noStore, 'WWW-Authenticate': { schema: z.string(), required: true } },
        body: { 'application/json': OAuthError },
      },
    },
    problems: [...COMMON_PROBLEMS],
  }),
  getAuthorizationServer: defineOperation(
    'getAuthorizationServer',
    oauthRoutes.getAuthorizationServer,
    {
      summary: 'Read the metadata of the authorization server',
      description: 'The metadata document of RFC 8414.',
      tags: ['oauth'],
      security: [],
      responses: {
        200: {
          description: 'The metadata',
          body: z.object({
            issuer: z.url(),
            token_endpoint: z.url(),
            token_endpoint_auth_methods_supported: z.array(z.string()),
            token_endpoint_auth_signing_alg_values_supported: z.array(z.string()),
            grant_types_supported: z.array(z.string()),
            response_types_supported: z.array(z.string()),
            scopes_supported: z.array(z.string()),
          }),
        },
      },
    },
  ),
}
