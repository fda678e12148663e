import { AsyncLocalStorage } from 'node:async_hooks'
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
  noteConnections(pool)
  const db = createDatabase(createPostgresDatabaseAdapter(pool))
  return {
    dialect: 'postgres',
    read: (work, signal) => {
      const run = () => inTransaction(db, work, READING, signal)
      return signal ? stopping(pool, signal, run) : run()
    },
    write: (work) => inTransaction(db, work, {}),
    close: () => pool.end(),
  }
}

/** What gave way to another transaction is done again; the work starts from what it reads anew. */
async function inTransaction<Value>(
  db: Database,
  work: (db: Database) => Promise<Value>,
  options: Parameters<Database['transaction']>[1],
  signal?: AbortSignal,
): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted()
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

/** The connection that the work of a request is done on, once it has one. */
interface Connected {
  process: number | null
}

const connected = new AsyncLocalStorage<Connected>()

/** Lets each piece of work know which connection it got: the adapter takes one and does not tell. */
function noteConnections(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool)
  const noted = async (): Promise<pg.PoolClient> => {
    const client = await connect()
    const work = connected.getStore()
    // The number of the server's process is what a cancellation names; the types leave it out.
    if (work) work.process = Number(Object(client).processID)
    return client
  }
  // The pool itself asks for connections as well, by a callback.
  type Callback = Parameters<typeof connect>[0]
  pool.connect = ((callback?: Callback) =>
    callback ? connect(callback) : noted()) as typeof pool.connect
}

/** Runs work whose statement the server gives up when `signal` is aborted. */
async function stopping<Value>(
  pool: pg.Pool,
  signal: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value> {
  const mine: Connected = { process: null }
  const stop = (): void => {
    if (mine.process === null) return
    void pool.query('select pg_cancel_backend($1)', [mine.process]).catch(() => undefined)
  }
  signal.addEventListener('abort', stop)
  try {
    return await connected.run(mine, work)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Whole numbers of 64 bits are times in milliseconds and counts here, which a number holds. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format)
}

const READING = { isolationLevel: 'repeatable read', readOnly: true } as const
const INT8 = 20
const ATTEMPTS = 5
