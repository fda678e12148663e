import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/**
 * Rejects an existing file that is not a database of the directory, without changing it or creating files next to
 * it: a mistyped `DATABASE_URL` must not change the mode or the content of another program's file. An empty file
 * may be used.
 */
export function requireOwnFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  // SQLite reports a folder.
  if (stats === undefined || stats.isDirectory()) return
  // The mode of a device, such as /dev/null, must not be changed either.
  if (!stats.isFile()) throw new Error('it is not a file')
  if (stats.size === 0) return
  if (!hasHeader(path, stats)) throw new Error('file is not a database')
  if (isForeign(path)) throw new Error('file is a database of another program')
}

/** https://sqlite.org/fileformat.html#magic_header_string */
function hasHeader(path: string, { size }: Stats): boolean {
  if (size < HEADER.length) return false
  const found = Buffer.alloc(HEADER.length)
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, found, 0, found.length, 0)
  } finally {
    closeSync(descriptor)
  }
  return found.equals(HEADER)
}

/** Whether a database has tables, but not the one of the directory's migrations. */
function isForeign(path: string): boolean {
  const location = pathToFileURL(path)
  // Otherwise SQLite would create files next to one with a write-ahead log.
  location.searchParams.set('immutable', '1')
  try {
    const database = new DatabaseSync(location, { readOnly: true })
    try {
      const found = database
        .prepare(`select count(*) as tables, sum(name = 'migrations') as own from sqlite_schema`)
        .get()
      return Number(found?.tables) > 0 && Number(found?.own) === 0
    } finally {
      database.close()
    }
  } catch {
    // Another process may write to the file. SQLite reports a damaged one when it is opened.
    return false
  }
}

const HEADER = Buffer.from('SQLite format 3\0')
