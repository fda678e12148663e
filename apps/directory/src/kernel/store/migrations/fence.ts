import { NewerSchemaError } from '../store.ts'
import { BEGUN, type JournalRow } from './journal.ts'

/** Stops the writes of a process after a newer version has migrated its database. */
export interface Fence {
  /** Aborts when the process has seen a migration of a newer version. The reason is a `NewerSchemaError`. */
  readonly outdated: AbortSignal
  /** Throws if this process does not know the newest migration. */
  requireCurrent(newest: unknown): void
  /** Throws if this process does not know the newest migration, or if a migration is running. */
  requireWritable(newest: unknown): void
}

/**
 * Creates a fence for a process that knows these migrations.
 *
 * Each write transaction reads the newest migration. No write overlaps with a migration's transaction, so what it
 * has read is still true when it commits.
 */
export function createFence(ids: readonly string[]): Fence {
  const known: ReadonlySet<string> = new Set(ids)
  const outdating = new AbortController()
  const requireCurrent = (newest: unknown): void => {
    const { id, batch } = newest as JournalRow
    if (known.has(id) || batch === BEGUN) return
    const error = new NewerSchemaError(migratedByNewer(id))
    outdating.abort(error)
    throw error
  }
  return {
    outdated: outdating.signal,
    requireCurrent,
    requireWritable: (newest) => {
      requireCurrent(newest)
      if ((newest as JournalRow).batch === BEGUN) throw migrating()
    },
  }
}

/** The message for a database with an unknown migration. */
export function migratedByNewer(id: string): string {
  return `a newer version of the directory has migrated the database (${id})`
}

/** Creates the error for a write during a migration. */
export function migrating(): NewerSchemaError {
  return new NewerSchemaError('the database is being migrated')
}
