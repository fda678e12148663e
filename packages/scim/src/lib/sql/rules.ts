import type { Comparison } from '../predicate/predicate.ts'
import { type Fragment, joinFragments, raw, type SqlValue, sql } from './fragment.ts'

/** The syntax and functions that differ between databases. */
export interface DialectRules {
  /** The character around an identifier. */
  readonly quote: '"' | '`'
  /** Returns the placeholder for a value's position, starting at 1. */
  placeholder(position: number): string
  /** Converts a value to a form this database's drivers accept. */
  bind(value: SqlValue): SqlValue
  /** Compares strings by code point, whatever collation the column has. */
  compareText(column: Fragment, operator: Comparison, value: string): Fragment
  /** Returns whether a column contains one of the strings. */
  textIn(column: Fragment, values: readonly string[]): Fragment
  /** Converts a native timestamp column to comparable milliseconds. */
  instant(column: Fragment): Fragment
  /** Compares a native timestamp column. */
  compareTimestamp(column: Fragment, operator: Comparison, value: Date): Fragment
  /** Converts an instant to the value stored in a native timestamp column. */
  timestamp(value: Date): SqlValue
  /** Returns whether a string has letters outside ASCII. */
  isNonAscii(column: Fragment): Fragment
  /** Locks the selected rows until the transaction ends. */
  readonly forUpdate: Fragment
  /**
   * Like `forUpdate`, but other transactions may insert rows that refer to the selected rows; null if no lock is
   * needed.
   */
  readonly forChange: Fragment | null
  /** Locks rows before rows that refer to them are inserted; null if the insertion does it well enough. */
  readonly forReference: Fragment | null
  /** Writes a condition on rows to lock so that its columns do not decide in which order they are locked. */
  unindexed(condition: Fragment): Fragment
  /** Whether a negated selection may become a join with quadratic time. */
  readonly joinsSelections: boolean
  /** Returns a string's or JSON value's byte length. Databases compute it without reading a large value. */
  bytes(column: Fragment): Fragment
  /** Writes a number of up to 64 bits. */
  integer(value: bigint): Fragment
  /** Matches a string against a pattern, such as `['a', '']`, and distinguishes letter case. */
  match(column: Fragment, pieces: readonly string[]): Fragment
  /** Lowercases a string's ASCII letters and orders the result by code point. Other letters may change as well. */
  fold(column: Fragment): Fragment
  /** Writes a folded string in the form `fold` returns for a column. */
  folded(value: string): Fragment
  /** Returns an expression for ordering strings by code point. */
  order(column: Fragment): Fragment
}

/** SQL comparison operators. */
export const OPERATORS: Readonly<Record<Comparison, Fragment>> = {
  eq: raw('='),
  ne: raw('<>'),
  gt: raw('>'),
  gte: raw('>='),
  lt: raw('<'),
  lte: raw('<='),
}

/**
 * Adapts the rules to columns already compared by code point. SQLite uses several indexes for an `or` only if the
 * comparisons do not name a collation.
 */
export function forBinaryColumns(rules: DialectRules): DialectRules {
  return {
    ...rules,
    compareText: (column, operator, value) => sql`${column} ${OPERATORS[operator]} ${value}`,
    textIn: (column, values) => sql`${column} in ${listOf(values.map((value) => sql`${value}`))}`,
    order: (column) => column,
  }
}

/** Writes a `like` pattern with the escape character `!`. */
export function likePattern(pieces: readonly string[]): string {
  return pieces.map((piece) => piece.replace(/[!%_]/g, '!$&')).join('%')
}

/** Joins values into a parenthesized list. */
export function listOf(values: readonly Fragment[]): Fragment {
  return sql`(${joinFragments(values, ', ')})`
}
