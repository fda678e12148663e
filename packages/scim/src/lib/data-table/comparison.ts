import { badRequest, type ScimError } from '../error.ts'
import { excerptOf } from '../filter/stringify.ts'
import type { Compare, Operator, Present } from '../filter/tree.ts'
import { type Column, isUntyped, type UntypedColumn } from './columns.ts'
import { translateInstant } from './instant.ts'
import { translateNumber } from './number.ts'
import { compare, isNull, logical, notNull } from './predicate.ts'
import { translateFolded } from './text.ts'
import type { Translation } from './translation.ts'
import { textPresent, translateUntyped, translateUntypedPresent } from './untyped.ts'

/** Translates `attribute pr`, or its negation. */
export function translatePresent(column: Column, negated: boolean): Translation {
  if (isUntyped(column)) return translateUntypedPresent(column, negated)
  const { kind, name } = column
  if (kind === 'folded') return { exact: textPresent(name, negated) }
  return { exact: negated ? isNull(name) : notNull(name) }
}

/** Translates a comparison, or its negation. Throws a ScimError if the value does not fit the column's type. */
export function translateCompare(
  expression: Compare,
  column: Column,
  negated: boolean,
): Translation {
  const { operator, value } = expression
  if (value === null) return translateNull(expression, column, negated)
  const wanted = negated ? (NEGATIONS[operator] ?? null) : operator
  if (wanted === null) {
    return { reason: `SQL cannot negate ${operator} exactly`, superset: null }
  }
  const made = isUntyped(column)
    ? translateUntyped(column, wanted, value)
    : translators[column.kind](column, wanted, value)
  if (typeof made === 'string') throw mismatch(expression, made)
  // An unassigned value fails every comparison, so it passes each negated comparison, `ne` included.
  const takesNull = wanted === 'ne' || (negated && operator !== 'ne')
  if (takesNull) {
    return 'exact' in made ? { exact: logical('or', [isNull(column.name), made.exact]) } : made
  }
  return 'exact' in made ? made : { ...made, superset: made.superset ?? notNull(column.name) }
}

/** RFC 7643 §2.5: null is unassigned. */
function translateNull(expression: Compare, { name }: Column, negated: boolean): Translation {
  const { operator } = expression
  if (operator !== 'eq' && operator !== 'ne') {
    throw mismatch(expression, `'${operator}' cannot compare with null`)
  }
  return { exact: (operator === 'eq') !== negated ? isNull(name) : notNull(name) }
}

function mismatch(expression: Compare | Present, why: string): ScimError {
  return badRequest('invalidFilter', `${excerptOf(expression)}: ${why}`)
}

/** The operator that holds for a value if and only if the given operator does not. */
const NEGATIONS: Readonly<Partial<Record<Operator, Operator>>> = {
  eq: 'ne',
  ne: 'eq',
  gt: 'le',
  ge: 'lt',
  lt: 'ge',
  le: 'gt',
}

/** Returns a string, the reason, if the column type does not support the value or the operator. */
type Translator = (
  column: Column,
  operator: Operator,
  value: string | number | boolean,
) => Translation | string

const translators: Readonly<Record<Exclude<Column['kind'], UntypedColumn['kind']>, Translator>> = {
  folded: ({ name }, operator, value) =>
    typeof value === 'string'
      ? translateFolded(name, operator, value)
      : 'the value must be a string',
  boolean: ({ name }, operator, value) => {
    if (typeof value !== 'boolean') return 'the value must be true or false'
    if (operator !== 'eq' && operator !== 'ne') return `'${operator}' cannot compare booleans`
    return { exact: compare(name, operator, value) }
  },
  integer: ({ name }, operator, value) =>
    typeof value === 'number'
      ? translateNumber(name, operator, value, { whole: true })
      : 'the value must be a number',
  decimal: ({ name }, operator, value) =>
    typeof value === 'number'
      ? translateNumber(name, operator, value, { whole: false })
      : 'the value must be a number',
  dateTime: (column, operator, value) =>
    typeof value === 'string' && column.kind === 'dateTime'
      ? translateInstant(column, operator, value)
      : 'the value must be a dateTime such as "2026-01-31T12:00:00Z"',
}
