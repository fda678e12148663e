import type { WireResource } from './list/list.ts'
import { sha256 } from './sha256.ts'

/**
 * The entity tag of a resource in a response: the tag of its content, followed by a digest of the values of its
 * computed attribute, which other requests change (RFC 7644 §3.14: a tag identifies a representation). Without
 * values it is the tag of the content.
 */
export function tagWithDigest(version: string, values: readonly WireResource[]): string {
  if (values.length === 0) return version
  const digest = sha256(JSON.stringify(values)).slice(0, 16)
  return `${version.slice(0, -1)}-${digest}"`
}

/** Removes the digests from a tag, or from a header that lists tags. */
export function withoutDigests(tags: string): string {
  return tags.replace(/-[0-9a-f]{16}"/g, '"')
}
