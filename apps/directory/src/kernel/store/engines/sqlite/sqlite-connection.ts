import type { DatabaseSync, StatementSync } from 'node:sqlite'

// The scan thread also runs this module: it imports only Node's modules.

/** A connection that is reopened after it has prepared many statements. */
export interface Connection {
  /** The open connection, which `renewIfDue` may replace. */
  readonly database: DatabaseSync
  /**
   * Creates a function that prepares statements and wraps each. It caches the last ones, unless they are
   * very long.
   */
  preparing<Prepared>(make: (statement: StatementSync) => Prepared): (text: string) => Prepared
  /**
   * Reopens the connection if it has prepared too many statements. Node frees a statement only when its small
   * object is garbage collected; closing the connection frees them all. Never call this inside a transaction.
   */
  renewIfDue(): void
}

/** Opens a connection that can be reopened between two transactions. */
export function openConnection(open: () => DatabaseSync): Connection {
  let database = open()
  let prepared = 0
  const caches: Map<string, unknown>[] = []
  return {
    get database() {
      return database
    },
    preparing: (make) => {
      const cache = createCache<ReturnType<typeof make>>()
      caches.push(cache.kept)
      return (text) => {
        const known = cache.kept.get(text)
        if (known !== undefined) return known
        const entry = make(database.prepare(text))
        prepared += text.length
        cache.keep(text, entry)
        return entry
      }
    },
    renewIfDue: () => {
      if (prepared <= MAX_PREPARED) return
      // If the file cannot be opened, the old connection is kept.
      const next = open()
      for (const cache of caches) cache.clear()
      database.close()
      database = next
      prepared = 0
    },
  }
}

/** Caches the values for the last statements. */
function createCache<Entry>() {
  const kept = new Map<string, Entry>()
  return {
    kept,
    keep: (text: string, entry: Entry): void => {
      if (text.length > MAX_KEPT_LENGTH) return
      if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value ?? '')
      kept.set(text, entry)
    },
  }
}

/** How many statements are cached, and the longest one in characters: about 10 MiB together. */
const MAX_KEPT = 500
const MAX_KEPT_LENGTH = 2_000
/** How many characters of SQL a connection prepares. SQLite needs about 30 bytes for each. */
const MAX_PREPARED = 250_000
