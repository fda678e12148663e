import { BodyReadError } from '../body-read-error.ts'
import { type Bytes, type Incoming, isPlainRequest, useBytes } from '../incoming.ts'
import { readStream } from '../read-stream.ts'

/** A body's bytes; null if they were not read. */
export type Limited = Bytes | null | 'too-large' | 'unreadable'

/**
 * Reads a body up to a limit (bytes) and calls a function with the bytes. If HTTP ends the body within the limit, that
 * is null, unless `isNeeded` or the server has the body at hand. Does not wait for a body that is not read. Throws or
 * rejects with a BodyReadError if other code has read it.
 */
export function limitBody<Used>(
  request: Incoming,
  limit: number,
  isNeeded: boolean,
  use: (body: Limited) => Used | Promise<Used>,
): Used | Promise<Used> {
  const { bodyLength = lengthOf(request) } = request
  if (bodyLength > limit) return use('too-large')
  // Check the length first: some servers create the body's stream only on access, which takes longer than all of this.
  if (request.bodyLength === undefined ? isEndedByLength(request) : !Number.isNaN(bodyLength)) {
    const isRead = isNeeded || (request.useBytes !== undefined && bodyLength <= AT_HAND)
    if (!isRead) return use(null)
    if (request.bodyUsed) throw new BodyReadError()
    return useBytes(request, (bytes) => use(bytes ?? 'unreadable')) as Promise<Used>
  }
  return request.body === null ? use(null) : readStream(request, limit).then(use)
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
