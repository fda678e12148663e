import { BodyReadError, checkArrived, checkUnread } from '../http/body-read-error.ts'
import { type Bytes, type Incoming, useBytes } from '../incoming.ts'

/** A body's bytes; null if they were not read. */
export type Limited = Bytes | null | 'too-large' | 'unreadable'

/**
 * Reads a body up to a limit (bytes) and calls a function with its bytes. If HTTP ends the body within the limit, that is
 * null, unless `isNeeded` or the server has the body at hand. Does not wait for a body that is not read. Throws or rejects
 * with a BodyReadError if other code has read it.
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
  return request.body === null ? use(null) : readLimited(request, request.body, limit).then(use)
}

/** The length a client announces; NaN without one. */
function lengthOf({ headers }: Incoming): number {
  return Number(headers.get('Content-Length') ?? Number.NaN)
}

async function readLimited(
  request: Incoming,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  limit: number,
): Promise<Limited> {
  if (request.bodyUsed || body.locked) throw new BodyReadError()
  const reader = body.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      length += value.byteLength
      if (length > limit) {
        void reader.cancel().catch(() => undefined)
        return 'too-large'
      }
      chunks.push(value)
    }
  } catch (error) {
    checkUnread(request, error)
    // A closed connection is not a server error.
    return 'unreadable'
  }
  checkArrived(request, length)
  return concatenate(chunks, length)
}

/**
 * Returns whether HTTP ends the body after its Content-Length (RFC 9112 §6.3). That's certain for objects made by a
 * server such as @hono/node-server. A middleware may construct a plain `Request` with another body and the same
 * headers.
 */
function isEndedByLength(request: Incoming): boolean {
  if (Object.getPrototypeOf(request) === Request.prototype) return false
  const { headers } = request
  return /^\d+$/.test(headers.get('Content-Length') ?? '') && !headers.has('Transfer-Encoding')
}

function concatenate(chunks: readonly Uint8Array<ArrayBuffer>[], length: number): ArrayBuffer {
  const [only, ...others] = chunks
  // A chunk may be a slice taken from a larger buffer.
  if (others.length === 0 && only?.byteLength === only?.buffer.byteLength && only)
    return only.buffer
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes.buffer
}

/** The bytes of a body that usually come with the headers. */
const AT_HAND = 16 * 1024
