import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createDatabase, type Database, sql } from '@remix-run/data-table'
import { createSqliteDatabaseAdapter, type SqliteDatabase } from '@remix-run/data-table-sqlite'
import { findInCauses } from '../../fault.ts'
import { countMigrations, migrate, requireMigrated } from '../../migrations.ts'
import { type Load, SCAN_TIMEOUT, type Store, StoreUnavailableError } from '../../store.ts'
import { SQLITE_DIALECT } from './dialect.ts'
import { faultOf } from './faults.ts'
import { Queue } from './queue.ts'
import { createScans } from './scans.ts'
import { type Connection, openConnection } from './sqlite-connection.ts'
import { isWritable, namedRows, openFile } from './sqlite-file.ts'
import { createLogPauses } from './wal-checkpoints.ts'

/** Options for a SQLite file. */
export interface SqliteOptions {
  /** How long to wait for another process that writes, in milliseconds; 5 seconds by default. */
  readonly busyTimeout?: number
  /** The time limit of a scan in milliseconds, including its time in the queue; 15 seconds by default. */
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
  if (path !== ':memory:') makePrivate(path)
  const writer = connect(path, 'begin immediate', busyTimeout)
  const reader = path === ':memory:' ? writer : connect(path, 'begin', busyTimeout)
  const logger = path === ':memory:' ? writer : connectInBackground(path, writer.queue)
  const close = (): void => {
    for (const { connection } of new Set([logger, reader, writer])) connection.database.close()
  }
  try {
    await (isWritable(path)
      ? migrateWithOthers(writer)
      : requireMigrated(writer.adapter, SQLITE_DIALECT))
  } catch (error) {
    close()
    throw error
  }
  const read = createReads(reader)
  // Other connections cannot see a database in memory.
  const scans =
    path === ':memory:'
      ? null
      : createScans(
          { path, busyTimeout },
          { pauses: createLogPauses(path, () => checkpoint(writer)), limit: scanTimeout },
        )
  return {
    dialect: SQLITE_DIALECT,
    read,
    scan: scans?.scan ?? read,
    write: (work) => inTransaction(writer, work),
    background: (work) => inTransaction(logger, work),
    // Reads do not wait for scans or writes.
    ping: async () => void (await read((db) => db.exec(sql`select 1 from settings limit 1`))),
    load: () => ({
      work: [
        { name: 'write', ...oneAtATime(writer.queue) },
        ...(scans === null ? [] : [{ name: 'scan', ...scans.counts() }]),
      ],
      connections: [],
    }),
    close: async () => {
      await scans?.close()
      // The reads of this turn of the event loop start after it.
      await nextTurn()
      await Promise.all([writer.queue.idle(), reader.queue.idle()])
      close()
    },
  }
}

/** Restricts a database, and its folder if it is created, to the user of the process. */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    // SQLite creates its other files with the mode of the database.
    closeSync(openSync(path, 'a', 0o600))
    for (const suffix of ['', '-wal', '-shm']) chmodSync(`${path}${suffix}`, 0o600)
  } catch {
    // SQLite reports a file that cannot be opened; a file of another user keeps its mode.
  }
}

/** Retries migrations that fail because another process applies the same ones. */
async function migrateWithOthers({ adapter, db }: Connected): Promise<void> {
  for (;;) {
    const before = await countMigrations(db)
    try {
      return await migrate(adapter, SQLITE_DIALECT)
    } catch (error) {
      if ((await countMigrations(db)) === before) throw error
    }
  }
}

interface Connected {
  readonly connection: Connection
  readonly statements: SqliteDatabase
  readonly adapter: ReturnType<typeof createSqliteDatabaseAdapter>
  readonly db: Database
  readonly queue: Queue
}

/**
 * A connection that does not wait for another process, and whose commits are not synced. It shares the queue of the
 * writer: two connections of one thread would wait for each other forever.
 */
function connectInBackground(path: string, queue: Queue): Connected {
  const open = (): DatabaseSync => {
    const database = openFile(path, { busyTimeout: 0, cache: 16_384 })
    database.exec('pragma synchronous = normal')
    return database
  }
  return { ...connectTo(open, 'begin immediate'), queue }
}

function connect(path: string, begin: string, busyTimeout: number): Connected {
  return connectTo(() => openFile(path, { busyTimeout, cache: 65_536 }), begin)
}

function connectTo(open: () => DatabaseSync, begin: string): Connected {
  const connection = openConnection(open)
  // The adapter runs only raw statements without rows. The others are read below.
  const prepare = connection.preparing((statement) => Object.assign(statement, { reader: false }))
  const statements: SqliteDatabase = {
    exec: (text) => prepare(text === 'begin' ? begin : text).run(),
    // The adapter passes values through; the store writes only values that SQLite can bind.
    prepare: prepare as unknown as SqliteDatabase['prepare'],
  }
  const adapter = createSqliteDatabaseAdapter(statements)
  const execute = adapter.execute.bind(adapter)
  const prepareToRead = connection.preparing((statement) => {
    statement.setReturnArrays(true)
    return { statement, names: statement.columns().map(({ name }) => name) }
  })
  adapter.execute = async (request) => {
    if (request.operation.kind !== 'raw') return await execute(request)
    const { text, values } = request.operation.sql
    const { statement, names } = prepareToRead(text)
    if (names.length === 0) return await execute(request)
    const rows: readonly unknown[] = statement.all(...(values as SQLInputValue[]))
    return { rows: namedRows(names, rows) }
  }
  return { connection, statements, adapter, db: createDatabase(adapter), queue: new Queue() }
}

/** Runs a transaction. The query library's own transactions would slow down lookups. */
function inTransaction<Value>(
  { connection, statements, db, queue }: Connected,
  work: (db: Database) => Promise<Value>,
): Promise<Value> {
  return queue.run(async () => {
    try {
      // A reopened database in memory would be empty.
      if (connection.database.location() !== null) connection.renewIfDue()
      statements.exec('begin')
      const value = await work(db)
      statements.exec('commit')
      return value
    } catch (error) {
      // A full disk may have ended the transaction.
      if (connection.database.isTransaction) statements.exec('rollback')
      if (findInCauses(error, faultOf) !== 'busy') throw error
      throw new StoreUnavailableError('the database is busy', { cause: error })
    }
  })
}

/** The load of a queue whose work runs one piece after the other. */
function oneAtATime({ size }: Queue): Omit<Load, 'name'> {
  return { running: Math.min(size, 1), waiting: Math.max(size - 1, 0), limit: 1 }
}

/** Runs a checkpoint, which copies the log into the file as far as other readers allow. */
function checkpoint({ connection, queue }: Connected): Promise<void> {
  return queue.run(async () => connection.database.exec('pragma wal_checkpoint'))
}

/**
 * Runs the reads of one turn of the event loop in one transaction: each sees the state at its call, or a
 * later one. Their promises settle together at the end: their continuations would otherwise run between the
 * statements, and evict the database from the processor's cache.
 */
function createReads(connected: Connected): Store['read'] {
  let waiting: Read[] = []
  const begin = async (): Promise<void> => {
    const reads = waiting
    waiting = []
    const tells: (() => void)[] = []
    try {
      await inTransaction(connected, async (db) => {
        for (const { run } of reads) tells.push(await run(db))
      })
    } catch (error) {
      // A fault that ended the transaction has already rejected the read that it occurred in.
      for (const { fail } of reads.slice(tells.length)) fail(error)
    }
    for (const tell of tells) tell()
  }
  return (work, { signal } = {}) =>
    new Promise((resolve, reject) => {
      const run: Read['run'] = async (db) => {
        try {
          // A SQLite statement blocks the thread, so that a signal cannot abort while it runs.
          signal?.throwIfAborted()
          const value = await work(db)
          return () => resolve(value)
        } catch (error) {
          return () => reject(error)
        }
      }
      if (waiting.length === 0) setImmediate(begin)
      waiting.push({ run, fail: reject })
    })
}

interface Read {
  /** Runs the work and returns a callback that settles the caller's promise. */
  readonly run: (db: Database) => Promise<() => void>
  readonly fail: (error: unknown) => void
}
