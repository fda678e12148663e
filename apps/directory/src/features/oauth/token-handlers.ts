import type { HandlersOf } from '@plumbline/openapi/server'
import { isFailure } from '@plumbline/result'
import type { Admission } from '../../kernel/access/admission.ts'
import type { AuthOptions } from '../../kernel/access/authenticate.ts'
import { createRateLimit, type Rate } from '../../kernel/rate-limit/rate-limit.ts'
import type { Facts } from '../../kernel/requests/outcome.ts'
import { originOf, receivedOf } from '../../kernel/requests/received.ts'
import { TOKEN_PATH } from '../../kernel/requests/scim-path.ts'
import type { ApiVerifiers } from '../../shell/api/verifiers.ts'
import type { apiDocument } from '../../shell/operations.ts'
import { ALGORITHMS } from './client-keys.ts'
import { issueAccessToken, RejectedClientError, TOKEN_LIFETIME } from './issue-access-token.ts'
import { SCOPES } from './scopes.ts'
import { readTokenRequest } from './token-request.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

/** Options for `oauthHandlers`. */
export interface OAuthOptions extends AuthOptions {
  readonly admission: Admission
  /** Notes which client asked, or why it was rejected. */
  readonly note: (request: Request, facts: Facts) => void
}

/** Handlers for the authorization server. */
export function oauthHandlers(
  options: OAuthOptions,
): Pick<ApiHandlers, 'createAccessToken' | 'getAuthorizationServer'> {
  const logged = createRateLimit(LOGGED)
  const noteRejection = (request: Request, { rejection }: RejectedClientError): void => {
    if (logged.take(rejection.tokenId ?? '') > 0) return
    const answer = { route: TOKEN_PATH, id: '', error: null, body: undefined, ignored: [] }
    options.note(request, { rejection, answer })
  }
  return {
    createAccessToken: async ({ request, principal, body = {}, reply }) => {
      const isSent = request.headers.has('Authorization')
      const read = readTokenRequest(body, isSent ? (principal ?? 'malformed') : null)
      const issuer = originOf(request, receivedOf(request))
      const audiences = [issuer, `${issuer}${TOKEN_PATH}`]
      const issued = isFailure(read)
        ? read
        : await issueAccessToken(read.data, request, { ...options, audiences })
      if (isFailure(issued)) {
        const { code, message } = issued.error
        if (issued.error instanceof RejectedClientError) noteRejection(request, issued.error)
        const content = { error: code, error_description: message }
        if (code !== 'invalid_client') return reply(400, content, { headers: NO_STORE })
        return reply(401, content, { headers: { ...NO_STORE, 'WWW-Authenticate': CHALLENGE } })
      }
      const { text, scope, client } = issued.data
      options.note(request, { tenantId: client.tenant_id, tokenId: client.id })
      const answer = { access_token: text, token_type: 'Bearer', scope } as const
      return reply(200, { ...answer, expires_in: TOKEN_LIFETIME / 1_000 }, { headers: NO_STORE })
    },
    getAuthorizationServer: async ({ request, reply }) => {
      const issuer = originOf(request, receivedOf(request))
      return reply(200, {
        issuer,
        token_endpoint: `${issuer}${TOKEN_PATH}`,
        token_endpoint_auth_methods_supported: [
          'client_secret_basic',
          'client_secret_post',
          'private_key_jwt',
        ],
        token_endpoint_auth_signing_alg_values_supported: Object.values(ALGORITHMS),
        grant_types_supported: ['client_credentials'],
        // RFC 8414 §2 requires it, but the directory's grants don't use the authorization endpoint.
        response_types_supported: [],
        scopes_supported: [...SCOPES],
      })
    },
  }
}

/**
 * How many rejections per client go to the tenant's provisioning log. A client's id isn't secret, and others must not
 * be able to fill the log.
 */
const LOGGED: Rate = { perSecond: 1 / 10, burst: 10 }
/** RFC 6749 §5.1. */
const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const
/** RFC 9110 §15.5.2: every 401 has a challenge. */
const CHALLENGE = 'Basic realm="oauth", charset="UTF-8"'
