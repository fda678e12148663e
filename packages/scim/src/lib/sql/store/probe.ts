import { cellOf } from '../cells.ts'
import { type Fragment, joinFragments, sql } from '../fragment.ts'
import { writeName } from '../names.ts'
import type { DialectRules } from '../rules.ts'
import type { StoreMap } from './fields.ts'
import { readNames } from './read-names.ts'
import { hasInsertId, requireRows } from './results.ts'
import type { SqlRow, SqlStoreOptions } from './types.ts'

/** A store to check. */
interface Probed<Context> {
  readonly options: SqlStoreOptions<Context>
  readonly map: StoreMap
  readonly rules: DialectRules
  execute(statement: Fragment, context: Context): Promise<unknown>
  run(statement: Fragment, context: Context): Promise<readonly SqlRow[]>
}

/** Creates the check that runs before the first insert of a store. */
export function createProbe<Context>(
  probed: Probed<Context>,
): (column: string, context: Context) => Promise<void> {
  let isDone = false
  return async (column, context) => {
    if (isDone) return
    await requireNames(probed, context)
    await requireResult(probed, column, context)
    isDone = true
  }
}

/** Selects constants with the names of the columns, because the table may be empty. */
async function requireNames<Context>(
  { options, map, rules, run }: Probed<Context>,
  context: Context,
): Promise<void> {
  const names = readNames(map, options)
  const selected = names.map((name) => sql`1 as ${writeName(name, rules)}`)
  const [row] = await run(sql`select ${joinFragments(selected, ', ')}`, context)
  if (row !== undefined) for (const name of names) cellOf(row, name)
}

/** Updates no row: a program that never deletes rows may lack the right to delete them. */
async function requireResult<Context>(
  { options, map, rules, execute }: Probed<Context>,
  column: string,
  context: Context,
): Promise<void> {
  const { table, dialect } = options
  const name = writeName(column, rules)
  const statement = sql`update ${writeName(table, rules)} set ${name} = ${name} where 1 = 0`
  const result = await execute(statement, context)
  if (dialect === 'mysql' && isAssigned(map) && !hasInsertId(result)) {
    throw new TypeError(
      `${table}: execute must return the insertId of a write, as mysql2 does, because the database assigns the keys`,
    )
  }
  requireRows(result, statement, dialect)
}

/** Whether the database assigns the keys. */
export function isAssigned({ id }: StoreMap): boolean {
  return id.kind === 'key' && id.type === 'integer'
}
