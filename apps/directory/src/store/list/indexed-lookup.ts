import type { Scim } from '@plumbline/scim'
import { countComparisons } from '@plumbline/scim/filter'
import { conjunctsOf, equalValue } from './filters.ts'

/**
 * Whether a list is a look-up: its filter asks, beside whatever else, for the one value of an attribute that
 * tells resources apart and has an index. That is answered in less time than another thread takes to be
 * asked. Every other list may have to read all that there is.
 */
export function isLookUp({ filter }: Scim.ListQuery, type: 'User' | 'Group'): boolean {
  if (filter === undefined || countComparisons(filter) > MOST_COMPARISONS) return false
  return conjunctsOf(filter).some((conjunct) =>
    KEYS[type].some((attribute) => equalValue(conjunct, attribute) !== null),
  )
}

/** Attributes in lower case. What many have in common, such as a family name, is none of them. */
const KEYS = {
  User: ['id', 'username', 'externalid', 'emails', 'employeenumber'],
  Group: ['id', 'displayname', 'externalid'],
} as const

/** Resources that share a value are all compared: a long filter is not run over them on the thread that serves. */
const MOST_COMPARISONS = 10
