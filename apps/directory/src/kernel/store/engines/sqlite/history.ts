import { createHash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { sql } from '@plumbline/scim/internal'
import { readRow } from '../../database.ts'
import type { History } from '../../history.ts'
import type { Store } from '../../store.ts'

/**
 * Creates the history of a SQLite file: a small file next to it has the number of lease renewals, which the database
 * counts for ever. The file is written after the commit, so a crash leaves it behind the database, and only an older
 * database is behind the file.
 */
export function createFileHistory(path: string): History {
  // A database in memory is new at each start.
  if (path === ':memory:') return NO_HISTORY
  const file = `${path}-newest`
  const write = (known: Known): void => {
    const partial = `${file}.partial`
    writeFileSync(partial, `${JSON.stringify(known)}\n`, { mode: 0o600 })
    renameSync(partial, file)
  }
  return {
    check: async (store) => {
      const state = await readState(store)
      const last = readKnown(file)
      if (last?.database !== state.database) return null
      const isOlder = last.isOlder || last.renewals > state.renewals
      if (isOlder && !last.isOlder) write({ ...last, isOlder })
      return isOlder ? 'an older state of the database than the last one' : null
    },
    record: async (store) => {
      const state = await readState(store)
      const last = readKnown(file)
      if (last?.database === state.database && last.isOlder) return
      if (last?.database !== state.database || last.renewals < state.renewals) write(state)
    },
    restart: async (store) => write(await readState(store)),
  }
}

const NO_HISTORY: History = {
  check: async () => null,
  record: async () => undefined,
  restart: async () => undefined,
}

interface Known {
  /** Differs between databases, and not between copies. */
  readonly database: string
  readonly renewals: number
  /** Whether an older database was found: each start says so until `--restored`. */
  readonly isOlder: boolean
}

async function readState(store: Store): Promise<Known> {
  const row = await store.read((db) =>
    readRow<{ readonly value: string; readonly renewals: number | null }>(
      db,
      sql`select value, (select sum(beat) from leases) as renewals
        from settings where name = 'cursor_key'`,
    ),
  )
  const database = createHash('sha256')
    .update(row?.value ?? '')
    .digest('hex')
    .slice(0, 16)
  return { database, renewals: Number(row?.renewals ?? 0), isOlder: false }
}

/** Reads the file; null without one, or if it is damaged: a wrong alarm is worse than a missing one. */
function readKnown(file: string): Known | null {
  try {
    const { database, renewals, isOlder } = JSON.parse(readFileSync(file, 'utf8'))
    const isValid = typeof database === 'string' && typeof renewals === 'number'
    return isValid ? { database, renewals, isOlder: isOlder === true } : null
  } catch {
    return null
  }
}
