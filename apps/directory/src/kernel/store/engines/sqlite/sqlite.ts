import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { raw, renderSql } from '@plumbline/scim/internal'
import { createJobReports } from '../../../jobs/job-reports.ts'
import type { Database } from '../../database.ts'
import { findInCauses } from '../../driver-errors.ts'
import type { Fence } from '../../migrations/fence.ts'
import { NEWEST_MIGRATION } from '../../migrations/journal.ts'
import type { Migrated } from '../../migrations/migrated.ts'
import {
  countMigrations,
  createSchemaFence,
  findPending,
  migrate,
  requireMigrated,
} from '../../migrations/migrations.ts'
import {
  type Load,
  type LoopTurns,
  SCAN_TIMEOUT,
  type Store,
  StoreUnavailableError,
} from '../../store.ts'
import { createLoopTurns } from '../loop-turns.ts'
import { SQLITE_DIALECT } from './dialect.ts'
import { faultOf } from './faults.ts'
import { requireOwnFile } from './own-file.ts'
import { Queue } from './queue.ts'
import { createReads } from './reads.ts'
import { createScans } from './scans.ts'
import { type Connection, openConnection } from './sqlite-connection.ts'
import { isWritable, namedRows, openFile } from './sqlite-file.ts'
import { fixStatistics } from './statistics.ts'
import { createLogPauses } from './wal-checkpoints.ts'

/** Options for a SQLite file. */
export interface SqliteOptions {
  /** How long (ms) to wait while another process writes; defaults to 5 seconds. */
  readonly busyTimeout?: number
  /** A scan's time limit in milliseconds, including the time in the queue; defaults to 15 seconds. */
  readonly scanTimeout?: number
}

/**
 * Opens a SQLite file; creates and migrates it if necessary.
 *
 * One connection writes and one reads. Each runs one piece of work at a time, because a connection has one
 * transaction at a time. Scans run on threads with their own connections. Readers see the last committed
 * state while a writer writes (WAL).
 */
export async function openSqlite(
  path: string,
  { busyTimeout = 5_000, scanTimeout = SCAN_TIMEOUT }: SqliteOptions = {},
): Promise<Store> {
  if (path !== ':memory:') {
    requireOwnFile(path)
    makePrivate(path)
  }
  const turns = createLoopTurns()
  const jobs = createJobReports()
  const writer = await openWriter(path, busyTimeout, turns)
  const reader = path === ':memory:' ? writer : connect(path, 'begin', busyTimeout)
  const logger = path === ':memory:' ? writer : connectInBackground(path, writer.queue)
  const close = (): void => {
    for (const { connection } of new Set([logger, reader, writer])) connection.database.close()
  }
  const fence = createSchemaFence(SQLITE_DIALECT)
  const read = createReads((work) => inTransaction(reader, work))
  // Other connections cannot see a database in memory.
  const scans =
    path === ':memory:'
      ? null
      : createScans(
          { path, busyTimeout },
          {
            pauses: createLogPauses(path, { checkpoint: () => checkpoint(writer), jobs }),
            limit: scanTimeout,
          },
        )
  return {
    dialect: SQLITE_DIALECT,
    read,
    scan: scans?.scan ?? read,
    turns,
    write: (work, { tenantId } = {}) => inTransaction(writer, behind(fence, work), tenantId),
    background: (work) => inTransaction(logger, behind(fence, work)),
    jobs,
    // Reads do not wait for scans or writes.
    ping: async () => fence.requireCurrent(await read(readNewest)),
    outdated: fence.outdated,
    load: () => ({
      work: [
        { name: 'write', ...oneAtATime(writer.queue) },
        ...(scans === null ? [] : [{ name: 'scan', ...scans.counts() }]),
      ],
      connections: [],
    }),
    close: async () => {
      await scans?.close()
      // The reads from this event loop turn start after it.
      await nextTurn()
      await Promise.all([writer.queue.idle(), reader.queue.idle()])
      close()
    },
  }
}

/** The names of the migrations a file needs. Changes nothing, and does not create the file. */
export async function pendingSqlite(path: string): Promise<readonly string[]> {
  requireOwnFile(path)
  const location = existsSync(path) ? path : ':memory:'
  const open = () => openFile(location, { busyTimeout: 5_000, cache: 2_000, readOnly: true })
  const { db, connection } = connectTo(open, 'begin', new Queue())
  try {
    return await findPending(db, SQLITE_DIALECT)
  } finally {
    connection.database.close()
  }
}

/** Restricts a database, and its folder if it is created, to the process's user. */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    // SQLite creates its other files with the database's mode.
    closeSync(openSync(path, 'a', 0o600))
    for (const suffix of ['', '-wal', '-shm']) chmodSync(`${path}${suffix}`, 0o600)
  } catch {
    // SQLite reports a file that cannot be opened; a file of another user keeps its mode.
  }
}

/** Opens the connection that writes, and prepares the file with it. Closes it if that fails. */
async function openWriter(path: string, busyTimeout: number, turns: LoopTurns): Promise<Connected> {
  const writer = connect(path, 'begin immediate', busyTimeout, turns)
  try {
    await prepareToServe(writer, path)
    return writer
  } catch (error) {
    writer.connection.database.close()
    throw error
  }
}

async function prepareToServe(writer: Connected, path: string): Promise<void> {
  if (!isWritable(path)) return await requireMigrated(writer.db, SQLITE_DIALECT)
  await migrateWithOthers(writer)
  fixStatistics(writer.connection.database)
}

/** Retries migrations that fail because another process applies the same ones. */
async function migrateWithOthers({ connection, control, db }: Connected): Promise<void> {
  const transaction: Migrated['transaction'] = async (work) => {
    control('begin')
    try {
      const value = await work(db)
      control('commit')
      return value
    } catch (error) {
      // A full disk may have ended the transaction.
      if (connection.database.isTransaction) control('rollback')
      throw error
    }
  }
  for (;;) {
    const before = await countMigrations(db)
    try {
      return await migrate({ db, transaction }, SQLITE_DIALECT)
    } catch (error) {
      if ((await countMigrations(db)) === before) throw error
    }
  }
}

interface Connected {
  readonly connection: Connection
  readonly db: Database
  /** Begins, commits or reverts a transaction. */
  readonly control: (statement: 'begin' | 'commit' | 'rollback') => void
  readonly queue: Queue
}

/**
 * A connection that does not wait for other processes, and whose commits are not synced. It shares the writer's
 * queue: two connections on one thread would wait for each other forever.
 */
function connectInBackground(path: string, queue: Queue): Connected {
  const open = () => openFile(path, { busyTimeout: 0, cache: 16_384, synchronous: 'normal' })
  return connectTo(open, 'begin immediate', queue)
}

function connect(
  path: string,
  begin: string,
  busyTimeout: number,
  turns: LoopTurns | null = null,
): Connected {
  const open = () => openFile(path, { busyTimeout, cache: 65_536 })
  return connectTo(open, begin, new Queue(turns))
}

function connectTo(open: () => DatabaseSync, begin: string, queue: Queue): Connected {
  const connection = openConnection(open)
  const prepare = connection.preparing((statement) => {
    statement.setReturnArrays(true)
    return { statement, names: statement.columns().map(({ name }) => name) }
  })
  const db: Database = {
    exec: async (given) => {
      const { sql: text, parameters } = renderSql(given, 'sqlite')
      const { statement, names } = prepare(text)
      // The store writes only values SQLite can bind.
      const values = parameters as readonly SQLInputValue[]
      if (names.length === 0) {
        return { rows: [], affectedRows: Number(statement.run(...values).changes) }
      }
      const rows: readonly unknown[] = statement.all(...values)
      return { rows: namedRows(names, rows), affectedRows: 0 }
    },
  }
  const control: Connected['control'] = (statement) => {
    prepare(statement === 'begin' ? begin : statement).statement.run()
  }
  return { connection, db, control, queue }
}

/** Runs a transaction. */
function inTransaction<Value>(
  { connection, control, db, queue }: Connected,
  work: (db: Database) => Promise<Value>,
  tenantId = '',
): Promise<Value> {
  return queue.run(async () => {
    try {
      // A reopened database in memory would be empty.
      if (connection.database.location() !== null) connection.renewIfDue()
      control('begin')
      const value = await work(db)
      control('commit')
      return value
    } catch (error) {
      // A full disk may have ended the transaction.
      if (connection.database.isTransaction) control('rollback')
      if (findInCauses(error, faultOf) !== 'busy') throw error
      throw new StoreUnavailableError('the database is busy', { cause: error })
    }
  }, tenantId)
}

/** Rejects work that writes if this process must not write. */
function behind<Value>(fence: Fence, work: (db: Database) => Promise<Value>) {
  return async (db: Database): Promise<Value> => {
    fence.requireWritable(await readNewest(db))
    return await work(db)
  }
}

async function readNewest(db: Database): Promise<unknown> {
  return (await db.exec(NEWEST)).rows[0]
}

const NEWEST = raw(NEWEST_MIGRATION)

/** A queue's load, with one piece of work at a time. */
function oneAtATime({ size }: Queue): Omit<Load, 'name'> {
  return { running: Math.min(size, 1), waiting: Math.max(size - 1, 0), limit: 1 }
}

/** Runs a checkpoint, which copies the log into the file as far as other readers allow. */
function checkpoint({ connection, queue }: Connected): Promise<void> {
  return queue.run(async () => connection.database.exec('pragma wal_checkpoint'))
}
