/**
 * Reads a form a browser posted; null if it exceeds the limit, in bytes, or has another media type. A client may send a
 * body without an end.
 */
export async function readForm(request: Request, limit: number): Promise<URLSearchParams | null> {
  const [type = ''] = (request.headers.get('Content-Type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') return null
  if (Number(request.headers.get('Content-Length') ?? 0) > limit) return null
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > limit) return null
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}
