import { createDatabase, type Database } from '@remix-run/data-table'
import { createPostgresDatabaseAdapter } from '@remix-run/data-table-postgres'
import type pg from 'pg'
import { memoize } from '../../../memoize.ts'
import { PLANNED_FOR_VALUES } from '../../condition.ts'
import {
  type ReadOptions,
  SCAN_TIMEOUT,
  type Store,
  StoreUnavailableError,
  type WorkOptions,
} from '../../store.ts'
import { withDeadline } from '../deadline.ts'
import { createFairScans, type RunScan } from '../fair-scans.ts'
import { createSlots, type Slots } from '../worker-pool.ts'
import { POSTGRES_DIALECT } from './dialect.ts'
import {
  createOneStatement,
  type OneStatement,
  type Query,
  tryOneStatement,
} from './one-statement.ts'
import { CONNECT_TIMEOUT, createPools, migrateDatabase } from './pools.ts'
import { type Connection, cancelWhenAborted, inTransaction, withRetries } from './postgres-work.ts'

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
  await migrateDatabase(url)
  const pools = createPools(url, { connections, scanConnections, answerTimeout, scanTimeout })
  const databasesOf = createDatabases()
  const slots = createSlots(Array(connections).fill(null), {
    most: Math.max(1, connections - SPARE),
  })
  const scanSlots = createSlots(Array(scanConnections).fill(null))
  const inSlot = createSlotRunner(slots, answerTimeout)
  const readFrom = createReader(databasesOf)
  const begin = limited(WRITING, answerTimeout)
  const writeTo = async <Value>(pool: pg.Pool, work: (db: Database) => Promise<Value>) => {
    const client = await pool.connect()
    const options = { begin, isReading: false }
    return await inTransaction({ client }, options, () => work(databasesOf(client).db))
  }
  const runScan: RunScan<null> = (_, work, signal) =>
    withRetries(scanTimeout, () =>
      readFrom(pools.scans, limited(READING, scanTimeout), work, { signal }),
    )
  return {
    dialect: POSTGRES_DIALECT,
    read: (work, given = {}) =>
      inSlot(given, () => readFrom(pools.lookups, limited(READING, answerTimeout), work, given)),
    scan: createFairScans(scanSlots, runScan, scanTimeout),
    write: (work, given = {}) => inSlot(given, () => writeTo(pools.lookups, work)),
    background: (work) => withRetries(answerTimeout, () => writeTo(pools.background, work)),
    ping: () =>
      withRetries(answerTimeout, async () => {
        await pools.control.query('select 1')
      }),
    load: () => ({
      work: [
        { name: 'lookup', ...slots.counts() },
        { name: 'scan', ...scanSlots.counts() },
      ],
      connections: pools.load(),
    }),
    close: pools.end,
  }
}

/** Runs work while it holds one of the slots for lookups and writes, and retries it after a conflict. */
type RunInSlot = <Value>(options: WorkOptions, work: () => Promise<Value>) => Promise<Value>

/** @param answerTimeout in milliseconds */
function createSlotRunner(slots: Slots<null>, answerTimeout: number): RunInSlot {
  const error = () => new StoreUnavailableError('all connections to the database are in use')
  return ({ signal, tenantId = '' }, work) =>
    withRetries(answerTimeout, async () => {
      const deadline = { limit: CONNECT_TIMEOUT, signal, error }
      const turn = await withDeadline(deadline, (wanted) => slots.take(tenantId, wanted))
      try {
        return await work()
      } finally {
        slots.giveBack(turn)
      }
    })
}

/** Runs work that reads on a connection of a pool: one statement, or several in one transaction. */
type ReadFrom = <Value>(
  pool: pg.Pool,
  begin: string,
  work: (db: Database) => Promise<Value>,
  options: ReadOptions,
) => Promise<Value>

function createReader(databasesOf: (client: pg.PoolClient) => Databases): ReadFrom {
  return async (pool, begin, work, { signal, isOneStatement = false }) => {
    signal?.throwIfAborted()
    const client = await pool.connect()
    const wait = signal && cancelWhenAborted(signal, client)
    const connection: Connection = { client, ...(wait && { wait }) }
    const { db, one } = databasesOf(client)
    const run = async (given: Database) => {
      signal?.throwIfAborted()
      return await work(given)
    }
    const alone = isOneStatement ? await tryOneStatement(connection, one, run) : null
    if (alone !== null) return alone.value
    return await inTransaction(connection, { begin, isReading: true }, () => run(db))
  }
}

/**
 * Begins a transaction with a time limit for each statement. The limit is set for the transaction and not
 * for the connection, because poolers of transactions such as PgBouncer share connections.
 */
function limited(begin: string, timeout: number): string {
  return `${begin}; set local statement_timeout = ${Math.ceil(timeout)}`
}

/** The database objects of a connection: for any number of statements, and for one. */
interface Databases {
  readonly db: Database
  readonly one: OneStatement
}

/**
 * The database objects of each connection. The server plans a named statement once for each connection,
 * and planning takes longer than finding a row. It keeps one plan for each name: only the first short
 * statements get a name.
 */
function createDatabases(): (client: pg.PoolClient) => Databases {
  const names = new Map<string, string>()
  const nameOf = (text: string): string | undefined => {
    // A plan for all columns would fail after a migration.
    const isNameable =
      text.length <= LONGEST_NAMED && !text.includes('*') && !text.includes(PLANNED_FOR_VALUES)
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
    return { db: databaseOf(query), one: createOneStatement(query, databaseOf) }
  })
  return databases.get
}

/** The adapter uses only this method of a connection. */
function databaseOf(query: Query): Database {
  return createDatabase(createPostgresDatabaseAdapter({ query } as unknown as pg.PoolClient))
}

const READING = 'begin isolation level repeatable read read only'
const WRITING = 'begin'
const MOST_NAMES = 500
const LONGEST_NAMED = 1_000
/** How many connections for lookups and writes one tenant must leave to others. */
const SPARE = 2
