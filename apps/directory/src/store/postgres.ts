import { createDatabase, type Database } from '@remix-run/data-table'
import { createPostgresDatabaseAdapter } from '@remix-run/data-table-postgres'
import pg from 'pg'
import { migrate } from './migrations.ts'
import { faultOf, type Store, StoreUnavailableError } from './store.ts'

/** How a pool is used. */
export interface PostgresOptions {
  /** How many connections at most; 10 by default. */
  readonly connections?: number
}

/** Opens a PostgreSQL database, migrated where it has to be. */
export async function openPostgres(
  url: string,
  { connections = 10 }: PostgresOptions = {},
): Promise<Store> {
  const options = { connectionString: url, connectionTimeoutMillis: 5_000 }
  // Migrations hold a lock of the session, which a pool of one connection keeps.
  const single = new pg.Pool({ ...options, max: 1 })
  try {
    await migrate(createPostgresDatabaseAdapter(single))
  } finally {
    await single.end()
  }
  const pool = new pg.Pool({ ...options, max: connections, types: { getTypeParser } })
  // A connection that breaks while it is idle is taken out of the pool; the next request gets another.
  pool.on('error', () => undefined)
  const db = createDatabase(createPostgresDatabaseAdapter(pool))
  return {
    dialect: 'postgres',
    read: (work) => inTransaction(db, work, { isolationLevel: 'repeatable read', readOnly: true }),
    write: (work) => inTransaction(db, work, {}),
    close: () => pool.end(),
  }
}

/** What gave way to another transaction is done again; the work starts from what it reads anew. */
async function inTransaction<Value>(
  db: Database,
  work: (db: Database) => Promise<Value>,
  options: Parameters<Database['transaction']>[1],
): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(work, options)
    } catch (error) {
      const fault = faultOf(error)
      if (fault === 'busy' && attempt < ATTEMPTS) continue
      if (fault !== 'busy' && fault !== 'unavailable') throw error
      throw new StoreUnavailableError('the database does not answer', { cause: error })
    }
  }
}

/** Whole numbers of 64 bits are times in milliseconds and counts here, which a number holds. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format)
}

const INT8 = 20
const ATTEMPTS = 5
