import type { Scim } from '@plumbline/scim'
import { countComparisons } from '@plumbline/scim/filter'
import { conjunctsOf, equalValue } from './filters.ts'

/**
 * Whether a list is a lookup: one conjunct of its filter compares an indexed, nearly unique attribute
 * with a value. A lookup takes less time than a message to another thread. Every other list may have to
 * read all resources.
 */
export function isLookUp({ filter }: Scim.ListQuery, type: 'User' | 'Group'): boolean {
  if (filter === undefined || countComparisons(filter) > MOST_COMPARISONS) return false
  return conjunctsOf(filter).some((conjunct) =>
    KEYS[type].some((attribute) => equalValue(conjunct, attribute) !== null),
  )
}

/** Attributes in lower case. Attributes whose values many resources share, such as familyName, are left out. */
const KEYS = {
  User: ['id', 'username', 'externalid', 'emails', 'employeenumber'],
  Group: ['id', 'displayname', 'externalid'],
} as const

/** A long filter over resources that share a value would block the thread that serves requests. */
const MOST_COMPARISONS = 10
