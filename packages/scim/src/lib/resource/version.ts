import { RawJson } from '../message/raw-json.ts'
import type { Definitions } from '../schema/types.ts'
import { sha256 } from '../sha256.ts'
import { stringifyCanonical } from '../values/canonical.ts'
import { returnable } from './project.ts'

/** Options for a resource's entity tag. */
export interface VersionOptions {
  /**
   * Returns a digest of a string: letters, digits and hyphens, the same only for the same string. By default the first
   * 32 hexadecimal digits of the SHA-256 from Web Crypto, which runs on another Node thread. With the synchronous
   * `hash` from `node:crypto`, `version` takes a quarter of the time.
   */
  readonly digest?: (text: string) => string | Promise<string>
  /**
   * The resource type's definitions. Attributes they never return, and write-only ones, are ignored like passwords.
   * Required for a resource with such values: a tag is a digest, from which a client could guess them.
   */
  readonly definitions?: Definitions
}

/**
 * Computes a wire resource's weak entity tag from its content. Key order, `meta` and members without a value are
 * ignored, so storing the tag in `meta.version` does not change it. A `password` is ignored too, because a
 * client that reads the tag could compare it with the digests of likely passwords; the same holds for attributes that
 * `definitions` never return. So a change of only such values does not change the tag. If conditional writes should
 * notice it, store a revision, and use that as the tag.
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
export async function version(
  resource: object,
  { digest = digestOf, definitions }: VersionOptions = {},
): Promise<string> {
  const wire: object = Object(resource instanceof RawJson ? resource.toJSON() : resource)
  const shown = definitions === undefined ? wire : returnable(wire, definitions)
  const { meta: _, password: __, ...content } = Object(shown)
  return `W/"${await digest(stringifyCanonical(content))}"`
}

/** Returns the first 32 hexadecimal digits of a string's SHA-256. */
export function digestOf(text: string): Promise<string> {
  return sha256(text, 16)
}

/**
 * Returns whether a request's conditions are true for the current tag: `If-Match` names it, or `*`, and `If-None-Match`
 * does not. Returns true without either header. Tags are compared weakly. If false, respond with 412, or with 304 to a
 * read with `If-None-Match`.
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
    (match === null || includesTag(match, current)) &&
    !(noneMatch !== null && includesTag(noneMatch, current))
  )
}

/**
 * Whether a header's value lists a tag, or is `*`.
 *
 * Deviation: RFC 9110 §13.1.1 compares If-Match strongly, but the tags in RFC 7644 §3.14 are weak.
 */
export function includesTag(header: string, current: string): boolean {
  if (header.trim() === '*') return true
  const wanted = opaquePart(current)
  // A tag may contain a comma, so the list is searched and not split.
  return (header.match(/(?:W\/)?"[^"]*"|[^\s,"]+/g) ?? []).some((tag) => opaquePart(tag) === wanted)
}

function opaquePart(tag: string): string {
  return tag.replace(/^W\//, '')
}
