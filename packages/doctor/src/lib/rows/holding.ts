import { isFailure } from '@plumbline/result'
import { compareResources } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import { compileFilter, parseFilter } from '@plumbline/scim/filter'
import { isAssigned, isJsonObject, own } from '../json.ts'
import type { FilterRow } from './filter-row.ts'
import type { PersonName } from './people.ts'
import type { SortRow } from './sort-rows.ts'

/** The people as a server stored them: without undeclared attributes and values. */
export type SentPeople = Readonly<Record<PersonName, Readonly<Record<string, unknown>>>>

/** Returns whether a filter row still fits the people as the server stored them. */
export function isFilterHolding(
  { filter, selects }: FilterRow,
  people: SentPeople,
  tag: string,
  definitions: Discovery.Definitions,
): boolean {
  const parsed = parseFilter(filter(tag))
  const matches = isFailure(parsed) ? parsed : compileFilter(parsed.data, { definitions })
  if (isFailure(matches)) return false
  return NAMES.filter((name) => matches.data(people[name])).join() === selects.join()
}

/** Returns whether a sort row still fits the people as the server stored them. */
export function isOrderHolding(
  row: SortRow,
  people: SentPeople,
  definitions: Discovery.Definitions,
): boolean {
  const compare = compareResources(row, definitions)
  return row.order.every((name, at) => {
    const before = row.order[at - 1]
    return before === undefined || compare(people[before], people[name]) < 0
  })
}

/**
 * Whether a value has what a row expects: the parts of an object, and exactly the elements of a list in any order.
 * Undefined also matches null, false and an empty list or object.
 */
export function isContaining(found: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    const list = Array.isArray(found) ? found : found === undefined || found === null ? [] : [found]
    if (list.length !== expected.length) return false
    return expected.every((one) => list.some((each) => isContaining(each, one)))
  }
  if (isJsonObject(expected)) {
    return Object.entries(expected).every(([name, part]) => {
      return isContaining(isJsonObject(found) ? own(found, name) : undefined, part)
    })
  }
  if (expected === undefined) return !isAssigned(found) || found === false
  return found === expected
}

const NAMES = ['ada', 'bob', 'eve'] as const
