import { EXPECTATIONS, Rejection } from '../filter/rejection.ts'
import type { Operator } from '../filter/tree.ts'
import { parseInstant } from '../values/instant.ts'
import type { Column } from './columns.ts'
import { always, COMPARISONS, compare, isRelational, never } from './predicate.ts'
import type { Translation } from './translation.ts'

/** Compares a column of whole milliseconds. Rejects other values, and the operators of strings. */
export function translateInstant(
  { name, format }: Column & { readonly kind: 'dateTime' },
  operator: Operator,
  value: string,
): Translation | Rejection {
  const instant = parseInstant(value)
  if (instant === null) return new Rejection(EXPECTATIONS.dateTime)
  if (!isRelational(operator)) return new Rejection(`'${operator}' cannot compare instants`)
  const { milliseconds, finer } = instant
  const stored = format === 'milliseconds' ? milliseconds : new Date(milliseconds).toISOString()
  if (finer === '') return { exact: compare(name, COMPARISONS[operator], stored) }
  // Between two milliseconds: no row is equal, and a row at the first of them is before the value.
  const comparison = FINER[operator]
  if (comparison !== undefined) return { exact: compare(name, comparison, stored) }
  return { exact: operator === 'eq' ? never(name) : always(name) }
}

const FINER: Readonly<Partial<Record<Operator, 'gt' | 'lte'>>> = {
  gt: 'gt',
  ge: 'gt',
  lt: 'lte',
  le: 'lte',
}
