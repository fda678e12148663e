import { raw } from '@plumbline/scim/internal'
import type { SqlDialect } from '../store.ts'
import { completeMigration, recordMigration } from './journal.ts'
import type { Migrated } from './migrated.ts'

/** A database schema change. */
export interface Migration {
  /** Greater than those of all earlier migrations: the fence reads the greatest one. */
  readonly id: string
  readonly name: string
  /** Whether it begins transactions itself, and continues after an interrupted run. */
  readonly isInParts: boolean
  up(migrated: Migrated): Promise<unknown>
}

/** A migration failed. The message has its name, and the cause has the database's code. */
export class FailedMigrationError extends Error {
  override readonly name = 'FailedMigrationError'
}

/** Applies a migration. Rejects with a `FailedMigrationError`. */
export async function applyMigration(
  migration: Migration,
  migrated: Migrated,
  dialect: SqlDialect,
): Promise<void> {
  try {
    await apply(migration, migrated, dialect)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new FailedMigrationError(`the migration ${migration.name} failed: ${reason}`, { cause })
  }
}

/**
 * Applies a migration, and records it in the same transaction. One with several transactions is recorded before
 * the first, so no other process writes between them.
 */
async function apply(
  { id, name, isInParts, up }: Migration,
  migrated: Migrated,
  dialect: SqlDialect,
): Promise<void> {
  await migrated.transaction(async (db) => {
    if (dialect.fence !== null) await db.exec(raw(dialect.fence.migrate))
    if (!isInParts) await up({ ...migrated, db })
    await db.exec(recordMigration({ id, name, isDone: !isInParts }, dialect))
  })
  if (!isInParts) return
  await up(migrated)
  await migrated.db.exec(completeMigration(id))
}
