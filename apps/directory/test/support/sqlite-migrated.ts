import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { renderSql } from '@plumbline/scim/internal'
import type { Migrated } from '../../src/kernel/store/migrations/migrated.ts'

/** Runs work with another connection to a SQLite file, as the migrations of another process do. */
export async function withSqliteMigrated(
  path: string,
  work: (migrated: Migrated) => Promise<void>,
): Promise<void> {
  // A connection on the same thread may hold the lock, so waiting would be endless.
  const database = new DatabaseSync(path, { timeout: 0 })
  await work(migratedBy(database)).finally(() => database.close())
}

function migratedBy(database: DatabaseSync): Migrated {
  const db: Migrated['db'] = {
    exec: async (statement) => {
      const { sql, parameters } = renderSql(statement, 'sqlite')
      const rows = database.prepare(sql).all(...(parameters as readonly SQLInputValue[]))
      return { rows, affectedRows: 0 }
    },
  }
  const begin = async (): Promise<void> => {
    for (;;) {
      try {
        return database.exec('begin immediate')
      } catch (error) {
        if (!String(error).includes('database is locked')) throw error
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    }
  }
  return {
    db,
    transaction: async (work) => {
      await begin()
      const value = await work(db).catch((error: unknown) => {
        database.exec('rollback')
        throw error
      })
      database.exec('commit')
      return value
    },
  }
}
