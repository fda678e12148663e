/** A body's bytes; null if they were not read. */
export type Limited = ArrayBuffer | null | 'too-large' | 'unreadable'

/**
 * Reads a body up to a limit (bytes) and returns its bytes. If HTTP ends the body within the limit, it is only read if
 * `isNeeded`; otherwise null is returned. Does not wait for a body that is not read.
 */
export function limitBody(
  request: Request,
  limit: number,
  isNeeded = false,
): Limited | Promise<Limited> {
  const length = request.headers.get('Content-Length')
  if (Number(length) > limit) return 'too-large'
  // Check the length first: such a server creates its body stream lazily, which takes longer than everything else here.
  if (isEndedByLength(request, length)) {
    if (!isNeeded || request.bodyUsed) return null
    return request.arrayBuffer().catch(() => 'unreadable' as const)
  }
  return request.body === null ? null : readLimited(request.body, limit)
}

async function readLimited(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  limit: number,
): Promise<Limited> {
  // Reading a body twice is the caller's bug: this throws.
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
  } catch {
    // A closed connection is not a server error.
    return 'unreadable'
  }
  return concatenate(chunks, length)
}

/**
 * Returns whether HTTP ends the body after its Content-Length (RFC 9112 §6.3). That's certain for objects made by a
 * server such as @hono/node-server. A middleware may construct a plain `Request` with another body and the same
 * headers.
 */
function isEndedByLength(request: Request, length: string | null): boolean {
  if (length === null || Object.getPrototypeOf(request) === Request.prototype) return false
  return /^\d+$/.test(length) && !request.headers.has('Transfer-Encoding')
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
