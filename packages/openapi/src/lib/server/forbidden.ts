/**
 * The result of a verifier whose credentials are valid, but do not permit the operation: the answer is 403.
 *
 * @see RFC 6750 §3.1, `insufficient_scope`
 */
export const FORBIDDEN: unique symbol = Symbol('forbidden')
