import { randomBytes } from 'node:crypto'
import { memoize } from '../../kernel/memoize.ts'
import { sha256 } from '../../kernel/store/sha256.ts'
import type { WireResource } from './list/list.ts'

/**
 * Creates the entity tag of a resource's new content. It is random: from a digest, a client could guess values that are
 * never returned, such as a PIN.
 */
export function createTag(): string {
  return `W/"r${randomBytes(16).toString('hex')}"`
}

/**
 * Returns the tag of a user's content, in the tag of a representation from this or an earlier version; undefined for
 * another string.
 */
export function contentTagIn(tag: string): string | undefined {
  const [, content] = /^W\/"(r?[0-9a-f]{32})(?:-[0-9a-f]{16})?"$/.exec(tag) ?? []
  return content === undefined ? undefined : `W/"${content}"`
}

/** Whether `createTag` has made a tag. Those of earlier versions are digests. */
export function isRandomTag(tag: string): boolean {
  return tag.startsWith('W/"r')
}

const listTexts = memoize((values: readonly WireResource[]) => ({ text: JSON.stringify(values) }))

/** Returns a computed attribute's JSON. The tag and the representation share it: it may have megabytes. */
export function jsonOf(values: readonly WireResource[]): string {
  return listTexts.get(values).text
}

/**
 * Returns a resource's entity tag for a response: the content's tag, then the digest of a computed attribute, which
 * other requests change (RFC 7644 §3.14: a tag identifies a representation). The SCIM endpoint computes the same digest
 * after a write. Without values, it returns the content's tag.
 */
export function tagWithDigest(
  version: string,
  name: string,
  values: readonly WireResource[],
): string {
  if (values.length === 0) return version
  const digest = sha256(`{${JSON.stringify(name)}:${jsonOf(values)}}`).slice(0, 16)
  return `${version.slice(0, -1)}-${digest}"`
}
