import { randomUUID } from 'node:crypto'

/** The header with a request's id. Every answer has it. */
export const REQUEST_ID = 'X-Request-Id'

/**
 * A request's id: the one the client or a proxy sends, so that their logs can be joined, or a new one.
 * An id of a client is accepted if it is safe in every log: 1 to 64 letters, digits, `.`, `_` and `-`. It does not
 * have to be unique.
 */
export function requestIdOf({ headers }: Request): string {
  const sent = headers.get(REQUEST_ID)
  return sent !== null && SAFE_ID.test(sent) ? sent : randomUUID()
}

/** The ids that are accepted. */
export const SAFE_ID: RegExp = /^[\w.-]{1,64}$/
