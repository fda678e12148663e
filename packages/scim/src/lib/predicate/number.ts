import { Rejection } from '../filter/rejection.ts'
import type { Operator } from '../filter/tree.ts'
import {
  always,
  COMPARISONS,
  compare,
  isRelational,
  never,
  type RelationalOperator,
} from './predicate.ts'
import type { Translation } from './translation.ts'

/** Compares a number column. Rejects string operators. */
export function translateNumber(
  name: string,
  operator: Operator,
  value: number,
  { whole }: { readonly whole: boolean },
): Translation | Rejection {
  if (!isRelational(operator)) return new Rejection(`'${operator}' cannot compare numbers`)
  if (!Number.isFinite(value)) return { reason: 'the number is too large', superset: null }
  if (!whole) return { exact: compare(name, COMPARISONS[operator], value + 0) }
  if (!Number.isInteger(value)) return betweenWholeNumbers(name, operator, value)
  // A column may have 32 bits, and some databases reject a comparison with a larger number.
  if (value < -MAX_INT32 - 1 || value > MAX_INT32)
    return { reason: 'the number is too large', superset: null }
  return { exact: compare(name, COMPARISONS[operator], value + 0) }
}

/** Rounds the fraction: no whole number equals it, and `above 5.5` is the same as `6 or more`. */
function betweenWholeNumbers(
  name: string,
  operator: RelationalOperator,
  value: number,
): Translation | Rejection {
  if (operator === 'eq') return { exact: never(name) }
  if (operator === 'ne') return { exact: always(name) }
  const above = operator === 'gt' || operator === 'ge'
  return translateNumber(name, above ? 'ge' : 'le', above ? Math.ceil(value) : Math.floor(value), {
    whole: true,
  })
}

const MAX_INT32 = 2 ** 31 - 1
