/**
 * Returns a test for sizes that are added one after another: whether they are within a limit together. The first always
 * fits, so a page has at least one row.
 *
 * @param least how many fit whatever their sizes; 1 by default
 *
 * @example
 * ```ts
 * import { fitsWithin } from '@plumbline/scim/internal'
 *
 * const fits = fitsWithin(10)
 * fits(8) //=> true
 * fits(3) //=> false
 * ```
 * @see RFC 7644 §3.4.2.4
 */
export function fitsWithin(limit: number, least = 1): (size: number) => boolean {
  let left = limit
  let count = 0
  return (size) => {
    left -= size
    count += 1
    return left >= 0 || count <= least
  }
}

/**
 * Counts how many sizes fit into a limit together, from the first on.
 *
 * @param least how many fit whatever their sizes; 1 by default
 *
 * @example
 * ```ts
 * import { countWithin } from '@plumbline/scim/internal'
 *
 * countWithin([4, 6, 1], 10) //=> 2
 * countWithin([11, 1], 10) //=> 1
 * ```
 * @see RFC 7644 §3.4.2.4
 */
export function countWithin(sizes: readonly number[], limit: number, least = 1): number {
  const fits = fitsWithin(limit, least)
  const end = sizes.findIndex((size) => !fits(size))
  return end === -1 ? sizes.length : end
}
