import { createDatabase, type Database } from '@remix-run/data-table'
import { createPostgresDatabaseAdapter } from '@remix-run/data-table-postgres'
import pg from 'pg'
import { memoize } from '../../../memoize.ts'
import { migrate } from '../../migrations.ts'
import { SCAN_TIMEOUT, type Store, StoreUnavailableError, type WorkOptions } from '../../store.ts'
import { withDeadline } from '../deadline.ts'
import { createFairScans, type RunScan } from '../fair-scans.ts'
import { createSlots } from '../worker-pool.ts'
import { POSTGRES_DIALECT } from './dialect.ts'
import { cancelWhenAborted, inTransaction, withRetries } from './postgres-work.ts'

/** Options for a PostgreSQL database. Times are in milliseconds. */
export interface PostgresOptions {
  /** The number of connections for lookups and writes; 10 by default. */
  readonly connections?: number
  /** The number of additional connections for scans; 4 by default. */
  readonly scanConnections?: number
  /** The time limit of a statement; 30 seconds by default. */
  readonly answerTimeout?: number
  /** The time limit of a scan, including its time in the queue; 15 seconds by default. */
  readonly scanTimeout?: number
}

/** Opens a PostgreSQL database, and migrates it if necessary. */
export async function openPostgres(
  url: string,
  {
    connections = 10,
    scanConnections = 4,
    answerTimeout = 30_000,
    scanTimeout = SCAN_TIMEOUT,
  }: PostgresOptions = {},
): Promise<Store> {
  const options = { connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT }
  // Migrations hold a session lock, and a pool of one connection keeps the session.
  const single = createPool({ ...options, max: 1 })
  try {
    await migrate(createPostgresDatabaseAdapter(single), POSTGRES_DIALECT)
  } finally {
    await single.end()
  }
  const patient = (timeout: number) => ({
    ...options,
    // The server stops a slow statement first. This later limit detects a silent server.
    query_timeout: timeout + SILENCE,
    keepAlive: true,
    pipeline: true,
  })
  const typed = { types: { getTypeParser } }
  const pool = createPool({ ...patient(answerTimeout), ...typed, max: connections })
  const scanning = createPool({ ...patient(scanTimeout), ...typed, max: scanConnections })
  // Cancellations and health checks must not wait for the other connections.
  const control = createPool({ ...patient(answerTimeout), max: 1 })
  const slots = createSlots(Array(connections).fill(null), {
    most: Math.max(1, connections - SPARE),
  })
  const databaseOf = createDatabases()

  const inSlot = <Value>(
    { signal, tenantId = '' }: WorkOptions,
    work: () => Promise<Value>,
  ): Promise<Value> =>
    withRetries(answerTimeout, async () => {
      const error = () => new StoreUnavailableError('all connections to the database are in use')
      const deadline = { limit: CONNECT_TIMEOUT, signal, error }
      const turn = await withDeadline(deadline, (wanted) => slots.take(tenantId, wanted))
      try {
        return await work()
      } finally {
        slots.giveBack(turn)
      }
    })
  const readFrom = async <Value>(
    from: pg.Pool,
    begin: string,
    work: (db: Database) => Promise<Value>,
    signal: AbortSignal | undefined,
  ): Promise<Value> => {
    signal?.throwIfAborted()
    const client = await from.connect()
    const wait = signal ? cancelWhenAborted(signal, control, client) : undefined
    const begun = async () => {
      signal?.throwIfAborted()
      return await work(databaseOf(client))
    }
    return await inTransaction(client, { begin, isReading: true }, begun, wait)
  }
  const runScan: RunScan<null> = (_, work, signal) =>
    withRetries(scanTimeout, () => readFrom(scanning, limited(READING, scanTimeout), work, signal))

  return {
    dialect: POSTGRES_DIALECT,
    read: (work, given = {}) =>
      inSlot(given, () => readFrom(pool, limited(READING, answerTimeout), work, given.signal)),
    scan: createFairScans(createSlots(Array(scanConnections).fill(null)), runScan, scanTimeout),
    write: (work, given = {}) =>
      inSlot(given, async () => {
        const client = await pool.connect()
        const begin = limited(WRITING, answerTimeout)
        return await inTransaction(client, { begin, isReading: false }, () =>
          work(databaseOf(client)),
        )
      }),
    ping: () =>
      withRetries(answerTimeout, async () => {
        await control.query('select 1')
      }),
    close: async () => {
      await Promise.all([pool.end(), scanning.end(), control.end()])
    },
  }
}

/**
 * Begins a transaction with a time limit for each statement. The limit is set for the transaction and not
 * for the connection, because poolers of transactions such as PgBouncer share connections.
 */
function limited(begin: string, timeout: number): string {
  return `${begin}; set local statement_timeout = ${Math.ceil(timeout)}`
}

function createPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(options)
  // A connection that fails while it is idle is removed from the pool; the next request gets another.
  pool.on('error', () => undefined)
  // If a connection fails between two statements of a transaction, the next statement rejects.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * The database object of each connection. The server plans a named statement once for each connection,
 * and planning takes longer than finding a row. It keeps one plan for each name: only the first short
 * statements get a name.
 */
function createDatabases(): (client: pg.PoolClient) => Database {
  const names = new Map<string, string>()
  const nameOf = (text: string): string | undefined => {
    // A plan for all columns would fail after a migration.
    const isNameable = text.length <= LONGEST_NAMED && !text.includes('*')
    if (isNameable && names.size < MOST_NAMES && !names.has(text)) {
      names.set(text, `directory_${names.size}`)
    }
    return names.get(text)
  }
  const databases = memoize((client: pg.PoolClient) => {
    const query = (text: string, values: unknown[]) => {
      const name = nameOf(text)
      return client.query(name === undefined ? { text, values } : { name, text, values })
    }
    // The adapter uses only this method of a connection.
    return createDatabase(createPostgresDatabaseAdapter({ query } as unknown as pg.PoolClient))
  })
  return databases.get
}

/** The 64-bit integers here are times in milliseconds and counts, which fit a JavaScript number. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format)
}

const READING = 'begin isolation level repeatable read read only'
const WRITING = 'begin'
const INT8 = 20
const MOST_NAMES = 500
const LONGEST_NAMED = 500
/** How long to wait for a connection, in milliseconds. */
const CONNECT_TIMEOUT = 5_000
/** How long the server may take to answer after the time limit of a statement, in milliseconds. */
const SILENCE = 1_000
/** How many connections for lookups and writes one tenant must leave to others. */
const SPARE = 2
