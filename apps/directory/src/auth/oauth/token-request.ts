import { failure, type Result, success } from '@plumbline/result'

/** A code of RFC 6749 §5.2. */
export type ErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'

/** Why a token request is rejected. The message consists of the characters of an `error_description`. */
export class TokenRequestError extends Error {
  override readonly name: string = 'TokenRequestError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** The parameters of a form; a list for a repeated one. */
export type Form = Readonly<Record<string, string | readonly string[] | undefined>>

/** The user name and the password of HTTP Basic (RFC 7617). */
export interface BasicCredentials {
  readonly username: string
  readonly password: string
}

/** A token request with the credentials of a client (RFC 6749 §4.4.2). */
export interface TokenRequest {
  readonly grantType: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string | null
}

/**
 * Reads a token request.
 *
 * @param basic the credentials of the Authorization header; `malformed` if it has others, and null without it
 */
export function readTokenRequest(
  form: Form,
  basic: BasicCredentials | 'malformed' | null,
): Result<TokenRequest, TokenRequestError> {
  // RFC 6749 §3.2: a parameter must not be included more than once, also one that is not known.
  const repeated = Object.values(form).some((value) => typeof value === 'object')
  if (repeated) return reject('invalid_request', 'a parameter is repeated')
  const grantType = parameter(form, 'grant_type')
  if (grantType === null) return reject('invalid_request', 'grant_type is missing')
  const credentials = readCredentials(form, basic)
  if (credentials instanceof TokenRequestError) return failure(credentials)
  return success({ grantType, ...credentials, scope: parameter(form, 'scope') })
}

/** The credentials of `client_secret_basic` or `client_secret_post` (RFC 6749 §2.3.1). */
function readCredentials(
  form: Form,
  basic: BasicCredentials | 'malformed' | null,
): Pick<TokenRequest, 'clientId' | 'clientSecret'> | TokenRequestError {
  const id = parameter(form, 'client_id')
  const secret = parameter(form, 'client_secret')
  if (basic === null) {
    if (id !== null && secret !== null) return { clientId: id, clientSecret: secret }
    return new TokenRequestError('invalid_client', 'client_id and client_secret are required')
  }
  // RFC 6749 §2.3: a client must not use more than one authentication method.
  if (secret !== null) {
    return new TokenRequestError('invalid_request', 'the client uses two authentication methods')
  }
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

/** RFC 6749 §2.3.1: the user name and the password are encoded as in a form. Null if they are malformed. */
function decodeBasic({
  username,
  password,
}: BasicCredentials): Pick<TokenRequest, 'clientId' | 'clientSecret'> | null {
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
