import { failure, isFailure, type Result, success } from '@plumbline/result'
import { writeAccessToken } from '../../kernel/access/access-token.ts'
import type { Admission } from '../../kernel/access/admission.ts'
import { type AuthOptions, accessOf, type Rejection } from '../../kernel/access/authenticate.ts'
import { findClient, revisionOf } from '../../kernel/access/client-store.ts'
import { accessTokenKey } from '../../kernel/access/signing-key.ts'
import { keepAccepted, lookUpTenant, wasAccepted } from '../../kernel/access/token-cache.ts'
import type { ClientRow } from '../../kernel/store/tables.ts'
import { type Assertion, checkAssertion } from './assertion.ts'
import type { ClientKey } from './client-keys.ts'
import { accessOfScope, scopeOf } from './scopes.ts'
import { type TokenRequest, TokenRequestError } from './token-request.ts'
import { useAssertion } from './used-assertions.ts'

/** A new access token, and its client. */
interface Issued {
  readonly text: string
  /** The token's scopes, for the answer. */
  readonly scope: string
  readonly client: ClientRow
}

/** Thrown if a client's credentials are rejected. */
export class RejectedClientError extends TokenRequestError {
  /** The reason, for the log. */
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

/** An access token's lifetime, in milliseconds. */
export const TOKEN_LIFETIME = 3_600_000

/** Options for `issueAccessToken`. */
export interface IssueOptions extends AuthOptions {
  readonly admission: Admission
  /** Accepted audiences for assertions: the authorization server's URL and the token endpoint's (RFC 7523 §3). */
  readonly audiences: readonly string[]
}

/**
 * Issues an access token for a client (RFC 6749 §4.4). Throws a RateLimitError if the client has sent too many
 * requests, or the client's address too many unknown secrets or assertions.
 */
export async function issueAccessToken(
  { grantType, credentials, scope }: TokenRequest,
  request: Request,
  options: IssueOptions,
): Promise<Result<Issued, TokenRequestError>> {
  const { store, now, admission } = options
  const proof = proofOf(credentials)
  // A client's id isn't secret: only the secret proves the request isn't a guess. An assertion is always new.
  admission.requireFewGuesses(request, () => wasAccepted(proof, store))
  const time = now()
  const client = IDENTIFIER.test(credentials.clientId)
    ? await store.read((db) => findClient(db, credentials.clientId))
    : null
  const authenticated =
    'assertion' in credentials
      ? await authenticateByAssertion(client, credentials.assertion, options)
      : checkSecret(client, credentials.clientSecret, time)
  if (isFailure(authenticated)) {
    admission.countGuess(request, proof)
    return authenticated
  }
  if ('clientSecret' in credentials) keepAccepted(proof, store, time)
  const { data } = authenticated
  admission.count({ tokenId: data.client.id }, request)
  const tenant = await lookUpTenant(data.client.tenant_id, store, time)
  if (tenant === null || tenant.disabled_at !== null) {
    const message = 'the tenant of the client is disabled'
    return failure(new RejectedClientError(message, 'disabled', tenant && data.client))
  }
  if (grantType !== 'client_credentials') {
    return reject('unsupported_grant_type', 'only client_credentials is supported')
  }
  const access = accessOfScope(scope, accessOf(data.client.access))
  if (access === null) return reject('invalid_scope', 'the client does not have the scope')
  const { id: clientId, tenant_id: tenantId } = data.client
  const content = { clientId, tenantId, revision: data.revision, access }
  const token = { ...content, expiresAt: time + TOKEN_LIFETIME }
  const text = writeAccessToken(token, await accessTokenKey(store))
  return success({ text, scope: scopeOf(access, scope), client: data.client })
}

/** An authenticated client, and the revision for its access tokens. */
interface Authenticated {
  readonly client: ClientRow
  readonly revision: number
}

function checkSecret(
  client: ClientRow | null,
  secret: string,
  time: number,
): Result<Authenticated, RejectedClientError> {
  const revision = client === null ? null : revisionOf(client, secret, time)
  if (client !== null && revision !== null) return success({ client, revision })
  const message = 'the client or its secret is unknown'
  return failure(new RejectedClientError(message, 'wrong-secret', client))
}

/** Checks an assertion (RFC 7523 §3). Clients learn which claim is wrong only with a valid signature. */
async function authenticateByAssertion(
  client: ClientRow | null,
  assertion: Assertion,
  { store, now, audiences }: IssueOptions,
): Promise<Result<Authenticated, RejectedClientError>> {
  const rejected = (message: string) =>
    failure(new RejectedClientError(message, 'wrong-assertion', client))
  const keys: readonly ClientKey[] = JSON.parse(client?.public_keys ?? '[]')
  const time = now()
  const checked = await checkAssertion(assertion, { keys, audiences, now: time })
  if (client === null || checked === null) return rejected('the client or its key is unknown')
  if (typeof checked === 'string') return rejected(checked)
  const used = await store.write((db) =>
    useAssertion(db, { ...checked, clientId: client.id }, time),
  )
  if (used === 'used') return success({ client, revision: client.revision })
  return rejected(
    used === 'full'
      ? 'too many assertions of the client have not expired'
      : 'the client has sent this jti before',
  )
}

/** Returns the text for counting and remembering credentials. */
function proofOf(credentials: TokenRequest['credentials']): string {
  const { clientId } = credentials
  return 'clientSecret' in credentials
    ? `${clientId}:${credentials.clientSecret}`
    : credentials.assertion.text
}

function reject(
  code: TokenRequestError['code'],
  message: string,
): Result<never, TokenRequestError> {
  return failure(new TokenRequestError(code, message))
}

/** Client ids are UUIDs. Any other id would be searched in vain, and some databases might reject it. */
const IDENTIFIER = /^[\w-]{1,100}$/
