import { isFailure, type Result, success } from '@plumbline/result'
import type { ScimError } from '../error.ts'
import type { Expression } from '../filter/tree.ts'
import type { IndexedColumnMap, SqlColumnMap } from '../predicate/columns.ts'
import { EVERY } from '../predicate/predicate.ts'
import { type Dialect, render, rulesOf } from './dialect.ts'
import { filterToPredicate } from './filter-to-predicate.ts'
import type { Fragment, SqlValue } from './fragment.ts'
import { type WriteOptions, writePredicate } from './write-predicate.ts'

/** Options for `filterToSql`. */
export interface FilterToSqlOptions {
  /** The database. `mysql` includes MariaDB. */
  readonly dialect: Dialect
  /**
   * The table's name or alias in the statement, used to qualify its columns. Required if an attribute is in a separate
   * table.
   */
  readonly table?: string | undefined
  /** How many parameters come before the condition in the statement. PostgreSQL numbers them: `$1`. 0 by default. */
  readonly offset?: number | undefined
}

/** A filter as an SQL condition, plus the filter that still has to run in memory. */
export interface SqlFilter {
  /** The condition. Selects at least the matching rows; `1 = 1` if no condition narrows them. */
  readonly sql: string
  /** The parameters, in placeholder order. */
  readonly parameters: readonly SqlValue[]
  /**
   * The condition as the strings between the placeholders, for libraries with a template tag:
   * `sql(strings, ...parameters)` in Kysely and Drizzle.
   */
  readonly strings: TemplateStringsArray
  /** The filter each selected row must still pass; null if the condition is exact. */
  readonly residual: Expression | null
}

/**
 * Translates a filter into an SQL condition, which selects at least the matching rows, and a filter to run over those
 * rows in memory. Filter values become parameters, never SQL text.
 *
 * If `residual` is null, the condition is exact: it selects the same rows as `compileFilter`, whatever collation the
 * columns have. Call `compileFilter` first: it knows the definitions and rejects every invalid filter.
 *
 * Fails only with `400 invalidFilter`, when a value does not fit the type of a typed or folded column. Throws a
 * `TypeError` if the map has a table for an attribute and `table` is missing.
 *
 * @example
 * ```ts
 * import { parseFilter } from '@plumbline/scim/filter'
 * import { filterToSql } from '@plumbline/scim/sql'
 * import { unwrap } from '@plumbline/result'
 *
 * const columns = {
 *   userName: { column: 'email', caseExact: false },
 *   emails: { table: 'user_emails', on: { user_id: 'id' }, columns: { value: 'address' } },
 * } as const
 * const filter = unwrap(parseFilter('userName eq "BJensen" and emails.value pr'))
 * const where = unwrap(filterToSql(filter, columns, { dialect: 'sqlite', table: 'users' }))
 * where.sql.startsWith('(lower("users"."email") = ? and exists (select 1 from "user_emails"') //=> true
 * where.parameters //=> ['bjensen', '']
 * where.residual //=> null
 * ```
 * @see RFC 7644 §3.4.2.2
 */
export function filterToSql(
  expression: Expression,
  columns: SqlColumnMap,
  { dialect, table, offset = 0 }: FilterToSqlOptions,
): Result<SqlFilter, ScimError> {
  requireTable(columns, table)
  const rules = rulesOf(dialect)
  const result = filterFragment(expression, columns, { rules, table: table ?? null })
  if (isFailure(result)) return result
  const { where, residual } = result.data
  const strings = Object.assign([...where.strings], { raw: where.strings })
  return success({ ...render(where, rules, offset), strings, residual })
}

/** Translates a filter into an SQL fragment. */
export function filterFragment(
  expression: Expression,
  columns: IndexedColumnMap,
  options: WriteOptions,
): Result<{ readonly where: Fragment; readonly residual: Expression | null }, ScimError> {
  const result = filterToPredicate(expression, columns)
  if (isFailure(result)) return result
  const { where, residual } = result.data
  return success({ where: writePredicate(where ?? EVERY, options), residual })
}

/** In a selection from another table, an unqualified name could match a column in that table. */
function requireTable(columns: SqlColumnMap, table: string | undefined): void {
  if (table !== undefined) return
  for (const [path, entry] of Object.entries(columns)) {
    if (typeof entry === 'object' && ('table' in entry || 'rows' in entry)) {
      throw new TypeError(`${path} is in a table of its own, so the option table is required`)
    }
  }
}
