import { isFailure, type Result, success } from '@plumbline/result'
import type { ScimError } from '../error.ts'
import type { Expression } from '../filter/tree.ts'
import type { IndexedColumnMap } from '../predicate/columns.ts'
import type { Predicate } from '../predicate/predicate.ts'
import { translateFilter } from '../predicate/translate.ts'
import type { Capabilities } from '../predicate/translation.ts'
import { type Dialect, rulesOf } from './dialect.ts'
import type { Fragment, SqlValue } from './fragment.ts'
import { writePredicate } from './write-predicate.ts'

/** Options for `filterToPredicate`. */
export interface FilterToPredicateOptions {
  /**
   * Returns whether an attribute–key table has rows with this `hashedPath`. If it does, only `eq` and `sw` comparisons
   * are exact. Always true by default.
   */
  readonly hasHashes?: ((hashedPath: string) => boolean) | undefined
}

/** A filter divided between the database and memory, as plain data. */
export interface PredicateFilter {
  /** Selects at least the matching rows; null if no condition narrows them. */
  readonly where: Predicate | null
  /** The filter each selected row must still pass; null if the predicate is exact. */
  readonly residual: Expression | null
}

/**
 * Translates a filter into a condition as plain data, for stores that rewrite it before calling `predicateToSql`. A
 * store can look up rare values with the `lookups` of a selection and replace the selection with the ids it found.
 *
 * Fails only with `400 invalidFilter`, when a value does not fit the type of a typed or folded column.
 *
 * @example
 * ```ts
 * import { parseFilter } from '@plumbline/scim/filter'
 * import { filterToPredicate } from '@plumbline/scim/internal'
 * import { unwrap } from '@plumbline/result'
 *
 * const columns = { userName: { column: 'user_name_key', folded: true } } as const
 * const { where } = unwrap(filterToPredicate(unwrap(parseFilter('userName eq "A"')), columns))
 * where?.type === 'comparison' && where.value //=> 'a'
 * ```
 * @see RFC 7644 §3.4.2.2
 */
export function filterToPredicate(
  expression: Expression,
  columns: IndexedColumnMap,
  { hasHashes }: FilterToPredicateOptions = {},
): Result<PredicateFilter, ScimError> {
  const result = translateFilter(expression, columns, { ...SQL_CAPABILITIES, hasHashes })
  if (isFailure(result)) return result
  const { where, residual } = result.data
  return success({ where, residual })
}

/** Options for `predicateToSql`. */
export interface PredicateToSqlOptions {
  /** The database. `mysql` includes MariaDB. */
  readonly dialect: Dialect
  /** The table's name or alias in the statement. */
  readonly table: string
  /**
   * Columns with a single value throughout the statement, such as `{ tenant_id: 7 }`. Selections from other tables
   * compare with this value rather than with the column, so a distributed database can route the statement to one node.
   * None by default.
   */
  readonly known?: Readonly<Record<string, SqlValue>> | undefined
  /**
   * Whether the statement needs all rows, for example to count them. The database may then join the tables. False by
   * default: rows are tested one by one until a page is full.
   */
  readonly isWhole?: boolean | undefined
  /**
   * Whether every string column has a binary collation without padding, such as `text` on SQLite and `text collate "C"`
   * on PostgreSQL. False by default: comparisons then name the collation, and SQLite does not use several indexes for
   * an `or`.
   */
  readonly isBinary?: boolean | undefined
}

/**
 * Writes a predicate as an SQL fragment.
 *
 * @example
 * ```ts
 * import { predicateToSql, renderSql } from '@plumbline/scim/internal'
 *
 * const where = { type: 'null', column: 'title', negated: false } as const
 * const part = predicateToSql(where, { dialect: 'postgres', table: 'users' })
 * renderSql(part, 'postgres').sql //=> '"users"."title" is null'
 * ```
 */
export function predicateToSql(
  predicate: Predicate,
  { dialect, isBinary = false, ...options }: PredicateToSqlOptions,
): Fragment {
  return writePredicate(predicate, { rules: rulesOf(dialect, isBinary), ...options })
}

/** SQL supports an escape character in patterns, `not` and `exists`. */
export const SQL_CAPABILITIES: Capabilities = { escapes: true, negations: true, selections: true }
