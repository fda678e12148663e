import { isFailure, type Result, success } from '@plumbline/result'
import type { ScimError } from '../error.ts'
import type { Expression } from '../filter/tree.ts'
import type { SqlColumnMap } from '../predicate/columns.ts'
import type { Predicate } from '../predicate/predicate.ts'
import { translateFilter } from '../predicate/translate.ts'
import type { Capabilities } from '../predicate/translation.ts'
import { type Dialect, rulesOf } from './dialect.ts'
import type { Fragment, SqlValue } from './fragment.ts'
import { writePredicate } from './write-predicate.ts'

/** The options of `filterToPredicate`. */
export interface FilterToPredicateOptions {
  /**
   * Returns whether a table with rows of attribute and key has rows with a `hashedPath`. If it has, comparisons other than
   * `eq` and `sw` are not exact. Always true by default.
   */
  readonly hasHashes?: ((hashedPath: string) => boolean) | undefined
}

/** A filter divided between the database and memory, as data. */
export interface PredicateFilter {
  /** Selects the rows that match, or more; null if no condition narrows them. */
  readonly where: Predicate | null
  /** The filter that each selected row must still pass; null if the predicate is exact. */
  readonly residual: Expression | null
}

/**
 * Translates a filter into a condition as data, for stores that change it before they write it with `predicateToSql`:
 * they may look up rare values by the `lookups` of its selections, and replace a selection by the ids that they found.
 *
 * Fails only with `400 invalidFilter`, for a value that does not fit the type of a typed or folded column.
 *
 * @example
 * ```ts
 * import { parseFilter } from '@plumbline/scim/filter'
 * import { filterToPredicate } from '@plumbline/scim/sql'
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
  columns: SqlColumnMap,
  { hasHashes }: FilterToPredicateOptions = {},
): Result<PredicateFilter, ScimError> {
  const result = translateFilter(expression, columns, { ...SQL_CAPABILITIES, hasHashes })
  if (isFailure(result)) return result
  const { where, residual } = result.data
  return success({ where, residual })
}

/** The options of `predicateToSql`. */
export interface PredicateToSqlOptions {
  /** The database. `mysql` is also MariaDB. */
  readonly dialect: Dialect
  /** The name or the alias of the table in the statement. */
  readonly table: string
  /**
   * The columns of the table that have one value in the statement, such as `{ tenant_id: 7 }`. A selection from another
   * table compares with the value instead of the column, as a distributed database requires to route it to one node. None
   * by default.
   */
  readonly known?: Readonly<Record<string, SqlValue>> | undefined
  /**
   * Whether the statement needs all rows, such as to count them. The database may then join the tables. False by default:
   * it tests row after row, until a page is full.
   */
  readonly isWhole?: boolean | undefined
  /**
   * Whether every column of strings has a binary collation without padding, such as `text` on SQLite and
   * `text collate "C"` on PostgreSQL. False by default: then comparisons name the collation, and SQLite does not use
   * several indexes for an `or`.
   */
  readonly isBinary?: boolean | undefined
}

/**
 * Writes a condition as a part of a statement.
 *
 * @example
 * ```ts
 * import { predicateToSql, renderSql } from '@plumbline/scim/sql'
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

/** SQL has an escape character for patterns, `not` and `exists`. */
export const SQL_CAPABILITIES: Capabilities = { escapes: true, negations: true, selections: true }
