import type { Comparison } from '../predicate/predicate.ts'
import { type Fragment, joinFragments, raw, type SqlValue, sql } from './fragment.ts'

/** How a database writes the parts of a statement that differ between databases. */
export interface DialectRules {
  /** The character around an identifier. */
  readonly quote: '"' | '`'
  /** The placeholder of a value, by its position from 1. */
  placeholder(position: number): string
  /** The value as drivers of this database accept it. */
  bind(value: SqlValue): SqlValue
  /** Compares strings by their code points, whatever the collation of the column is. */
  compareText(column: Fragment, operator: Comparison, value: string): Fragment
  /** Whether a column contains one of the strings. */
  textIn(column: Fragment, values: readonly string[]): Fragment
  /** The milliseconds of a column of the database's own type of timestamps, in a form that can be compared. */
  instant(column: Fragment): Fragment
  /** Compares a column of the database's own type of timestamps. */
  compareTimestamp(column: Fragment, operator: Comparison, value: Date): Fragment
  /** The value that is stored in a column of the database's own type of timestamps. */
  timestamp(value: Date): SqlValue
  /** Whether a string has letters outside of ASCII. */
  isNonAscii(column: Fragment): Fragment
  /** Locks the selected rows until the end of the transaction. */
  readonly forUpdate: Fragment
  /** The number of bytes of a string or of JSON. Databases return it without reading a large value. */
  bytes(column: Fragment): Fragment
  /** A number that may have 64 bits. */
  integer(value: bigint): Fragment
  /** Matches a string with a pattern in the letter case of both, such as `['a', '']`. */
  match(column: Fragment, pieces: readonly string[]): Fragment
  /** The string with its ASCII letters in lower case, ordered by code point. Other letters may change as well. */
  fold(column: Fragment): Fragment
  /** A folded string, as `fold` returns that of a column. */
  folded(value: string): Fragment
  /** The expression that orders strings by code point. */
  order(column: Fragment): Fragment
}

/** The operators of SQL. */
export const OPERATORS: Readonly<Record<Comparison, Fragment>> = {
  eq: raw('='),
  ne: raw('<>'),
  gt: raw('>'),
  gte: raw('>='),
  lt: raw('<'),
  lte: raw('<='),
}

/**
 * The rules for columns that already compare strings by their code points. SQLite uses several indexes for an `or` only if
 * its comparisons do not name a collation.
 */
export function forBinaryColumns(rules: DialectRules): DialectRules {
  return {
    ...rules,
    compareText: (column, operator, value) => sql`${column} ${OPERATORS[operator]} ${value}`,
    textIn: (column, values) => sql`${column} in ${listOf(values.map((value) => sql`${value}`))}`,
    order: (column) => column,
  }
}

/** A pattern of `like` with the escape character `!`. */
export function likePattern(pieces: readonly string[]): string {
  return pieces.map((piece) => piece.replace(/[!%_]/g, '!$&')).join('%')
}

/** A list of values in parentheses. */
export function listOf(values: readonly Fragment[]): Fragment {
  return sql`(${joinFragments(values, ', ')})`
}
