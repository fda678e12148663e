import { DIALECTS, render } from '../dialect.ts'
import { type Fragment, joinFragments, type SqlValue, sql } from '../fragment.ts'
import { writeColumn, writeName } from '../names.ts'
import type { DialectRules } from '../rules.ts'
import type { StoreMap } from './fields.ts'
import { prepareMap } from './map.ts'
import type { SqlRow, SqlStoreOptions } from './types.ts'

/** A prepared store, without the context of a request. */
export interface Session<Context> {
  readonly options: SqlStoreOptions<Context>
  readonly map: StoreMap
  readonly rules: DialectRules
  /** Runs a statement and returns its rows. */
  run(statement: Fragment, context: Context): Promise<readonly SqlRow[]>
  /** Quotes a name. */
  name(name: string): Fragment
  /** A column of the table of the resources. */
  column(name: string): Fragment
  /** The condition of every statement: the tenant, and the columns with one value. */
  scope(context: Context): Fragment
}

export function createSession<Context>(options: SqlStoreOptions<Context>): Session<Context> {
  const rules = DIALECTS[options.dialect]
  const { table, tenant, where = {}, execute } = options
  const column = (name: string): Fragment => writeColumn(name, table, rules)
  return {
    options,
    map: prepareMap(options, tenant?.column ?? null),
    rules,
    run: async (statement, context) => {
      const { sql: text, parameters } = render(statement, rules)
      const rows = await execute(text, parameters, context)
      return Array.isArray(rows) ? rows : []
    },
    name: (name) => writeName(name, rules),
    column,
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

/** The conditions that select a list of keys, as many as fit into one statement each. */
export function chunk<Value>(values: readonly Value[], size = 500): Value[][] {
  const chunks: Value[][] = []
  for (let at = 0; at < values.length; at += size) chunks.push(values.slice(at, at + size))
  return chunks
}

/** Values as they are bound in a list. */
export function bindList(values: readonly SqlValue[]): Fragment {
  return joinFragments(
    values.map((value) => sql`${value}`),
    ', ',
  )
}
