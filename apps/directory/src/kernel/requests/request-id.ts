import { randomUUID } from 'node:crypto'

/** The header with a request's id. Every answer has it. */
export const REQUEST_ID = 'X-Request-Id'

/**
 * Returns a request's id: the one the client or a proxy sent, so their logs can be joined, or a new one. A client's id
 * is accepted if it is safe in every log: 1 to 64 letters, digits, `.`, `_` and `-`. It doesn't have to be unique.
 */
export function requestIdOf({ headers }: Request): string {
  const sent = headers.get(REQUEST_ID)
  return sent !== null && SAFE_ID.test(sent) ? sent : randomUUID()
}

/** Accepted ids. */
export const SAFE_ID: RegExp = /^[\w.-]{1,64}$/
