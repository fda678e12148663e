import type { Operator } from '../filter/tree.ts'
import { parseInstant } from '../values/instant.ts'
import type { Column } from './columns.ts'
import { always, compare, never } from './predicate.ts'
import type { Translation } from './translation.ts'

/** Compares a column of whole milliseconds. Returns a string if it rejects the value or the operator. */
export function translateInstant(
  { name, format }: Column & { readonly kind: 'dateTime' },
  operator: Operator,
  value: string,
): Translation | string {
  const instant = parseInstant(value)
  if (instant === null) return 'the value must be a dateTime such as "2026-01-31T12:00:00Z"'
  if (operator === 'co' || operator === 'sw' || operator === 'ew') {
    return `'${operator}' cannot compare instants`
  }
  const { milliseconds, finer } = instant
  const stored = format === 'milliseconds' ? milliseconds : new Date(milliseconds).toISOString()
  if (finer === '') return { exact: compare(name, WHOLE[operator], stored) }
  // Between two milliseconds: no row is equal, and a row at the first of them is before the value.
  const comparison = FINER[operator]
  if (comparison !== undefined) return { exact: compare(name, comparison, stored) }
  return { exact: operator === 'eq' ? never(name) : always(name) }
}

type Ordered = Exclude<Operator, 'co' | 'sw' | 'ew'>

const WHOLE: Readonly<Record<Ordered, 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'>> = {
  eq: 'eq',
  ne: 'ne',
  gt: 'gt',
  ge: 'gte',
  lt: 'lt',
  le: 'lte',
}

const FINER: Readonly<Partial<Record<Operator, 'gt' | 'lte'>>> = {
  gt: 'gt',
  ge: 'gt',
  lt: 'lte',
  le: 'lte',
}
