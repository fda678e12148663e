import { getHeapStatistics } from 'node:v8'
import { ScimError } from '@plumbline/scim'

// Stored sizes are in bytes; sizes of JSON in memory are in code units.

/** The maximum JSON one search reads into memory, in parts. */
export const MAX_SEARCHED_BYTES = 64 * 2 ** 20

/** The maximum JSON of one group with its members. */
export const MAX_GROUP_BYTES = 64 * 2 ** 20

/** A stored resource's maximum JSON: more than a request body, so every body fits. */
export const MAX_RESOURCE_BYTES = 2 * 2 ** 20

/** The maximum JSON of one user's groups. */
export const MAX_USER_GROUPS_BYTES = 16 * 2 ** 20

/**
 * A page's maximum JSON: it ends before the resource that would exceed it. One resource may be larger. Some pages are
 * in memory at the same time, each several times, so they are smaller if the heap is: 4 MiB in a container of 512 MB.
 */
export const MAX_PAGE_BYTES = Math.max(MAX_RESOURCE_BYTES, partOfHeap(1 / 64, 16 * 2 ** 20))

/** Returns a part of the largest heap that the process may have, in bytes, but at most `most`. */
export function partOfHeap(
  part: number,
  most: number,
  heap = getHeapStatistics().heap_size_limit,
): number {
  return Math.min(most, Math.floor(heap * part))
}

/** The error for data too large to read into memory. */
export function tooLarge(what: string, limit: number): ScimError {
  return new ScimError(400, `${what} would be larger than ${limit / 2 ** 20} MiB`, {
    scimType: 'tooMany',
  })
}
