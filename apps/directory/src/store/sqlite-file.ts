import { DatabaseSync, type StatementSync } from 'node:sqlite'

// The thread that scans runs this as well, on nothing but what Node has: no packages are imported here.

/** How a connection to a file is used. */
export interface FileOptions {
  /** How long another process that writes is waited for, in milliseconds. */
  readonly busyTimeout: number
  /** How many KiB of pages it holds: what is not there is a call of the system for each page. */
  readonly cache: number
  readonly readOnly?: boolean
}

/** Opens a connection to a SQLite file. */
export function openFile(
  path: string,
  { busyTimeout, cache, readOnly = false }: FileOptions,
): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly })
  database.exec('pragma journal_mode = wal')
  // A commit is on the disk before it is acknowledged.
  database.exec('pragma synchronous = full')
  // A log that has grown longer is cut when it begins anew.
  database.exec(`pragma journal_size_limit = ${LONG_LOG}`)
  database.exec(`pragma cache_size = -${cache}`)
  database.exec('pragma foreign_keys = on')
  database.exec(`pragma busy_timeout = ${busyTimeout}`)
  // Filters are translated for a `like` that tells letter case apart.
  database.exec('pragma case_sensitive_like = on')
  return database
}

/**
 * Prepares the same text once, makes of the statement what is wanted, and keeps it, unless it is very
 * long: such a statement takes a megabyte, and seldom comes again.
 */
export function preparedOnce<Prepared>(
  database: DatabaseSync,
  make: (statement: StatementSync) => Prepared,
): (text: string) => Prepared {
  const known = new Map<string, Prepared>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const prepared = make(database.prepare(text))
    if (text.length > LONGEST_KEPT) return prepared
    if (known.size >= MOST_STATEMENTS) known.delete(known.keys().next().value ?? '')
    known.set(text, prepared)
    return prepared
  }
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
const MOST_STATEMENTS = 500
const LONGEST_KEPT = 10_000
