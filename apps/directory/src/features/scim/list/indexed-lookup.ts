import type { Scim } from '@plumbline/scim'
import { countComparisons } from '@plumbline/scim/internal'
import { conjunctsOf, equalValue } from './filters.ts'

/**
 * Returns whether a list is a lookup: a conjunct compares an indexed, nearly unique attribute with a value. A
 * lookup takes less time than a message to another thread. Every other list may have to read all resources.
 *
 * @param lookups the attributes, in lower case
 */
export function isLookUp({ filter }: Scim.ListQuery, lookups: readonly string[]): boolean {
  if (filter === undefined || countComparisons(filter) > MAX_COMPARISONS) return false
  return conjunctsOf(filter).some((conjunct) =>
    lookups.some((attribute) => equalValue(conjunct, attribute) !== null),
  )
}

/** A long filter over resources with the same value would block the thread that serves requests. */
const MAX_COMPARISONS = 10
