import { cellOf } from '../cells.ts'
import { type Fragment, joinFragments, sql } from '../fragment.ts'
import { writeName } from '../names.ts'
import type { DialectRules } from '../rules.ts'
import type { StoreMap } from './fields.ts'
import { readNames } from './read-names.ts'
import { hasInsertId, requireRows } from './results.ts'
import type { SqlRow, SqlStoreOptions } from './types.ts'

/** A store to check. */
export interface Probed {
  readonly options: Pick<SqlStoreOptions<never>, 'table' | 'dialect' | 'version' | 'select'>
  readonly map: StoreMap
  readonly rules: DialectRules
  execute(statement: Fragment): Promise<unknown>
  run(statement: Fragment): Promise<readonly SqlRow[]>
}

/** Creates the check that runs before the first insert of a store. */
export function createProbe(): (probed: Probed, column: string) => Promise<void> {
  let isDone = false
  return async (probed, column) => {
    if (isDone) return
    await requireNames(probed)
    await requireResult(probed, column)
    isDone = true
  }
}

/** Selects constants with the names of the columns, because the table may be empty. */
async function requireNames({ options, map, rules, run }: Probed): Promise<void> {
  const names = readNames(map, options)
  const selected = names.map((name) => sql`1 as ${writeName(name, rules)}`)
  const [row] = await run(sql`select ${joinFragments(selected, ', ')}`)
  if (row !== undefined) for (const name of names) cellOf(row, name)
}

/** Updates no row: a program that never deletes rows may lack the right to delete them. */
async function requireResult(
  { options, map, rules, execute }: Probed,
  column: string,
): Promise<void> {
  const { table, dialect } = options
  const name = writeName(column, rules)
  const statement = sql`update ${writeName(table, rules)} set ${name} = ${name} where 1 = 0`
  const result = await execute(statement)
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
