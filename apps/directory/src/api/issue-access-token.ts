import { failure, type Result, success } from '@plumbline/result'
import type { Admission } from '../auth/admission.ts'
import { type AuthOptions, accessOf, type Rejection } from '../auth/authenticate.ts'
import { writeAccessToken } from '../auth/oauth/access-token.ts'
import { accessOfScope } from '../auth/oauth/scopes.ts'
import { accessTokenKey } from '../auth/oauth/signing-key.ts'
import { type TokenRequest, TokenRequestError } from '../auth/oauth/token-request.ts'
import { keepAccepted, lookUpTenant, wasAccepted } from '../auth/token-cache.ts'
import { findClient, revisionOf } from '../store/clients.ts'
import type { ClientRow } from '../store/tables.ts'
import type { Access } from '../store/tokens.ts'

/** A new access token, and its client. */
interface Issued {
  readonly text: string
  readonly access: Access
  readonly client: ClientRow
}

/** The credentials of a client are rejected. */
export class RejectedClientError extends TokenRequestError {
  /** Why, for the log. */
  readonly rejection: Rejection

  /** `client` is null if it, or its tenant, does not exist. */
  constructor(message: string, reason: Rejection['reason'], client: ClientRow | null) {
    super('invalid_client', message)
    this.rejection =
      client === null
        ? { reason: 'unknown-client', tenantId: null, tokenId: null }
        : { reason, tenantId: client.tenant_id, tokenId: client.id }
  }
}

/** The lifetime of an access token, in milliseconds. */
export const TOKEN_LIFETIME = 3_600_000

/**
 * Issues an access token for a client (RFC 6749 §4.4). Throws a RateLimitError if the client has sent too many
 * requests, or its address too many unknown secrets.
 */
export async function issueAccessToken(
  { grantType, clientId, clientSecret, scope }: TokenRequest,
  request: Request,
  { admission, ...auth }: AuthOptions & { readonly admission: Admission },
): Promise<Result<Issued, TokenRequestError>> {
  const { store, now } = auth
  const credentials = `${clientId}:${clientSecret}`
  // The id of a client is not secret: only its secret proves that a request is not a guess.
  admission.requireFewGuesses(request, () => wasAccepted(credentials, store))
  const time = now()
  const client = IDENTIFIER.test(clientId)
    ? await store.read((db) => findClient(db, clientId))
    : null
  const revision = client === null ? null : revisionOf(client, clientSecret, time)
  if (client === null || revision === null) {
    admission.countGuess(request, credentials)
    const message = 'the client or its secret is unknown'
    return failure(new RejectedClientError(message, 'wrong-secret', client))
  }
  keepAccepted(credentials, store, time)
  admission.count({ tokenId: client.id }, request)
  const tenant = await lookUpTenant(client.tenant_id, store, time)
  if (tenant === null || tenant.disabled_at !== null) {
    const message = 'the tenant of the client is disabled'
    return failure(new RejectedClientError(message, 'disabled', tenant && client))
  }
  if (grantType !== 'client_credentials') {
    return reject('unsupported_grant_type', 'only client_credentials is supported')
  }
  const access = accessOfScope(scope, accessOf(client.access))
  if (access === null) return reject('invalid_scope', 'the client does not have the scope')
  const content = { clientId: client.id, tenantId: client.tenant_id, revision, access }
  const token = { ...content, expiresAt: time + TOKEN_LIFETIME }
  const text = writeAccessToken(token, await accessTokenKey(store))
  return success({ text, access, client })
}

function reject(
  code: TokenRequestError['code'],
  message: string,
): Result<never, TokenRequestError> {
  return failure(new TokenRequestError(code, message))
}

/** The ids of clients are UUIDs: any other would be searched in vain, and may be one that a database rejects. */
const IDENTIFIER = /^[\w-]{1,100}$/
