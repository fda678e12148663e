import { EXPECTATIONS, invalidClause, Rejection, requireAccepted } from '../filter/rejection.ts'
import type { Compare, Operator, Present } from '../filter/tree.ts'
import {
  type Column,
  isUntyped,
  type NamedColumn,
  type PartKeyColumn,
  type UntypedColumn,
} from './columns.ts'
import { translateConstant } from './constant.ts'
import { translateInstant } from './instant.ts'
import { translateKey } from './key.ts'
import { translateNumber } from './number.ts'
import { translatePart, translatePartKey } from './part.ts'
import { compare, EVERY, isNull, logical, NONE, negate, notNull } from './predicate.ts'
import { translateFolded } from './text.ts'
import type { Capabilities, Translation } from './translation.ts'
import { textPresent, translateUntyped, translateUntypedPresent } from './untyped.ts'

/** Translates `attribute pr`, or its negation. */
export function translatePresent(
  expression: Present,
  column: Column,
  negated: boolean,
  capabilities: Capabilities,
): Translation {
  if (column.kind === 'part') return translatePart(expression, column, negated, capabilities)
  if (isUntyped(column)) return translateUntypedPresent(column, negated)
  if (column.kind === 'constant') return { exact: negated ? NONE : EVERY }
  const { kind, name } = column
  if (kind === 'folded' || kind === 'partKey') return { exact: textPresent(name, negated) }
  return { exact: negated ? isNull(name) : notNull(name) }
}

/** Translates a comparison, or its negation. Throws a ScimError if the value does not fit the column's type. */
export function translateCompare(
  expression: Compare,
  column: Column,
  negated: boolean,
  capabilities: Capabilities,
): Translation {
  const { operator, value } = expression
  if (column.kind === 'constant') return translateConstant(expression, column.value, negated)
  if (column.kind === 'part') return translatePart(expression, column, negated, capabilities)
  if (value === null) return translateNull(expression, column, negated)
  const opposite = negated ? NEGATIONS[operator] : operator
  const wanted = opposite ?? operator
  const outcome = isUntyped(column)
    ? translateUntyped(column, wanted, value, capabilities)
    : translators[column.kind](column, wanted, value, capabilities)
  const accepted = requireAccepted(outcome, expression)
  const translation =
    opposite === undefined ? negateMatch(accepted, operator, capabilities) : accepted
  // An unassigned value fails every comparison, so it passes each negated comparison, `ne` included.
  const takesNull = wanted === 'ne' || (negated && operator !== 'ne')
  if ('exact' in translation) {
    return takesNull
      ? { exact: logical('or', [isNull(column.name), translation.exact]) }
      : translation
  }
  const { superset } = translation
  if (!takesNull) return { ...translation, superset: superset ?? notNull(column.name) }
  return { ...translation, superset: superset && logical('or', [isNull(column.name), superset]) }
}

/** Negates a string match in a non-null column. */
function negateMatch(
  positive: Translation,
  operator: Operator,
  { negations }: Capabilities,
): Translation {
  if (!negations) return { reason: `SQL cannot negate ${operator} exactly`, superset: null }
  return 'exact' in positive
    ? { exact: negate(positive.exact) }
    : { reason: positive.reason, superset: null }
}

/** RFC 7643 §2.5: null is unassigned. */
function translateNull(
  expression: Compare,
  { name }: { readonly name: string },
  negated: boolean,
): Translation {
  const { operator } = expression
  if (operator !== 'eq' && operator !== 'ne') {
    throw invalidClause(expression, `'${operator}' cannot compare with null`)
  }
  return { exact: (operator === 'eq') !== negated ? isNull(name) : notNull(name) }
}

/** The operator that is true exactly when the given operator is false. */
const NEGATIONS: Readonly<Partial<Record<Operator, Operator>>> = {
  eq: 'ne',
  ne: 'eq',
  gt: 'le',
  ge: 'lt',
  lt: 'ge',
  le: 'gt',
}

/** Translates a comparison, or rejects a value or an operator the type does not support. */
type Translator = (
  column: NamedColumn | PartKeyColumn,
  operator: Operator,
  value: string | number | boolean,
  capabilities: Capabilities,
) => Translation | Rejection

const translators: Readonly<
  Record<Exclude<NamedColumn['kind'] | 'partKey', UntypedColumn['kind']>, Translator>
> = {
  folded: ({ name }, operator, value, capabilities) =>
    typeof value === 'string'
      ? translateFolded(name, operator, value, capabilities)
      : new Rejection(EXPECTATIONS.string),
  boolean: ({ name }, operator, value) => {
    if (typeof value !== 'boolean') return new Rejection(EXPECTATIONS.boolean)
    if (operator !== 'eq' && operator !== 'ne') {
      return new Rejection(`'${operator}' cannot compare booleans`)
    }
    return { exact: compare(name, operator, value) }
  },
  integer: ({ name }, operator, value) =>
    typeof value === 'number'
      ? translateNumber(name, operator, value, { whole: true })
      : new Rejection(EXPECTATIONS.integer),
  decimal: ({ name }, operator, value) =>
    typeof value === 'number'
      ? translateNumber(name, operator, value, { whole: false })
      : new Rejection(EXPECTATIONS.decimal),
  dateTime: (column, operator, value) =>
    typeof value === 'string' && column.kind === 'dateTime'
      ? translateInstant(column, operator, value)
      : new Rejection(EXPECTATIONS.dateTime),
  key: (column, operator, value) =>
    typeof value === 'string' && column.kind === 'key'
      ? translateKey(column, operator, value)
      : new Rejection(EXPECTATIONS.string),
  partKey: (column, operator, value, capabilities) =>
    column.kind === 'partKey'
      ? translatePartKey(column, operator, value, capabilities)
      : new Rejection(EXPECTATIONS.string),
}
