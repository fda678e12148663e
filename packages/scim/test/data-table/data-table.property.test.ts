import { DatabaseSync } from 'node:sqlite'
import { createDatabase } from '@remix-run/data-table'
import { createSqliteDatabaseAdapter } from '@remix-run/data-table-sqlite'
import { type Opened, proveFilters } from './proof.ts'
import { SQLITE_TABLE } from './tables.ts'

proveFilters('SQLite', { open: openSqlite, sets: 30, filters: 40, dotted: true })

async function openSqlite(): Promise<Opened> {
  const database = new DatabaseSync(':memory:')
  database.exec('pragma case_sensitive_like = on')
  database.exec(SQLITE_TABLE)
  const db = createDatabase(createSqliteDatabaseAdapter(database))
  return { db, close: async () => database.close() }
}
