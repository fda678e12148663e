import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

// The scan thread also runs this module: it imports only Node's modules.

/** Options for a connection to a file. */
export interface FileOptions {
  /** How long (ms) to wait while another process writes. */
  readonly busyTimeout: number
  /** The page cache's size in KiB. Each uncached page needs a system call. */
  readonly cache: number
  readonly readOnly?: boolean
  /** When commits are synced to disk: each one, which is the default, or with a log checkpoint. */
  readonly synchronous?: 'full' | 'normal'
}

/** Opens a connection to a SQLite file; on a read-only mount, a read-only connection. */
export function openFile(
  path: string,
  { busyTimeout, cache, readOnly = false, synchronous = 'full' }: FileOptions,
): DatabaseSync {
  const canWrite = isWritable(path)
  const database = new DatabaseSync(canWrite ? path : readOnlyLocation(path), {
    readOnly: readOnly || !canWrite,
    timeout: busyTimeout,
  })
  if (canWrite && !readOnly) prepareToWrite(database, busyTimeout, synchronous)
  database.exec(`pragma cache_size = -${cache}`)
  // Filters are translated for a case-sensitive `like`.
  database.exec('pragma case_sensitive_like = on')
  return database
}

function prepareToWrite(
  database: DatabaseSync,
  busyTimeout: number,
  synchronous: 'full' | 'normal',
): void {
  writeAhead(database, performance.now() + busyTimeout)
  database.exec(`pragma synchronous = ${synchronous}`)
  // A longer log is truncated when it restarts.
  database.exec(`pragma journal_size_limit = ${LONG_LOG}`)
  database.exec('pragma foreign_keys = on')
}

/** SQLite does not wait while another process switches a new file to the same mode. */
function writeAhead(database: DatabaseSync, end: number): void {
  for (;;) {
    try {
      database.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      if (Object(error).errcode !== SQLITE_BUSY || performance.now() > end) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

/** Whether a file and the log next to it can be written; true if the file does not exist. */
export function isWritable(path: string): boolean {
  if (!existsSync(path)) return true
  try {
    accessSync(path, constants.W_OK)
    accessSync(dirname(path), constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Processes share the log through a third file, which SQLite cannot create on a read-only mount. Without a log,
 * no process has the database open for writing, so its file does not change.
 */
function readOnlyLocation(path: string): URL {
  const location = pathToFileURL(path)
  if (!existsSync(`${path}-wal`)) location.searchParams.set('immutable', '1')
  return location
}

/** Converts rows from arrays to objects. Objects Node creates are slower to create and to read. */
export function namedRows(
  names: readonly string[],
  rows: readonly unknown[],
): Record<string, unknown>[] {
  return (rows as readonly (readonly unknown[])[]).map((values) => {
    const row: Record<string, unknown> = {}
    for (let at = 0; at < names.length; at += 1) row[names[at] ?? ''] = values[at]
    return row
  })
}

/** The write-ahead log's maximum size, in bytes. */
export const LONG_LOG = 32 * 2 ** 20
// https://sqlite.org/rescode.html#busy
const SQLITE_BUSY = 5
