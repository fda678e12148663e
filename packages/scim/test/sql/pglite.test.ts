import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { createDatabase } from '@remix-run/data-table'
import { createPostgresDatabaseAdapter } from '@remix-run/data-table-postgres'
import pg from 'pg'
import { type Opened as OpenedQueries, proveFilters } from '../data-table/proof.ts'
import { POSTGRES_TABLE } from '../data-table/tables.ts'
import { proveComparisons } from './column-types-suite.ts'
import { proveDocument } from './document-suite.ts'
import { executeOfPglite, proveDriver, transactionOfPglite } from './drivers-suite.ts'
import { proveMistakes } from './mistakes-suite.ts'
import { PGLITE, startPglite } from './openers.ts'
import { proveSql } from './proof.ts'
import { proveRejectedWrites } from './rejected-writes-suite.ts'
import { proveStore } from './store-suite.ts'
import { type Opened, POSTGRES_TABLES } from './tables.ts'

// PostgreSQL in this process takes two seconds of a processor to start, so one file has all its tests.
const NAME = 'PostgreSQL in-process'

proveStore(NAME, PGLITE)
proveRejectedWrites(NAME, PGLITE)
proveMistakes(NAME, PGLITE)
proveComparisons(NAME, PGLITE)
proveDriver('PGlite', 'postgres', async () => {
  await PGLITE.open()
  const db = await startPglite()
  return { execute: executeOfPglite(db), transaction: transactionOfPglite(db) }
})
proveDocument(NAME, 'postgres', PGLITE.open)
proveSql(NAME, { dialect: 'postgres', open: openTables, sets: 8, filters: 40 })
proveSql(`an index on ${NAME}`, {
  dialect: 'postgres',
  open: openTables,
  sets: 8,
  filters: 40,
  isIndexed: true,
})
proveFilters(NAME, { open: openQueries, sets: 8, filters: 40, dotted: true })

async function openTables(): Promise<Opened> {
  const opened = await PGLITE.open()
  for (const statement of POSTGRES_TABLES) await opened.execute(statement, [])
  return opened
}

async function openQueries(): Promise<OpenedQueries> {
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
