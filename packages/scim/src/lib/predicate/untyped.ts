import { Rejection } from '../filter/rejection.ts'
import type { Operator } from '../filter/tree.ts'
import type { AttributeType } from '../schema/types.ts'
import type { UntypedColumn } from './columns.ts'
import { translateNumber } from './number.ts'
import { compare, isNull, logical, notNull, type Predicate } from './predicate.ts'
import { translateIlike, translateText } from './text.ts'
import type { Capabilities, Translation } from './translation.ts'

/** Compares a column without a declared type, based on the value's type. */
export function translateUntyped(
  { kind, name, type }: UntypedColumn,
  operator: Operator,
  value: string | number | boolean,
  capabilities: Capabilities,
): Translation {
  const values = VALUE_TYPES[typeof value as 'string' | 'number' | 'boolean']
  if (type !== null && !values.has(type)) {
    return inexact(`the attribute is of type ${type}, not ${typeof value}`)
  }
  if (typeof value === 'string') {
    return kind === 'ilike'
      ? translateIlike(name, operator, value, capabilities)
      : translateText(name, operator, value, capabilities)
  }
  // PostgreSQL reads a value as the column's type, so a fraction or a long number may be an error.
  if (operator !== 'eq' && operator !== 'ne') {
    return inexact(`${operator} requires a column with a type, as in { column, type }`)
  }
  if (typeof value === 'boolean') return { exact: compare(name, operator, value) }
  if (!Number.isInteger(value)) return inexact('a fraction requires a column of type decimal')
  const translation = translateNumber(name, operator, value, { whole: true })
  return translation instanceof Rejection ? inexact(translation.why) : translation
}

/** Translates `attribute pr`, or its negation, for a column without a declared type. */
export function translateUntypedPresent(
  { name, type }: UntypedColumn,
  negated: boolean,
): Translation {
  if (type === null) {
    const reason = 'pr requires a column with a type, as in { column, type }, or a text column'
    return { reason, superset: negated ? null : notNull(name) }
  }
  if (!VALUE_TYPES.string.has(type) || type === 'dateTime') {
    return { exact: negated ? isNull(name) : notNull(name) }
  }
  return { exact: textPresent(name, negated) }
}

/** RFC 7644 Table 3: `pr` requires a non-empty value. `ne` also excludes rows with null. */
export function textPresent(name: string, negated: boolean): Predicate {
  return negated ? logical('or', [isNull(name), compare(name, 'eq', '')]) : compare(name, 'ne', '')
}

function inexact(reason: string): Translation {
  return { reason, superset: null }
}

/** Attribute types, keyed by the JSON type of their values. */
const VALUE_TYPES: Readonly<Record<'string' | 'number' | 'boolean', ReadonlySet<AttributeType>>> = {
  string: new Set(['string', 'reference', 'binary', 'dateTime']),
  number: new Set(['integer', 'decimal']),
  boolean: new Set(['boolean']),
}
