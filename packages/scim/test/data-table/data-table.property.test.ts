import { DatabaseSync } from 'node:sqlite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { createDatabase } from '@remix-run/data-table'
import { createPostgresDatabaseAdapter } from '@remix-run/data-table-postgres'
import { createSqliteDatabaseAdapter } from '@remix-run/data-table-sqlite'
import pg from 'pg'
import { PGLITE, startPglite } from '../sql/openers.ts'
import { type Opened, proveFilters } from './proof.ts'
import { POSTGRES_TABLE, SQLITE_TABLE } from './tables.ts'

proveFilters('SQLite', { open: openSqlite, sets: 30, filters: 40, dotted: true })
proveFilters('PostgreSQL in-process', { open: openPglite, sets: 8, filters: 40, dotted: true })

async function openSqlite(): Promise<Opened> {
  const database = new DatabaseSync(':memory:')
  database.exec('pragma case_sensitive_like = on')
  database.exec(SQLITE_TABLE)
  const db = createDatabase(createSqliteDatabaseAdapter(database))
  return { db, close: async () => database.close() }
}

async function openPglite(): Promise<Opened> {
  await PGLITE.open()
  const server = new PGLiteSocketServer({ db: await startPglite(), host: '127.0.0.1', port: 0 })
  await server.start()
  const [host, port] = server.getServerConn().split(':')
  // An in-process database has only one connection.
  const pool = new pg.Pool({ host, port: Number(port), user: 'postgres', max: 1 })
  await pool.query(POSTGRES_TABLE)
  return {
    db: createDatabase(createPostgresDatabaseAdapter(pool)),
    close: async () => {
      await pool.end()
      await server.stop()
    },
  }
}
