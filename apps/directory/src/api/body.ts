import { BODY_LIMIT } from '../scim/limits.ts'

/** The request with a body that is read and within the limit; null when it is longer. */
export async function limitBody(request: Request): Promise<Request | null> {
  if (request.body === null) return request
  if (Number(request.headers.get('Content-Length')) > BODY_LIMIT) return null
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body) {
    length += chunk.byteLength
    if (length > BODY_LIMIT) return null
    chunks.push(chunk)
  }
  const { url, method, headers } = request
  return new Request(url, { method, headers, body: Buffer.concat(chunks) })
}
