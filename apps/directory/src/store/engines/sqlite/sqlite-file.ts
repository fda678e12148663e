import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

// The thread that scans runs this as well, on nothing but what Node has: no packages are imported here.

/** How a connection to a file is used. */
export interface FileOptions {
  /** How long another process that writes is waited for, in milliseconds. */
  readonly busyTimeout: number
  /** How many KiB of pages it holds: what is not there is a call of the system for each page. */
  readonly cache: number
  readonly readOnly?: boolean
}

/** Opens a connection to a SQLite file; on a read-only mount, one that only reads. */
export function openFile(
  path: string,
  { busyTimeout, cache, readOnly = false }: FileOptions,
): DatabaseSync {
  const canWrite = isWritable(path)
  const database = new DatabaseSync(canWrite ? path : readOnlyLocation(path), {
    readOnly: readOnly || !canWrite,
    timeout: busyTimeout,
  })
  if (canWrite && !readOnly) prepareToWrite(database, busyTimeout)
  database.exec(`pragma cache_size = -${cache}`)
  // Filters are translated for a `like` that tells letter case apart.
  database.exec('pragma case_sensitive_like = on')
  return database
}

function prepareToWrite(database: DatabaseSync, busyTimeout: number): void {
  writeAhead(database, performance.now() + busyTimeout)
  // A commit is on the disk before it is acknowledged.
  database.exec('pragma synchronous = full')
  // A log that has grown longer is cut when it restarts.
  database.exec(`pragma journal_size_limit = ${LONG_LOG}`)
  database.exec('pragma foreign_keys = on')
}

/** SQLite does not wait for another process that switches a new file to the same mode. */
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

/** Whether a file and the log next to it can be written; true of a file that does not exist. */
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
 * SQLite shares a log with other processes through a third file, which it cannot create here. Without a
 * log no process has the database open for writing, and its file does not change.
 */
function readOnlyLocation(path: string): URL {
  const location = pathToFileURL(path)
  if (!existsSync(`${path}-wal`)) location.searchParams.set('immutable', '1')
  return location
}

/** Rows as objects. Node makes objects of rows more slowly, and they are slower to read. */
export function namedRows(
  names: readonly string[],
  rows: readonly (readonly unknown[])[],
): Record<string, unknown>[] {
  return rows.map((values) => {
    const row: Record<string, unknown> = {}
    for (let at = 0; at < names.length; at += 1) row[names[at] ?? ''] = values[at]
    return row
  })
}

/** How many bytes of the log, in which SQLite writes ahead, are many. */
export const LONG_LOG = 32 * 2 ** 20
// https://sqlite.org/rescode.html#busy
const SQLITE_BUSY = 5
