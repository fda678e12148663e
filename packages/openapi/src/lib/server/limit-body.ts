/**
 * Limits the bytes of a body. Reads it until it is longer, and returns the request with the bytes as its body. If HTTP
 * ends the body within the limit, the request is returned unread.
 */
export async function limitBody(
  request: Request,
  limit: number,
): Promise<Request | 'too-large' | 'unreadable'> {
  if (Number(request.headers.get('Content-Length')) > limit) return 'too-large'
  // Before the body is read: such a server makes its stream only then, which takes longer than everything else here.
  if (isEndedByLength(request)) return request
  if (request.body === null) return request
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
  // Without the signal: a copy of it takes longer than everything else here, and parsing does not need it.
  const { url, method, headers } = request
  return new Request(url, { method, headers, body: concatenate(chunks, length) })
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

function concatenate(
  chunks: readonly Uint8Array<ArrayBuffer>[],
  length: number,
): Uint8Array<ArrayBuffer> {
  const [only, ...others] = chunks
  if (only !== undefined && others.length === 0) return only
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}
