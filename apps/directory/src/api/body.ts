import { BODY_LIMIT } from '../scim/limits.ts'

/** The request with its body read, or the reason why the body is not accepted. */
export async function limitBody(request: Request): Promise<Request | 'too-large' | 'unreadable'> {
  if (request.body === null) return request
  if (Number(request.headers.get('Content-Length')) > BODY_LIMIT) return 'too-large'
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request.body) {
      length += chunk.byteLength
      if (length > BODY_LIMIT) return 'too-large'
      chunks.push(chunk)
    }
  } catch {
    // A closed connection is not an error of the server.
    return 'unreadable'
  }
  const { url, method, headers } = request
  return new Request(url, { method, headers, body: Buffer.concat(chunks) })
}
