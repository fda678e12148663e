/** A resource's bytes, and the headers describing them. */
export interface Representation {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly tag: string
  readonly headers: Readonly<Record<string, string>>
  /** RFC 9110 §15.4.5: the header fields repeated in a 304. */
  readonly revalidated: Readonly<Record<string, string>>
}

/** Describes bytes with an entity tag. A 304 repeats it and the header fields in `caching`. */
export async function createRepresentation(
  content: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
  caching: Readonly<Record<string, string>>,
): Promise<Representation> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const tag = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const revalidated = { ETag: `"${tag}"`, ...caching }
  return { bytes, tag, revalidated, headers: { ...headers, ...revalidated } }
}

/** Answers GET and HEAD: with 304 if the client has the bytes already. */
export function answerRepresentation(
  { method, headers }: Request,
  representation: Representation,
): Response {
  const wanted = headers.get('If-None-Match')
  return wanted !== null && listsTag(wanted, representation.tag)
    ? new Response(null, { status: 304, headers: representation.revalidated })
    : new Response(method === 'HEAD' ? null : representation.bytes, {
        headers: representation.headers,
      })
}

/** RFC 9110 §13.1.2: weak or strong tags, or `*`. */
function listsTag(header: string, tag: string): boolean {
  return header === '*' || header.includes(`"${tag}"`)
}
