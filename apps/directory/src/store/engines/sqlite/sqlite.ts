import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { SQLInputValue } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createDatabase, type Database, sql } from '@remix-run/data-table'
import { createSqliteDatabaseAdapter, type SqliteDatabase } from '@remix-run/data-table-sqlite'
import { countMigrations, migrate, requireMigrated } from '../../migrations.ts'
import { faultOf, SCAN_TIMEOUT, type Store, StoreUnavailableError } from '../../store.ts'
import { Queue } from './queue.ts'
import { createScans } from './scans.ts'
import { type Connection, openConnection } from './sqlite-connection.ts'
import { isWritable, namedRows, openFile } from './sqlite-file.ts'
import { createLogPauses } from './wal-checkpoints.ts'

/** How a file is used. */
export interface SqliteOptions {
  /** How long another process that writes is waited for, in milliseconds; 5 seconds by default. */
  readonly busyTimeout?: number
  /** How long a scan may take, its time in the queue included, in milliseconds; 15 seconds by default. */
  readonly scanTimeout?: number
}

/**
 * Opens a SQLite file, made and migrated where it has to be.
 *
 * One connection writes and one reads; work on each is done one after the other, because a connection has
 * one transaction at a time. What may read much has threads with connections of their own. Readers see the
 * last committed state while a writer writes (WAL).
 */
export async function openSqlite(
  path: string,
  { busyTimeout = 5_000, scanTimeout = SCAN_TIMEOUT }: SqliteOptions = {},
): Promise<Store> {
  if (path !== ':memory:') makePrivate(path)
  const writer = connect(path, 'begin immediate', busyTimeout)
  const reader = path === ':memory:' ? writer : connect(path, 'begin', busyTimeout)
  const close = (): void => {
    if (reader !== writer) reader.connection.database.close()
    writer.connection.database.close()
  }
  try {
    await (isWritable(path) ? migrateWithOthers(writer) : requireMigrated(writer.adapter))
  } catch (error) {
    close()
    throw error
  }
  const read = createReads(reader)
  // What is in memory, no other connection sees.
  const scans =
    path === ':memory:'
      ? null
      : createScans(
          { path, busyTimeout },
          { pauses: createLogPauses(path, () => checkpoint(writer)), limit: scanTimeout },
        )
  return {
    dialect: 'sqlite',
    read,
    scan: scans?.scan ?? read,
    write: (work) => inTransaction(writer, work),
    // Reads never wait for scans or writes.
    ping: async () => void (await read((db) => db.exec(sql`select 1`))),
    close: async () => {
      await scans?.close()
      // Reads that were asked for in this turn are begun after it.
      await nextTurn()
      await Promise.all([writer.queue.idle(), reader.queue.idle()])
      close()
    },
  }
}

/** Lets only the user of the process read a database, and its folder if that is created. */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    // SQLite gives its other files the mode of the database.
    closeSync(openSync(path, 'a', 0o600))
    for (const suffix of ['', '-wal', '-shm']) chmodSync(`${path}${suffix}`, 0o600)
  } catch {
    // A file that cannot be opened is reported by SQLite; one of another user keeps its mode.
  }
}

/** Another process may apply the same migrations: what fails because of that is retried. */
async function migrateWithOthers({ adapter, db }: Connected): Promise<void> {
  for (;;) {
    const before = await countMigrations(db)
    try {
      return await migrate(adapter)
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

function connect(path: string, begin: string, busyTimeout: number): Connected {
  const connection = openConnection(() => openFile(path, { busyTimeout, cache: 65_536 }))
  // Whether a statement has rows is asked once, and not at each run.
  const prepare = connection.preparing((statement) =>
    Object.assign(statement, { reader: statement.columns().length > 0 }),
  )
  const statements: SqliteDatabase = {
    exec: (text) => prepare(text === 'begin' ? begin : text).run(),
    // The adapter hands on what it was given; only values that SQLite can bind are written.
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
    const rows = statement.all(...(values as SQLInputValue[])) as unknown as unknown[][]
    return { rows: namedRows(names, rows) }
  }
  return { connection, statements, adapter, db: createDatabase(adapter), queue: new Queue() }
}

/** Not by the query library, whose own transactions cost a good part of a look-up. */
function inTransaction<Value>(
  { connection, statements, db, queue }: Connected,
  work: (db: Database) => Promise<Value>,
): Promise<Value> {
  return queue.run(async () => {
    try {
      // What is in memory would be lost.
      if (connection.database.location() !== null) connection.renewIfDue()
      statements.exec('begin')
      const value = await work(db)
      statements.exec('commit')
      return value
    } catch (error) {
      // A disk that is full may have ended the transaction.
      if (connection.database.isTransaction) statements.exec('rollback')
      if (faultOf(error) !== 'busy') throw error
      throw new StoreUnavailableError('the database is busy', { cause: error })
    }
  })
}

/** Copies what the log holds into the file, as far as nobody reads of it. */
function checkpoint({ connection, queue }: Connected): Promise<void> {
  return queue.run(async () => connection.database.exec('pragma wal_checkpoint'))
}

/**
 * Does the reads of one turn of the event loop in one transaction: each sees what was there when it was
 * asked for, or later. They are told together what came of them: what they do then would come between
 * the statements, and have the processor forget what it knows of the database.
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
      // Of those that were begun, a fault that ended the transaction has failed the one that met it.
      for (const { fail } of reads.slice(tells.length)) fail(error)
    }
    for (const tell of tells) tell()
  }
  return (work, { signal } = {}) =>
    new Promise((resolve, reject) => {
      const run: Read['run'] = async (db) => {
        try {
          // A statement of SQLite holds the thread, so that nothing can come in between to stop it.
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
  /** Does the work; gives what tells whoever asked for it what came of it. */
  readonly run: (db: Database) => Promise<() => void>
  readonly fail: (error: unknown) => void
}
