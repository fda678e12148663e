import type { Database } from '@remix-run/data-table'

/** The client and the tenant that work runs for. */
export interface WorkOptions {
  /**
   * Aborts if the client closes the connection: waiting work does not start, and the database stops the
   * running statement where possible.
   */
  readonly signal?: AbortSignal
  /** The tenant of the work: tenants get equal shares of the database. */
  readonly tenantId?: string
}

/** A database. Each call runs its work in one transaction. */
export interface Store {
  readonly dialect: 'sqlite' | 'postgres'
  /** Runs work that reads few rows. */
  read<Value>(work: (db: Database) => Promise<Value>, options?: WorkOptions): Promise<Value>
  /**
   * Runs work that may read many rows, on another thread or connection and with a time limit. It may be
   * retried: it must not keep state of a run that was stopped.
   */
  scan<Value>(work: (db: Database) => Promise<Value>, options?: WorkOptions): Promise<Value>
  /** Runs work that writes, and commits all of it or nothing. */
  write<Value>(
    work: (db: Database) => Promise<Value>,
    options?: Pick<WorkOptions, 'tenantId'>,
  ): Promise<Value>
  /** Rejects if the database does not answer. It does not wait for other work. */
  ping(): Promise<void>
  /** Waits for running work, and closes the database. */
  close(): Promise<void>
}

/** The default time limit of a scan, in milliseconds. */
export const SCAN_TIMEOUT = 15_000

/** The database did not answer; a retry may succeed. */
export class StoreUnavailableError extends Error {
  override readonly name: string = 'StoreUnavailableError'
}

/** A scan was stopped because it took too long. */
export class ScanTimeoutError extends StoreUnavailableError {
  override readonly name: string = 'ScanTimeoutError'

  /** @param limit in milliseconds */
  constructor(limit: number) {
    super(`the search took longer than ${limit / 1_000} seconds`)
  }
}

/** Whether the failure is transient, so that a retry may succeed. */
export function isPassing(error: unknown): boolean {
  return error instanceof StoreUnavailableError || PASSING.has(faultOf(error))
}

const PASSING: ReadonlySet<Fault> = new Set(['busy', 'full', 'unavailable'])

/** The kind of a failure that a database reports. */
export type Fault = 'unique' | 'busy' | 'full' | 'unavailable' | 'text' | 'other'

/** Classifies an error by the SQLite or PostgreSQL code in its chain of causes. */
export function faultOf(error: unknown): Fault {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; depth += 1) {
    const code = codeOf(at)
    // The lowest byte of SQLite's extended codes is the code that they extend.
    const fault =
      FAULTS.get(code) ?? (typeof code === 'number' ? FAULTS.get(code & 0xff) : undefined)
    if (fault !== undefined) return fault
    if (GONE.test(at.message)) return 'unavailable'
    at = at.cause
  }
  return 'other'
}

/** The code of a driver's error: a number for SQLite, a string for PostgreSQL and the network. */
export function codeOf(error: Error): string | number {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  if (typeof errcode === 'number') return errcode
  return typeof code === 'string' ? code : ''
}

/** The messages of the driver, without a code, for a lost or failed connection. */
const GONE =
  /connection (?:terminated|ended|timeout)|timeout exceeded|query read timeout|not queryable/i

const FAULTS: ReadonlyMap<string | number, Fault> = new Map<string | number, Fault>([
  // SQLITE_CONSTRAINT_UNIQUE and _PRIMARYKEY; https://sqlite.org/rescode.html
  [2067, 'unique'],
  [1555, 'unique'],
  // SQLITE_BUSY, _LOCKED, _READONLY, _IOERR, _FULL and _CANTOPEN, with their extended codes.
  [5, 'busy'],
  [6, 'busy'],
  [8, 'unavailable'],
  [10, 'unavailable'],
  [13, 'full'],
  [14, 'unavailable'],
  // SQLSTATE; https://www.postgresql.org/docs/current/errcodes-appendix.html
  ['23505', 'unique'],
  // A value with U+0000, such as in a filter.
  ['22021', 'text'],
  // A late cancellation for one client stopped the statement of the next on the same connection.
  ['57014', 'busy'],
  ['40001', 'busy'],
  ['40P01', 'busy'],
  ['08000', 'unavailable'],
  ['08001', 'unavailable'],
  ['08003', 'unavailable'],
  ['08004', 'unavailable'],
  ['08006', 'unavailable'],
  ['53100', 'full'],
  ['53300', 'unavailable'],
  ['57P01', 'unavailable'],
  ['57P02', 'unavailable'],
  ['57P03', 'unavailable'],
  // A write on a server that has become a read replica.
  ['25006', 'unavailable'],
  ['ECONNREFUSED', 'unavailable'],
  ['ECONNRESET', 'unavailable'],
  ['EPIPE', 'unavailable'],
  ['ENOTFOUND', 'unavailable'],
  ['EAI_AGAIN', 'unavailable'],
  ['EHOSTUNREACH', 'unavailable'],
  ['ENETUNREACH', 'unavailable'],
  ['ETIMEDOUT', 'unavailable'],
])
