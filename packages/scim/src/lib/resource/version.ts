import { canonicalText } from '../values/canonical.ts'

/**
 * Makes the weak entity tag of a wire resource, over its content: the order of keys, `meta` and
 * members without a value do not matter, so storing the tag in `meta.version` does not change it.
 *
 * @example
 * ```ts
 * import { version } from '@plumbline/scim'
 *
 * const tag = await version({ id: '1', active: true })
 * tag === (await version({ active: true, id: '1', meta: { version: tag } })) //=> true
 * ```
 * @see RFC 7644 §3.14
 */
export async function version(resource: object): Promise<string> {
  const { meta: _, ...content } = resource as { readonly meta?: unknown }
  const bytes = new TextEncoder().encode(canonicalText(content))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  let hex = ''
  for (const byte of digest.subarray(0, 16)) hex += byte.toString(16).padStart(2, '0')
  return `W/"${hex}"`
}

/**
 * Tells whether the conditions of a request hold for the current tag: `If-Match` names it, or `*`;
 * `If-None-Match` does not. Without either header it is true. Tags are compared weakly. On false answer
 * 412, or 304 to a read that sent `If-None-Match`.
 *
 * @example
 * ```ts
 * import { matchesVersion } from '@plumbline/scim'
 *
 * const request = new Request('http://localhost/Users/1', { headers: { 'If-Match': '"a", W/"b"' } })
 * matchesVersion(request, 'W/"b"') //=> true
 * ```
 * @see RFC 7644 §3.14
 */
export function matchesVersion(request: Request, current: string): boolean {
  const match = request.headers.get('If-Match')
  const noneMatch = request.headers.get('If-None-Match')
  return (
    (match === null || lists(match, current)) && !(noneMatch !== null && lists(noneMatch, current))
  )
}

/** Deviation: RFC 9110 §13.1.1 compares If-Match strongly, which no weak tag of RFC 7644 §3.14 passes. */
function lists(header: string, current: string): boolean {
  if (header.trim() === '*') return true
  const wanted = opaque(current)
  // A tag may hold a comma, so that the list is not split but searched.
  return (header.match(/(?:W\/)?"[^"]*"|[^\s,"]+/g) ?? []).some((tag) => opaque(tag) === wanted)
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '')
}
