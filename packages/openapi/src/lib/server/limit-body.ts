/**
 * Reads a body up to a limit (bytes) and returns its bytes. If HTTP ends the body within the limit, it is only read if
 * `isNeeded`; otherwise null is returned.
 */
export async function limitBody(
  request: Request,
  limit: number,
  isNeeded = false,
): Promise<ArrayBuffer | null | 'too-large' | 'unreadable'> {
  if (Number(request.headers.get('Content-Length')) > limit) return 'too-large'
  // Check the length first: such a server creates its body stream lazily, which takes longer than everything else here.
  if (isEndedByLength(request)) {
    if (!isNeeded || request.bodyUsed) return null
    return await request.arrayBuffer().catch(() => 'unreadable' as const)
  }
  if (request.body === null) return null
  // Reading a body twice is the caller's bug: this throws.
  const reader = request.body.getReader()
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
function isEndedByLength(request: Request): boolean {
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
