import type pg from 'pg'
import { createJobReports } from '../../../jobs/job-reports.ts'
import type { Database } from '../../database.ts'
import { NEWEST_MIGRATION } from '../../migrations/journal.ts'
import { createSchemaFence } from '../../migrations/migrations.ts'
import {
  type ReadOptions,
  SCAN_TIMEOUT,
  type Store,
  StoreUnavailableError,
  type WorkOptions,
} from '../../store.ts'
import { withDeadline } from '../deadline.ts'
import type { Layout } from '../engine.ts'
import { createFairScans, type RunScan } from '../fair-scans.ts'
import { createLoopTurns } from '../loop-turns.ts'
import { createSlots, type Slots } from '../worker-pool.ts'
import { POSTGRES_DIALECT } from './dialect.ts'
import { checkFence, WRITE_FENCE } from './fence.ts'
import { prepareToServe } from './migrate.ts'
import { createDatabases, type Databases } from './named-statements.ts'
import { tryOneStatement } from './one-statement.ts'
import { CONNECT_TIMEOUT, createPools } from './pools.ts'
import {
  type Connection,
  cancelWhenAborted,
  createRetries,
  inTransaction,
  type WithRetries,
} from './postgres-work.ts'

/** Options for a PostgreSQL database. Times are in milliseconds. */
export interface PostgresOptions {
  /** The number of connections for lookups and writes; 10 by default. */
  readonly connections?: number
  /** The number of additional connections for scans; 4 by default. */
  readonly scanConnections?: number
  /** A statement's time limit; 30 seconds by default. */
  readonly answerTimeout?: number
  /** A scan's time limit, including the time in the queue; 15 seconds by default. */
  readonly scanTimeout?: number
  /** The tables of a distributed database. By default, it is not checked whether all are distributed. */
  readonly layout?: Layout | undefined
  /** Reports that the database cannot keep prepared statements; prints the line as an error by default. */
  readonly warn?: (line: string) => void
}

/** Opens a PostgreSQL database, and migrates it if necessary. */
export async function openPostgres(
  url: string,
  {
    connections = 10,
    scanConnections = 4,
    answerTimeout = 30_000,
    scanTimeout = SCAN_TIMEOUT,
    layout,
    warn = console.error,
  }: PostgresOptions = {},
): Promise<Store> {
  await prepareToServe(url, layout)
  const pools = createPools(url, { connections, scanConnections, answerTimeout, scanTimeout })
  const { databasesOf, stopNaming } = createDatabases(warn)
  const withRetries = createRetries(stopNaming)
  const slots = createSlots(Array(connections).fill(null), {
    most: Math.max(1, connections - SPARE),
  })
  const scanSlots = createSlots(Array(scanConnections).fill(null))
  const inSlot = createSlotRunner(slots, answerTimeout, withRetries)
  const readFrom = createReader(databasesOf)
  const fence = createSchemaFence(POSTGRES_DIALECT)
  const begin = `${limited(WRITING, answerTimeout)}; ${WRITE_FENCE}`
  const writeTo = async <Value>(pool: pg.Pool, work: (db: Database) => Promise<Value>) => {
    const client = await pool.connect()
    const { db } = databasesOf(client)
    const options = { begin, isReading: false, onBegun: checkFence(fence, db) }
    return await inTransaction({ client }, options, () => work(db))
  }
  const runScan: RunScan<null> = (_, work, signal) =>
    withRetries(scanTimeout, () =>
      readFrom(pools.scans, limited(READING, scanTimeout), work, { signal }),
    )
  return {
    dialect: POSTGRES_DIALECT,
    turns: createLoopTurns(),
    jobs: createJobReports(),
    read: (work, given = {}) =>
      inSlot(given, () => readFrom(pools.lookups, limited(READING, answerTimeout), work, given)),
    scan: createFairScans(scanSlots, runScan, scanTimeout),
    write: (work, given = {}) => inSlot(given, () => writeTo(pools.lookups, work)),
    background: (work) => withRetries(answerTimeout, () => writeTo(pools.background, work)),
    ping: () =>
      withRetries(answerTimeout, async () => {
        const { rows } = await pools.control.query(PING)
        if (rows[0]?.is_standby === true) throw new StoreUnavailableError(READ_ONLY)
        fence.requireCurrent(rows[0])
      }),
    outdated: fence.outdated,
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

/** Runs work while it holds a slot for lookups and writes, and retries it after a conflict. */
type RunInSlot = <Value>(options: WorkOptions, work: () => Promise<Value>) => Promise<Value>

/** @param answerTimeout in milliseconds */
function createSlotRunner(
  slots: Slots<null>,
  answerTimeout: number,
  withRetries: WithRetries,
): RunInSlot {
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

/** Runs reads on a pool's connection: one statement, or several in one transaction. */
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
 * Begins a transaction with a time limit for each statement. The limit is set for the transaction and not for
 * the connection, because transaction poolers such as PgBouncer share connections.
 */
function limited(begin: string, timeout: number): string {
  return `${begin}; set local statement_timeout = ${Math.ceil(timeout)}`
}

const PING = `select pg_is_in_recovery() as is_standby, newest.* from (${NEWEST_MIGRATION}) newest`
const READING = 'begin isolation level repeatable read read only'
const WRITING = 'begin'
const READ_ONLY = 'the database is a standby, which rejects writes'
/** How many connections for lookups and writes one tenant must leave to others. */
const SPARE = 2
