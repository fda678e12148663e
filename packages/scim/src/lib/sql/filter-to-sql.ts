import { isFailure, type Result, success } from '@plumbline/result'
import type { ScimError } from '../error.ts'
import type { Expression } from '../filter/tree.ts'
import type { SqlColumnMap } from '../predicate/columns.ts'
import { logical } from '../predicate/predicate.ts'
import { DIALECTS, type Dialect, render } from './dialect.ts'
import { filterToPredicate } from './filter-to-predicate.ts'
import type { Fragment, SqlValue } from './fragment.ts'
import { type WriteOptions, writePredicate } from './write-predicate.ts'

/** The options of `filterToSql`. */
export interface FilterToSqlOptions {
  /** The database. `mysql` is also MariaDB. */
  readonly dialect: Dialect
  /**
   * The name or the alias of the table in the statement. Its columns are qualified by it. Required if an attribute
   * is in a table of its own.
   */
  readonly table?: string | undefined
  /** How many values precede the condition in the statement. PostgreSQL numbers them: `$1`. 0 by default. */
  readonly offset?: number | undefined
}

/** A filter as a condition of SQL, and the filter that still has to run in memory. */
export interface SqlFilter {
  /** The condition. It selects the rows that match, or more; `1 = 1` if no condition narrows them. */
  readonly sql: string
  /** The values of the placeholders, in their order. */
  readonly parameters: readonly SqlValue[]
  /**
   * The condition as the strings between the placeholders, for libraries with a template tag:
   * `sql(strings, ...parameters)` in Kysely and Drizzle.
   */
  readonly strings: TemplateStringsArray
  /** The filter that each selected row must still pass; null if the condition is exact. */
  readonly residual: Expression | null
}

/**
 * Translates a filter into a condition of SQL that selects the matching rows or more, and the filter that must
 * still run over them in memory. The values of the filter are parameters, never a part of the text.
 *
 * The condition is exact if `residual` is null: it selects the rows that `compileFilter` selects, whatever the
 * collation of the columns is. Call `compileFilter` first, because it knows the definitions and rejects every
 * filter that is not valid.
 *
 * Fails only with `400 invalidFilter`, for a value that does not fit the type of a typed or folded column. Throws
 * a `TypeError` if the map has a table for an attribute and `table` is missing.
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
  const options = { rules: DIALECTS[dialect], table: table ?? null }
  const result = filterFragment(expression, columns, options)
  if (isFailure(result)) return result
  const { where, residual } = result.data
  const strings = Object.assign([...where.strings], { raw: where.strings })
  return success({ ...render(where, DIALECTS[dialect], offset), strings, residual })
}

/** A filter as a part of a statement. */
export function filterFragment(
  expression: Expression,
  columns: SqlColumnMap,
  options: WriteOptions,
): Result<{ readonly where: Fragment; readonly residual: Expression | null }, ScimError> {
  const result = filterToPredicate(expression, columns)
  if (isFailure(result)) return result
  const { where, residual } = result.data
  return success({ where: writePredicate(where ?? EVERY, options), residual })
}

/** Inside a selection from another table, a name without a table could be that of a column of the other table. */
function requireTable(columns: SqlColumnMap, table: string | undefined): void {
  if (table !== undefined) return
  for (const [path, entry] of Object.entries(columns)) {
    if (typeof entry === 'object' && ('table' in entry || 'rows' in entry)) {
      throw new TypeError(`${path} is in a table of its own, so the option table is required`)
    }
  }
}

const EVERY = logical('and', [])
