import { EXPECTATIONS, Rejection } from '../filter/rejection.ts'
import type { Operator } from '../filter/tree.ts'
import { parseInstant } from '../values/instant.ts'
import type { Column, InstantFormat } from './columns.ts'
import {
  always,
  COMPARISONS,
  compare,
  isRelational,
  never,
  type PredicateValue,
} from './predicate.ts'
import type { Translation } from './translation.ts'

/** Compares a column with instants. Rejects other values and string operators. */
export function translateInstant(
  { name, format }: Column & { readonly kind: 'dateTime' },
  operator: Operator,
  value: string,
): Translation | Rejection {
  const instant = parseInstant(value)
  if (instant === null) return new Rejection(EXPECTATIONS.dateTime)
  if (!isRelational(operator)) return new Rejection(`'${operator}' cannot compare instants`)
  const { milliseconds, finer } = instant
  const unit = format === 'seconds' ? 1000 : 1
  const whole = Math.floor(milliseconds / unit)
  const stored = storeInstant(whole, format)
  if (finer === '' && whole * unit === milliseconds) {
    return { exact: compare(name, COMPARISONS[operator], stored) }
  }
  // The value is between two units: no row is equal, and a row at the lower unit is before the value.
  const comparison = FINER[operator]
  if (comparison !== undefined) return { exact: compare(name, comparison, stored) }
  return { exact: operator === 'eq' ? never(name) : always(name) }
}

/** Converts an instant, in the column's own unit, to its stored form. */
function storeInstant(instant: number, format: InstantFormat): PredicateValue {
  switch (format) {
    case 'milliseconds':
    case 'seconds':
      return instant
    case 'text':
      return new Date(instant).toISOString()
    case 'timestamp':
      return new Date(instant)
  }
}

const FINER: Readonly<Partial<Record<Operator, 'gt' | 'lte'>>> = {
  gt: 'gt',
  ge: 'gt',
  lt: 'lte',
  le: 'lte',
}
