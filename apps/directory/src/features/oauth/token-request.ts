import { failure, type Result, success } from '@plumbline/result'
import type { BasicCredentials } from '../../shell/api/verifiers.ts'
import { ASSERTION_TYPE, type Assertion, parseAssertion } from './assertion.ts'

/** An error code (RFC 6749 §5.2). */
export type ErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'

/** Why a token request is rejected. The message uses only the characters allowed in an `error_description`. */
export class TokenRequestError extends Error {
  override readonly name: string = 'TokenRequestError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Form parameters; a repeated parameter is a list. */
export type Form = Readonly<Record<string, string | readonly string[] | undefined>>

/** A client's credentials: the secret, or a JWT the client signed. */
export type ClientCredentials =
  | { readonly clientId: string; readonly clientSecret: string }
  | { readonly clientId: string; readonly assertion: Assertion }

/** A token request with client credentials (RFC 6749 §4.4.2). */
export interface TokenRequest {
  readonly grantType: string
  readonly credentials: ClientCredentials
  readonly scope: string | null
}

/**
 * Reads a token request.
 *
 * @param basic the Authorization header's credentials; `malformed` for any others, null without the header
 */
export function readTokenRequest(
  form: Form,
  basic: BasicCredentials | 'malformed' | null,
): Result<TokenRequest, TokenRequestError> {
  // RFC 6749 §3.2: a parameter must not be included more than once. This includes unknown parameters.
  const repeated = Object.values(form).some((value) => typeof value === 'object')
  if (repeated) return reject('invalid_request', 'a parameter is repeated')
  const grantType = parameter(form, 'grant_type')
  if (grantType === null) return reject('invalid_request', 'grant_type is missing')
  const credentials = readCredentials(form, basic)
  if (credentials instanceof TokenRequestError) return failure(credentials)
  return success({ grantType, credentials, scope: parameter(form, 'scope') })
}

/**
 * Reads the credentials of `client_secret_basic`, `client_secret_post` (RFC 6749 §2.3.1) or `private_key_jwt` (RFC 7523
 * §2.2).
 */
function readCredentials(
  form: Form,
  basic: BasicCredentials | 'malformed' | null,
): ClientCredentials | TokenRequestError {
  const id = parameter(form, 'client_id')
  const secret = parameter(form, 'client_secret')
  const assertion = parameter(form, 'client_assertion')
  const type = parameter(form, 'client_assertion_type')
  if (assertion !== null) {
    // RFC 6749 §2.3: a client must not use more than one authentication method.
    if (basic !== null || secret !== null) return twoMethods()
    return readAssertion(assertion, type, id)
  }
  if (type !== null) return new TokenRequestError('invalid_request', 'client_assertion is missing')
  if (basic === null) {
    if (id !== null && secret !== null) return { clientId: id, clientSecret: secret }
    return new TokenRequestError('invalid_client', 'client_id and client_secret are required')
  }
  if (secret !== null) return twoMethods()
  const sent = basic === 'malformed' ? null : decodeBasic(basic)
  if (sent === null) {
    return new TokenRequestError('invalid_client', 'the Authorization header is malformed')
  }
  // Some clients repeat their id in the form.
  if (id !== null && id !== sent.clientId) {
    return new TokenRequestError('invalid_request', 'client_id is not that of the Authorization')
  }
  return sent
}

/** Reads a client's JWT. RFC 7521 §4.2: `client_id` is optional, and must match the assertion. */
function readAssertion(
  text: string,
  type: string | null,
  id: string | null,
): ClientCredentials | TokenRequestError {
  if (type !== ASSERTION_TYPE) {
    return new TokenRequestError(
      'invalid_client',
      `client_assertion_type must be ${ASSERTION_TYPE}`,
    )
  }
  const assertion = parseAssertion(text)
  if (assertion === null) {
    const message = 'client_assertion must be a JWT with the algorithm ES256 or RS256'
    return new TokenRequestError('invalid_client', message)
  }
  const { clientId } = assertion
  if (id === null || id === clientId) return { clientId, assertion }
  return new TokenRequestError('invalid_request', 'client_id is not that of the assertion')
}

function twoMethods(): TokenRequestError {
  return new TokenRequestError('invalid_request', 'the client uses two authentication methods')
}

/** RFC 6749 §2.3.1: the user name and the password are form-encoded. Null if they are malformed. */
function decodeBasic({
  username,
  password,
}: BasicCredentials): Extract<ClientCredentials, { readonly clientSecret: string }> | null {
  try {
    return { clientId: decodeForm(username), clientSecret: decodeForm(password) }
  } catch {
    return null
  }
}

function decodeForm(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}

/** RFC 6749 §3.2: a parameter without a value is treated as if it were omitted. */
function parameter(form: Form, name: string): string | null {
  const value = Object.hasOwn(form, name) ? form[name] : undefined
  return typeof value === 'string' && value !== '' ? value : null
}

function reject(code: ErrorCode, message: string): Result<never, TokenRequestError> {
  return failure(new TokenRequestError(code, message))
}
