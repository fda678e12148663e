import type { DatabaseSync, StatementSync } from 'node:sqlite'

// The thread that scans runs this as well, on nothing but what Node has: no packages are imported here.

/** A connection that is closed and opened again when it has prepared many statements. */
export interface Connection {
  /** The open connection; another one after `renewIfDue`. */
  readonly database: DatabaseSync
  /**
   * Creates a function that prepares statements and makes of each what is wanted. It keeps the last ones,
   * unless they are very long.
   */
  preparing<Prepared>(make: (statement: StatementSync) => Prepared): (text: string) => Prepared
  /**
   * Opens the connection again if it has prepared too much since it was opened. Node frees statements
   * only with garbage that it does not see the size of; to close a connection frees all of them.
   * Never call it inside a transaction.
   */
  renewIfDue(): void
}

/** Opens a connection that may be closed and opened again at any time between two transactions. */
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
        const made = make(database.prepare(text))
        prepared += text.length
        cache.keep(text, made)
        return made
      }
    },
    renewIfDue: () => {
      if (prepared <= MOST_PREPARED) return
      // If the file cannot be opened now, the connection stays as it is.
      const next = open()
      for (const cache of caches) cache.clear()
      database.close()
      database = next
      prepared = 0
    },
  }
}

/** Keeps what was made of the last texts. */
function createCache<Made>() {
  const kept = new Map<string, Made>()
  return {
    kept,
    keep: (text: string, made: Made): void => {
      if (text.length > LONGEST_KEPT) return
      if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? '')
      kept.set(text, made)
    },
  }
}

/** How many statements are kept, and how long each of them is at most: about 10 MiB together. */
const MOST_KEPT = 500
const LONGEST_KEPT = 2_000
/** How many characters of statements a connection prepares. SQLite takes about 30 bytes for each. */
const MOST_PREPARED = 250_000
