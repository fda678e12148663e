import { EXPECTATIONS, invalidClause, Rejection } from '../filter/rejection.ts'
import type { Compare, Operator, Present } from '../filter/tree.ts'
import { fold } from '../values/fold.ts'
import type { PartColumn, PartKeyColumn, ValueKeys, ValuePart } from './columns.ts'
import {
  COMPARISONS,
  compare,
  isRelational,
  logical,
  type Match,
  NONE,
  negate,
  notNull,
  type Predicate,
  selection,
} from './predicate.ts'
import { startsWith } from './text.ts'
import type { Capabilities, Translation } from './translation.ts'
import { keyableStart, MARK, MAX_CODE_UNITS } from './value-keys.ts'

/** Translates a comparison with a part in its own rows, or its negation. */
export function translatePart(
  expression: Compare | Present,
  column: PartColumn,
  negated: boolean,
  capabilities: Capabilities,
): Translation {
  const { part } = column
  const paths = [part.path, part.hashedPath]
  if (expression.type === 'present') return some(column, { ...ALL, paths, of: isFilled }, negated)
  const { operator, value } = expression
  if (value === null) {
    if (operator !== 'eq' && operator !== 'ne') {
      throw invalidClause(expression, `'${operator}' cannot compare with null`)
    }
    // RFC 7643 §2.5: null is unassigned.
    return some(column, { ...ALL, paths, of: notNull }, (operator === 'eq') !== negated)
  }
  // A part has one value, so `ne` is the negation of `eq`.
  const isOpposite = operator === 'ne'
  const test = testKey(column, isOpposite ? 'eq' : operator, value, capabilities)
  return test === null ? UNKNOWN : some(column, test, isOpposite !== negated)
}

/** Translates a comparison with a part's key column. */
export function translatePartKey(
  column: PartKeyColumn,
  operator: Operator,
  value: string | number | boolean,
  capabilities: Capabilities,
): Translation | Rejection {
  if (typeof value !== 'string') return new Rejection(EXPECTATIONS.string)
  const test = testKey(column, operator === 'ne' ? 'eq' : operator, value, capabilities)
  if (test === null) return UNKNOWN
  const where = test.of(column.name)
  if (test.isExact) return { exact: operator === 'ne' ? negate(where) : where }
  return { reason: HASHED, superset: where }
}

/** A test on a part's rows. */
interface KeyTest {
  /** The paths of rows that can match. */
  readonly paths: readonly string[]
  /** Builds the condition on a key column. */
  readonly of: (column: string) => Predicate
  /** Whether only matching values pass; otherwise others may pass, too. */
  readonly isExact: boolean
  /** Whether an index finds the passing rows. */
  readonly isIndexed: boolean
  /** The key, if the test only compares with it. */
  readonly key?: string
}

/** Tests whether some row of the value passes, or none if negated. */
function some(
  { join, columns }: PartColumn,
  { paths, of, isExact, isIndexed, key }: KeyTest,
  negated: boolean,
): Translation {
  const [path = ''] = paths
  const ofPath: Predicate =
    paths.length === 1
      ? compare(columns.attribute, 'eq', path)
      : { type: 'in', column: columns.attribute, values: paths }
  const where = logical('and', [ofPath, of(columns.key)])
  const exists = selection({
    join,
    where,
    negated: false,
    lookups: isIndexed ? [where] : [],
    equal: key === undefined ? undefined : { path, key },
  })
  if (isExact) return { exact: negated ? negate(exists) : exists }
  return { reason: HASHED, superset: negated ? null : exists }
}

/** Returns a comparison's test, except for `ne`; null if keys cannot express it. */
function testKey(
  { part, keys }: { readonly part: ValuePart; readonly keys: ValueKeys },
  operator: Operator,
  value: string | number | boolean,
  { hasHashes = () => true }: Capabilities,
): KeyTest | null {
  const lookup = keys.of(part, value)
  if (lookup === null) return null
  const { key, isWhole } = lookup
  if (operator === 'eq') {
    const paths = [isWhole ? part.path : part.hashedPath]
    return { paths, of: (column) => compare(column, 'eq', key), ...ALL, isIndexed: true, key }
  }
  const paths = [part.path, part.hashedPath]
  const text = part.kind === 'text' ? (part.caseExact ? String(value) : fold(String(value))) : key
  if (operator === 'sw' && part.kind === 'text') return { ...startTest(text), paths }
  const test = otherTest(part, operator, text)
  if (test === null) return null
  if (!hasHashes(part.hashedPath)) return { ...ALL, paths, of: test }
  const orHashed = (column: string) => logical('or', [test(column), match(column, ['', MARK, ''])])
  return { ...ALL, paths, of: orHashed, isExact: false }
}

function startTest(text: string): Omit<KeyTest, 'paths'> {
  const start = keyableStart(text)
  return {
    of: (column) => (start === '' ? notNull(column) : startsWith(column, start)),
    isExact: start === text,
    isIndexed: start !== '',
  }
}

/** Tests a substring or an order against whole keys. */
function otherTest({ kind }: ValuePart, operator: Operator, text: string): KeyTest['of'] | null {
  // UTF-8 cannot encode a lone surrogate, which is also half of other characters. The filter parser rejects it.
  if (!text.isWellFormed()) return null
  // A database does not accept U+0000.
  if (isRelational(operator)) {
    return text.includes('\0') ? null : (column) => compare(column, COMPARISONS[operator], text)
  }
  if (kind !== 'text') return null
  // No whole key contains it.
  if (text.length > MAX_CODE_UNITS || text.includes('\0')) return () => NONE
  const end = operator === 'co' ? [''] : []
  return (column) => match(column, ['', text, ...end])
}

/** Tests whether a column's value is not empty. */
export function isFilled(column: string): Predicate {
  return compare(column, 'ne', '')
}

function match(column: string, pieces: readonly string[]): Match {
  return { type: 'match', column, pieces, folded: false, negated: false }
}

const ALL = { isExact: true, isIndexed: false } as const
const HASHED = 'some values are too long for the index'
const UNKNOWN: Translation = { reason: 'the keys of the values cannot express it', superset: null }
