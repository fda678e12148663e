import { createDatabase, type Database, type DatabaseAdapter } from '@remix-run/data-table'
import { createSqliteDatabaseAdapter, type SqliteDatabase } from '@remix-run/data-table-sqlite'
import type { Statement } from './scan-worker.ts'

/** Opens a database whose statements run on another thread. */
export function openScanDatabase(
  run: (text: string, values: Statement['values']) => Promise<Record<string, unknown>[]>,
): Database {
  const adapter = createSqliteDatabaseAdapter(READ_ONLY)
  const execute: DatabaseAdapter['execute'] = async ({ operation }) => {
    const [statement] = adapter.compileSql(operation)
    if (statement === undefined) return {}
    // The adapter writes only values that SQLite can bind.
    const values = statement.values.map((value) => value ?? null) as Statement['values']
    return { rows: await run(statement.text, values) }
  }
  return createDatabase(Object.assign(adapter, { execute }))
}

/** The methods of an adapter that a scan does not need. */
const READ_ONLY: SqliteDatabase = {
  prepare: () => rejectWrite(),
  exec: () => rejectWrite(),
}

function rejectWrite(): never {
  throw new Error('a scan only reads')
}
