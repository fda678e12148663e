/**
 * Limits the bytes of a body. Reads it until it is longer, and returns its bytes. If HTTP ends the body within the limit,
 * it is only read if its bytes are needed, and otherwise null is returned.
 */
export async function limitBody(
  request: Request,
  limit: number,
  isNeeded = false,
): Promise<ArrayBuffer | null | 'too-large' | 'unreadable'> {
  if (Number(request.headers.get('Content-Length')) > limit) return 'too-large'
  // Before the body is read: such a server makes its stream only then, which takes longer than everything else here.
  if (isEndedByLength(request)) {
    if (!isNeeded || request.bodyUsed) return null
    return await request.arrayBuffer().catch(() => 'unreadable' as const)
  }
  if (request.body === null) return null
  // A body that was already read is a bug of the caller: this throws.
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
    // A closed connection is not an error of the server.
    return 'unreadable'
  }
  return concatenate(chunks, length)
}

/**
 * Whether HTTP ends the body after its Content-Length (RFC 9112 §6.3). That is known of the objects of a server such as
 * @hono/node-server. `Request` also makes one with another body and the same headers, as a middleware may do.
 */
function isEndedByLength(request: Request): boolean {
  if (Object.getPrototypeOf(request) === Request.prototype) return false
  const { headers } = request
  return /^\d+$/.test(headers.get('Content-Length') ?? '') && !headers.has('Transfer-Encoding')
}

function concatenate(chunks: readonly Uint8Array<ArrayBuffer>[], length: number): ArrayBuffer {
  const [only, ...others] = chunks
  // A chunk may be a part of a larger buffer.
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
