import { ScimError } from '@plumbline/scim'

// Sizes are counted in bytes of what is stored, and in code units of the JSON that is made of it.

/** How much JSON a page holds: it ends before the resource that goes beyond. One resource may be larger. */
export const MOST_IN_PAGE = 16 * 2 ** 20

/** How much JSON one search reads into memory, in parts. */
export const MOST_SEARCHED = 64 * 2 ** 20

/** How long the JSON of one group with its members is at most. */
export const MOST_IN_GROUP = 64 * 2 ** 20

/** How large the JSON of a stored user is at most: more than a body, so that it always takes one. */
export const MOST_IN_USER = 2 * 2 ** 20

/** How many of the sizes, from the first on, are within the limit together; at least one if there is one. */
export function countWithin(sizes: readonly number[], limit: number): number {
  let left = limit
  const end = sizes.findIndex((size) => {
    left -= size
    return left < 0
  })
  return end === -1 ? sizes.length : Math.max(1, end)
}

/** Why something is not read into memory. */
export function tooLarge(what: string, limit: number): ScimError {
  return new ScimError(400, `${what} would be larger than ${limit / 2 ** 20} MiB`, {
    scimType: 'tooMany',
  })
}
