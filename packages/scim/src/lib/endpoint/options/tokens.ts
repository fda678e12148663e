import { kindOf, optionFault } from '@plumbline/base'
import { sha256, toHex } from '../../sha256.ts'
import { isContext } from './faults.ts'
import { ANY, type Forms, requireOptions } from './forms.ts'

/** Options for a new token. */
export interface IssueTokenOptions {
  /**
   * The token's first characters, which help secret scanners find leaked tokens: letters, digits and `_`; `scim_` by
   * default.
   */
  readonly prefix?: string | undefined
}

/** A new token, and the hash to store. */
export interface IssuedToken {
  /** The prefix and 256 random bits in hexadecimal digits. Show it once, and do not store it. */
  readonly token: string
  /** The token's SHA-256 in 64 hexadecimal digits. */
  readonly hash: string
}

/**
 * Creates a random bearer token and its hash. Throws a `TypeError` for a prefix with other characters, or more than
 * 100 of them.
 *
 * @example
 * ```ts
 * import { issueToken } from '@plumbline/scim/endpoint'
 *
 * const { token, hash } = await issueToken({ prefix: 'acme_scim_' })
 * token.startsWith('acme_scim_') //=> true
 * token.length //=> 74
 * hash.length //=> 64
 * ```
 * @see RFC 6750 §5.2
 */
export async function issueToken(options: IssueTokenOptions = {}): Promise<IssuedToken> {
  requireOptions<IssueTokenOptions>('issueToken', options, ISSUE_FORMS)
  const { prefix = 'scim_' } = options
  const token = `${prefix}${toHex(crypto.getRandomValues(new Uint8Array(32)))}`
  return { token, hash: await sha256(token) }
}

/** One token, such as that of an environment variable. */
export interface OneToken<Context extends object> {
  /** At least 20 characters. */
  readonly token: string | undefined
  /** The context of the client with this token. */
  readonly context: Context
}

/** Tokens stored as hashes. */
export interface StoredTokens<Context extends object> {
  /**
   * Returns the context of the client whose token has this hash. Null and undefined answer `401`. Select only tokens
   * that are still valid.
   *
   * @param hash as `issueToken` returned it
   * @param request such as to compare the tenant in the path
   */
  readonly find: (
    hash: string,
    request: Request,
  ) => Context | null | undefined | Promise<Context | null | undefined>
}

/**
 * Creates the `authenticate` of an endpoint whose clients send a bearer token. Tokens are hashed, and the hashes are
 * looked up and compared.
 *
 * A header with another scheme, more than one token or a token of more than 1,000 characters is not a client. Throws a
 * `TypeError` for a `token` that is missing, shorter than 20 characters or not a bearer token, so that a server does not
 * start without it.
 *
 * @example
 * ```ts
 * import { bearerTokens, issueToken } from '@plumbline/scim/endpoint'
 *
 * const { token, hash } = await issueToken()
 * const clients = new Map([[hash, { tenant: 'acme' }]])
 * const authenticate = bearerTokens({ find: (hash) => clients.get(hash) })
 *
 * const headers = { Authorization: `Bearer ${token}` }
 * await authenticate(new Request('https://example.com/Users', { headers })) //=> { tenant: 'acme' }
 * await authenticate(new Request('https://example.com/Users')) //=> null
 *
 * // With one token: bearerTokens({ token: process.env.SCIM_TOKEN, context: { tenant: 'acme' } })
 * ```
 * @see RFC 6750 §2.1
 */
export function bearerTokens<Context extends object>(
  options: OneToken<Context> | StoredTokens<Context>,
): (request: Request) => Promise<Context | null> {
  requireOptions<OneToken<Context> & StoredTokens<Context>>('bearerTokens', options, TOKEN_FORMS)
  const find = 'find' in options ? requireFind(options) : findOne(options)
  return async (request) => {
    const token = BEARER.exec(request.headers.get('Authorization') ?? '')?.[1]
    return token === undefined ? null : ((await find(await sha256(token), request)) ?? null)
  }
}

function requireFind<Context extends object>(
  options: StoredTokens<Context>,
): StoredTokens<Context>['find'] {
  if (typeof options.find !== 'function') throw optionFault('find', 'a function', options.find)
  if ('token' in options) throw new TypeError('bearerTokens needs token or find, not both')
  return options.find
}

function findOne<Context extends object>({
  token,
  context,
}: OneToken<Context>): StoredTokens<Context>['find'] {
  if (typeof token !== 'string' || !TOKEN.test(token)) {
    // The token is secret.
    const found = typeof token === 'string' ? `a string of ${token.length}` : kindOf(token)
    throw new TypeError(
      `token must be 20 to 1000 letters, digits or - . _ ~ + /, such as of "openssl rand -hex 32", not ${found}`,
    )
  }
  if (!isContext(context)) throw optionFault('context', 'an object', context)
  let own: string | undefined
  return async (hash) => {
    own ??= await sha256(token)
    return hash === own ? context : null
  }
}

const PREFIX = /^\w{0,100}$/
const ISSUE_FORMS: Forms<IssueTokenOptions> = {
  prefix: {
    wanted: 'letters, digits and _, such as acme_scim_',
    isValid: (value) => typeof value === 'string' && PREFIX.test(value),
  },
}
const TOKEN_FORMS: Forms<OneToken<object> & StoredTokens<object>> = {
  find: ANY,
  token: ANY,
  context: ANY,
}
// RFC 6750 §2.1: b64token = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="
const TOKEN = /^[\w.~+/-]{20,1000}={0,2}$/
// RFC 6750 §2.1: credentials = "Bearer" 1*SP b64token. Two headers arrive as one, with a comma between them.
const BEARER = /^Bearer +([\w.~+/-]{1,1000}={0,2})$/i
