import { createHash } from 'node:crypto'
import type { WireResource } from './list/list.ts'

/**
 * The entity tag of a user in a response: the tag of its content, followed by a digest of its groups,
 * which other requests change (RFC 7644 §3.14: a tag identifies a representation). Without groups it is
 * the tag of the content.
 */
export function tagWithGroups(version: string, memberships: readonly WireResource[]): string {
  if (memberships.length === 0) return version
  const digest = createHash('sha256').update(JSON.stringify(memberships)).digest('hex')
  return `${version.slice(0, -1)}-${digest.slice(0, 16)}"`
}

/** Removes the digests of groups from a tag, or from a header that lists tags. */
export function withoutGroups(tags: string): string {
  return tags.replace(/-[0-9a-f]{16}"/g, '"')
}
