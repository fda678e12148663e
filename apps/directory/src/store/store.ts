import type { Database } from '@remix-run/data-table'

/** For whom work runs. */
export interface WorkOptions {
  /**
   * Aborted when the client no longer waits: work that has not started does not start, and the database
   * stops the statement that runs, where it can.
   */
  readonly signal?: AbortSignal
  /** The tenant that the work is for: tenants get equal shares of the database. */
  readonly tenantId?: string
}

/** A database. Each piece of work is one transaction. */
export interface Store {
  readonly dialect: 'sqlite' | 'postgres'
  /** Runs work that reads little, on one state of the database. */
  read<Value>(work: (db: Database) => Promise<Value>, options?: WorkOptions): Promise<Value>
  /**
   * Runs work that may read much. It runs apart from other work and the thread, is limited in time, and
   * may start again: it must not keep anything of a run that was stopped.
   */
  scan<Value>(work: (db: Database) => Promise<Value>, options?: WorkOptions): Promise<Value>
  /** Runs work that writes: all of it is kept, or nothing. */
  write<Value>(
    work: (db: Database) => Promise<Value>,
    options?: Pick<WorkOptions, 'tenantId'>,
  ): Promise<Value>
  /** Rejects if the database does not answer. It does not wait for other work. */
  ping(): Promise<void>
  /** Waits for the work under way, and closes the database. */
  close(): Promise<void>
}

/** How long a scan may take, in milliseconds, unless the store is opened with another limit. */
export const SCAN_TIMEOUT = 15_000

/** The database did not answer, or could not take part; the same request may work later. */
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

/** What a failed statement says about itself. */
export type Fault = 'unique' | 'busy' | 'full' | 'unavailable' | 'text' | 'other'

/** Reads the codes of SQLite and PostgreSQL, wherever in the chain of causes they stand. */
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

/** What the driver calls a failure: SQLite a number, PostgreSQL and the network a text. */
export function codeOf(error: Error): string | number {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  if (typeof errcode === 'number') return errcode
  return typeof code === 'string' ? code : ''
}

/** What the driver says without a code of a connection that is no longer there, or was not to be had. */
const GONE =
  /connection (?:terminated|ended|timeout)|timeout exceeded|query read timeout|not queryable/i

const FAULTS: ReadonlyMap<string | number, Fault> = new Map<string | number, Fault>([
  // SQLITE_CONSTRAINT_UNIQUE and _PRIMARYKEY; https://sqlite.org/rescode.html
  [2067, 'unique'],
  [1555, 'unique'],
  // SQLITE_BUSY, _LOCKED, _READONLY, _IOERR, _FULL and _CANTOPEN, with whatever extends them.
  [5, 'busy'],
  [6, 'busy'],
  [8, 'unavailable'],
  [10, 'unavailable'],
  [13, 'full'],
  [14, 'unavailable'],
  // SQLSTATE; https://www.postgresql.org/docs/current/errcodes-appendix.html
  ['23505', 'unique'],
  // A value with U+0000, which may be sought though it cannot be stored.
  ['22021', 'text'],
  // A statement that was cancelled for a client that is gone, on a connection that has gone on to another.
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
  // A transaction that writes, on a server that has become one to read from.
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
