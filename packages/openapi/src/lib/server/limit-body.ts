/**
 * Reads the body of a request, and returns the request with the bytes as its body. Stops reading a body that
 * is longer than `limit`, whatever its Content-Length says.
 */
export async function limitBody(
  request: Request,
  limit: number,
): Promise<Request | 'too-large' | 'unreadable'> {
  if (request.body === null) return request
  if (Number(request.headers.get('Content-Length')) > limit) return 'too-large'
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
