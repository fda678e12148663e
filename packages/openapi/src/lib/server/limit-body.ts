import { type Bytes, type Incoming, isPlainRequest, readBody, readStream } from '@plumbline/base'

/** A body's bytes; null if they were not read. */
export type Limited = Bytes | null | 'too-large' | 'unreadable'

/**
 * Reads a body up to a limit (bytes). If HTTP ends the body within the limit, the result is null, unless `isNeeded` or
 * the server has the body at hand. Does not wait for a body that is not read. Throws or rejects with a BodyReadError if
 * other code has read it.
 */
export function limitBody(
  request: Incoming,
  limit: number,
  isNeeded: boolean,
): Limited | Promise<Limited> {
  const { bodyLength = lengthOf(request) } = request
  if (bodyLength > limit) return 'too-large'
  // Check the length first: some servers create the body's stream only on access, which takes longer than all of this.
  if (request.bodyLength === undefined ? isEndedByLength(request) : !Number.isNaN(bodyLength)) {
    const isRead = isNeeded || (request.bytesOf !== undefined && bodyLength <= AT_HAND)
    return isRead ? readBody(request) : null
  }
  return request.body === null ? null : readStream(request, limit)
}

/** The length a client announces; NaN without one. */
function lengthOf({ headers }: Incoming): number {
  return Number(headers.get('Content-Length') ?? Number.NaN)
}

/**
 * Returns whether HTTP ends the body after the Content-Length (RFC 9112 §6.3). That's certain for objects from a server
 * such as @hono/node-server. A middleware may construct a plain `Request` with another body and the same headers.
 */
function isEndedByLength(request: Incoming): boolean {
  if (isPlainRequest(request)) return false
  const { headers } = request
  return /^\d+$/.test(headers.get('Content-Length') ?? '') && !headers.has('Transfer-Encoding')
}

/** The bytes of a body that usually come with the headers. */
const AT_HAND = 16 * 1024
