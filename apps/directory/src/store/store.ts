import type { Database } from '@remix-run/data-table'

/** A database that work is done in, whole or not at all. */
export interface Store {
  readonly dialect: 'sqlite' | 'postgres'
  /**
   * Runs work that only reads, on one state of the database. Work that nobody waits for any more, because
   * `signal` was aborted, is not begun, and what the database is doing for it is stopped where it can be.
   */
  read<Value>(work: (db: Database) => Promise<Value>, signal?: AbortSignal): Promise<Value>
  /**
   * Runs work that may read much as `read` does, but so that neither other work nor the thread waits for it,
   * and the statement that runs is stopped.
   */
  scan<Value>(work: (db: Database) => Promise<Value>, signal?: AbortSignal): Promise<Value>
  /** Runs work that writes: all of it is kept, or none. */
  write<Value>(work: (db: Database) => Promise<Value>): Promise<Value>
  /** Waits for what is under way, and closes the database. */
  close(): Promise<void>
}

/** The database did not answer, or could not take part; the same request may work later. */
export class StoreUnavailableError extends Error {
  override readonly name: string = 'StoreUnavailableError'
}

/** Whether the same work may well be done later: the failure is none of the client's, and none of ours. */
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
