import type { Fragment } from '@plumbline/scim/internal'
import type { JobReports } from '../jobs/job-reports.ts'
import type { Database } from './database.ts'

/** The client and the tenant for which work runs. */
export interface WorkOptions {
  /**
   * Aborts if the client closes the connection: waiting work does not start, and the database stops the
   * running statement where possible.
   */
  readonly signal?: AbortSignal
  /** The work's tenant: tenants get equal shares of the database. */
  readonly tenantId?: string
}

/** Options for reads. */
export interface ReadOptions extends WorkOptions {
  /**
   * Whether the work is expected to run one statement, which needs no transaction; false by default. If it runs
   * another one, the work starts again in a transaction: it must not keep state from a stopped run.
   */
  readonly isOneStatement?: boolean
}

/** Options for a read with one statement. */
export const ONE_STATEMENT: ReadOptions = { isOneStatement: true }

/** The differences between the databases' SQL. */
export interface SqlDialect {
  readonly name: 'sqlite' | 'postgres'
  /** The type for an indexed text column, which compares strings by code points or bytes. */
  readonly text: string
  /** The column type for JSON up to 2 MiB. */
  readonly document: string
  /**
   * The ends of a `select` that lock the rows until the transaction ends: for their deletion, for a change that keeps
   * the key, or against others deleting them. Null if only one transaction writes at a time.
   */
  readonly locks: Readonly<Record<'delete' | 'change' | 'reference', string>> | null
  /** Ends a `create table`, to store the rows in primary key order where possible. */
  readonly clustered: string
  /** Ends an `insert`, to skip the rows whose key already exists. */
  skipExisting(key: readonly string[]): string
  /** An aggregate expression: a JSON list with a list of these columns for each row; null or `[]` without rows. */
  jsonRows(columns: string): string
  /**
   * Joins the rows of `select * from` this source to each preceding row. Each time, they are looked up again through an
   * index, whatever the table statistics say.
   */
  joinEach(source: Fragment, alias: string): Fragment
  /**
   * The statements that delete all rows in a table, and overwrite them in the database's files. They do not run
   * in a transaction.
   */
  erase(table: string): readonly string[]
  /** Renews the query planner's statistics; null if they are the same in every database. */
  readonly renewStatistics: Fragment | null
  /** The statement after which a large table's statistics are renewed in the background earlier; or null. */
  renewEarly(table: string): string | null
  /** A statement that returns a row if a table exists. */
  hasTable(table: string): Fragment
  /** The statements that make other processes' migrations wait; null if a transaction has the same effect. */
  readonly migrationLock: Readonly<Record<'acquire' | 'release', Fragment>> | null
  /** A statement that returns the database's size as `bytes`. */
  readonly size: Fragment
  /**
   * The statements after the `begin` of a write, which fails during a migration, and of a migration, which waits for
   * running writes. Null if only one transaction writes at a time.
   */
  readonly fence: Readonly<Record<'write' | 'migrate', string>> | null
  /** Makes a column nullable; null if the table must be copied. */
  readonly dropNotNull: ((table: string, column: string) => string) | null
}

/** A database. Each call runs its work in one transaction. */
export interface Store {
  readonly dialect: SqlDialect
  /** Runs work that reads few rows. */
  read<Value>(work: (db: Database) => Promise<Value>, options?: ReadOptions): Promise<Value>
  /**
   * Runs work that may read many rows, on another thread or connection and with a time limit. It may be
   * retried: it must not keep state from a stopped run.
   */
  scan<Value>(work: (db: Database) => Promise<Value>, options?: WorkOptions): Promise<Value>
  /** Runs writes, and commits all or nothing. */
  write<Value>(
    work: (db: Database) => Promise<Value>,
    options?: Pick<WorkOptions, 'tenantId'>,
  ): Promise<Value>
  /**
   * Runs writes for which no client waits, such as a log: it does not use a request's connection, and
   * rejects rather than wait for another process. On SQLite, its commit is not synced to disk, so a power
   * failure may lose it.
   */
  background<Value>(work: (db: Database) => Promise<Value>): Promise<Value>
  /** The event loop's turns, for work on its data that blocks the loop. */
  readonly turns: LoopTurns
  /**
   * Rejects if the database does not answer, or if a newer version has migrated it. It does not wait for other work.
   */
  ping(): Promise<void>
  /** The outcomes of this process's background jobs. */
  readonly jobs: JobReports
  /**
   * Aborts when a newer version has migrated the database. From then on, `write`, `background` and `ping` reject, and
   * the process should stop.
   */
  readonly outdated: AbortSignal
  /** This process's current work on the database, for metrics. */
  load(): StoreLoad
  /** Waits for running work, and closes the database. */
  close(): Promise<void>
}

/** How busy one process keeps a database. */
export interface StoreLoad {
  /** Each kind of work with a limit. */
  readonly work: readonly Load[]
  /** The connection pools; empty if connections are not pooled. */
  readonly connections: readonly Load[]
}

/** How much of something is in use, waits, and may be in use at the same time. */
export interface Load {
  readonly name: string
  readonly running: number
  readonly waiting: number
  readonly limit: number
}

/** Divides the event loop between tenants. */
export interface LoopTurns {
  /**
   * Waits until a tenant may block the event loop for some milliseconds. Undefined if it need not wait: most of
   * this loop turn is left, and no other work waits.
   */
  next(tenantId: string): Promise<void> | undefined
}

/** The default time limit for a scan, in milliseconds. */
export const SCAN_TIMEOUT = 15_000

/** The database did not answer; a retry may succeed. */
export class StoreUnavailableError extends Error {
  override readonly name: string = 'StoreUnavailableError'
}

/** A newer version is migrating the database, or has migrated it: this process must not write to it. */
export class NewerSchemaError extends StoreUnavailableError {
  override readonly name: string = 'NewerSchemaError'
}

/** A scan was stopped because it took too long. */
export class ScanTimeoutError extends StoreUnavailableError {
  override readonly name: string = 'ScanTimeoutError'

  /** @param limit in milliseconds */
  constructor(limit: number) {
    super(`the search took longer than ${limit / 1_000} seconds`)
  }
}
