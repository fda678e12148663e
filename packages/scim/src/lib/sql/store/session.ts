import type { Expression } from '../../filter/tree.ts'
import type { SqlColumnMap } from '../../predicate/columns.ts'
import { render, rulesOf } from '../dialect.ts'
import { type Fragment, joinFragments, sql } from '../fragment.ts'
import { writeColumn, writeName } from '../names.ts'
import { narrowFilter } from '../narrow-filter.ts'
import type { DialectRules } from '../rules.ts'
import { writePredicate } from '../write-predicate.ts'
import type { StoreMap } from './fields.ts'
import { prepareMap } from './map.ts'
import { checkOptions } from './options.ts'
import { createProbe } from './probe.ts'
import { requireRows } from './results.ts'
import type { SqlRow, SqlStoreOptions } from './types.ts'
import { violationOf } from './violations.ts'

/** A prepared store, without a request's context. */
export interface Session<Context> {
  readonly options: SqlStoreOptions<Context>
  readonly map: StoreMap
  readonly rules: DialectRules
  /** Runs a statement and returns the result of `execute`. */
  execute(statement: Fragment, context: Context): Promise<unknown>
  /**
   * Before the first insert of a store, throws a TypeError if `execute` renames columns, or does not return what a write
   * needs. A row must not be inserted if it cannot be read. `column` is one that the insert sets.
   */
  probe(column: string, context: Context): Promise<void>
  /** Runs a statement and returns its rows. */
  run(statement: Fragment, context: Context): Promise<readonly SqlRow[]>
  /** Quotes a name. */
  name(name: string): Fragment
  /** Qualifies a column in the resource table. */
  column(name: string): Fragment
  /** The condition in every statement: the tenant, and the columns with a fixed value. */
  scope(context: Context): Fragment
  /**
   * Translates a filter, and looks up values in other tables. Each selection from another table binds the tenant as a
   * separate parameter.
   */
  filter(
    expression: Expression,
    columns: SqlColumnMap,
    context: Context,
  ): Promise<{ readonly where: Fragment | null; readonly residual: Expression | null }>
}

export function createSession<Context>(given: SqlStoreOptions<Context>): Session<Context> {
  const options = checkOptions(given)
  const { table, tenant, where = {}, dialect, isBinary } = options
  const rules = rulesOf(dialect, isBinary)
  const map = prepareMap(options, tenant?.column ?? null)
  const column = (name: string): Fragment => writeColumn(name, table, rules)
  const execute = async (statement: Fragment, context: Context): Promise<unknown> => {
    const { sql: text, parameters } = render(statement, rules)
    try {
      return await options.execute(text, parameters, context)
    } catch (error) {
      throw violationOf(error, { map, options }, statement) ?? error
    }
  }
  const run = async (statement: Fragment, context: Context): Promise<readonly SqlRow[]> => {
    return requireRows(await execute(statement, context), statement, dialect)
  }
  return {
    options,
    map,
    rules,
    execute,
    probe: createProbe({ options, map, rules, execute, run }),
    run,
    name: (name) => writeName(name, rules),
    column,
    filter: async (expression, columns, context) => {
      const known = tenant && { [tenant.column]: tenant.value(context) }
      const { where, residual } = await narrowFilter(expression, columns, {
        run: (statement) => run(statement, context),
        dialect,
        isBinary,
        known,
        id: map.id.name,
        index: map.index ?? undefined,
      })
      return { where: where && writePredicate(where, { rules, table, known }), residual }
    },
    scope: (context) => {
      const fixed = Object.entries(where).map(([name, value]) =>
        value === null ? sql`${column(name)} is null` : sql`${column(name)} = ${value}`,
      )
      const own =
        tenant === undefined ? [] : [sql`${column(tenant.column)} = ${tenant.value(context)}`]
      const conditions = [...own, ...fixed]
      return conditions.length === 0 ? sql`1 = 1` : joinFragments(conditions, ' and ')
    },
  }
}
