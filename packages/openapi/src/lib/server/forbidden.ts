/**
 * A verifier's result for valid credentials that do not permit the operation: the answer is 403.
 *
 * @see RFC 6750 §3.1, `insufficient_scope`
 */
export const FORBIDDEN: unique symbol = Symbol('forbidden')

/** A `FORBIDDEN` with a reason for the client. */
export interface Forbidden {
  readonly [FORBIDDEN]: string
}

/**
 * Creates a verifier's result for valid credentials that do not permit the operation. The answer is 403, and the
 * problem has the reason as its `detail`.
 *
 * @example
 * ```ts
 * import { forbidden } from '@plumbline/openapi/server'
 *
 * const verify = ({ token, request }: { token: string; request: Request }) => {
 *   if (token !== 'reader') return null
 *   return request.method === 'GET' ? { name: token } : forbidden('This token may only read.')
 * }
 * ```
 * @see RFC 6750 §3.1, `insufficient_scope`
 */
export function forbidden(detail: string): Forbidden {
  return { [FORBIDDEN]: detail }
}

/** Returns whether a verifier's result rejects valid credentials for this operation. */
export function isForbidden(result: unknown): result is typeof FORBIDDEN | Forbidden {
  // A program may give no reason: it would be a principal.
  return result === FORBIDDEN || FORBIDDEN in Object(result)
}
