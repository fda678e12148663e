import { randomBytes } from 'node:crypto'
import { raw, sql } from '@plumbline/scim/internal'
import {
  createEventKeys,
  createEventReceivers,
  dropEventReceivers,
} from '../../../features/changes/event-keys-migration.ts'
import {
  addCountAt,
  addDeletedNames,
  addEpochColumns,
  addEpochs,
  addStoredTo,
  createChanges,
  dropOverwrittenValues,
  indexRiskyChanges,
} from '../../../features/changes/migration.ts'
import { addRequestSizes, createRequestLog } from '../../../features/log/migration.ts'
import {
  addClientKeys,
  createAccessTokenKey,
  createClientTable,
} from '../../../features/oauth/migration.ts'
import { createRecordings, eraseRecordings } from '../../../features/recordings/migration.ts'
import { addExtensions } from '../../../features/schemas/migration.ts'
import { endIndexesInKeys } from '../../../features/scim/look-ups-migration.ts'
import {
  addCursorIndexes,
  addMembershipIndex,
  createGroups,
  createUsers,
} from '../../../features/scim/migration.ts'
import { renewTags } from '../../../features/scim/tags-migration.ts'
import { indexValues } from '../../../features/scim/values-migration.ts'
import { createSetupLinks } from '../../../features/setup-links/migration.ts'
import { createTenants, extendTenants } from '../../../features/tenants/migration.ts'
import { addTokenExpiry, freeAdministrators } from '../../../features/tokens/migration.ts'
import { addAudience, createWebhooks } from '../../../features/webhooks/migration.ts'
import { type Database, readRow } from '../database.ts'
import { NewerSchemaError, type SqlDialect } from '../store.ts'
import { applyMigration, type Migration } from './apply-migration.ts'
import { createFence, type Fence, migratedByNewer } from './fence.ts'
import { CREATE_JOURNAL, doneIn, type JournalRow, readJournal } from './journal.ts'
import type { Migrated } from './migrated.ts'
import { createSessions } from './sessions.ts'

/**
 * Migrates a database to the current schema; several processes may do so at the same time. Rejects a database migrated
 * by a newer version, because the tables may have another meaning.
 */
export async function migrate(
  migrated: Migrated,
  dialect: SqlDialect,
  migrations: readonly Migration[] = migrationsFor(dialect),
): Promise<void> {
  const { db } = migrated
  // A transaction pooler may lose the lock a run takes and releases.
  if ((await findPending(db, dialect, migrations)).length === 0) return
  const { migrationLock } = dialect
  if (migrationLock !== null) await db.exec(migrationLock.acquire)
  try {
    await db.exec(CREATE_JOURNAL)
    const applied = requireKnown(await readJournal(db), migrations)
    for (const migration of migrations) {
      if (!applied.has(migration.id)) await applyMigration(migration, migrated, dialect)
    }
  } finally {
    if (migrationLock !== null) await db.exec(migrationLock.release)
  }
}

/** Rejects a read-only database with pending migrations. */
export async function requireMigrated(db: Database, dialect: SqlDialect): Promise<void> {
  if ((await findPending(db, dialect)).length === 0) return
  throw new Error(
    'the database is read-only, and an earlier version of the directory has migrated it',
  )
}

/** The migrations a database needs, by name. Rejects a database migrated by a newer version. */
export async function findPending(
  db: Database,
  dialect: SqlDialect,
  migrations: readonly Migration[] = migrationsFor(dialect),
): Promise<readonly string[]> {
  const isNew = (await readRow(db, dialect.hasTable('migrations'))) === null
  const applied = requireKnown(isNew ? [] : await readJournal(db), migrations)
  return migrations.filter(({ id }) => !applied.has(id)).map(({ name }) => name)
}

/** Counts the migrations applied to a database; 0 if it is new. */
export async function countMigrations(db: Database): Promise<number> {
  try {
    return doneIn(await readJournal(db)).size
  } catch {
    return 0
  }
}

/** The fence for this version's processes. */
export function createSchemaFence(dialect: SqlDialect): Fence {
  return createFence(migrationsFor(dialect).map(({ id }) => id))
}

/** Returns the ids of the applied migrations. */
function requireKnown(
  journal: readonly JournalRow[],
  migrations: readonly Migration[],
): ReadonlySet<string> {
  const unknown = journal.find(({ id }) => !migrations.some((known) => known.id === id))
  if (unknown !== undefined) throw new NewerSchemaError(migratedByNewer(unknown.id))
  return doneIn(journal)
}

/**
 * The schema. The key of every table with tenant data starts with the tenant, so a sharding database can store
 * a tenant on one node. Text has a binary collation: filters and paging need it.
 */
export function migrationsFor(dialect: SqlDialect): readonly Migration[] {
  return [
    migration('20261121000000', 'create_directory', [
      ...createTenants(dialect),
      ...createUsers(dialect),
      ...createGroups(dialect),
    ]),
    migration('20261121000001', 'page_by_cursor', addCursorIndexes(dialect), createCursorKey),
    migration('20261121000002', 'list_memberships', addMembershipIndex()),
    migration('20261121000003', 'administrators_without_a_tenant', freeAdministrators(dialect)),
    migration('20261122000000', 'log_requests', createRequestLog(dialect)),
    migration('20261122010000', 'expire_tokens', addTokenExpiry(dialect)),
    migration('20261122020000', 'oauth_clients', createClientTable(dialect), createAccessTokenKey),
    migration('20261122030000', 'create_sessions', createSessions(dialect)),
    migration('20261122040000', 'extension_schemas', addExtensions(dialect)),
    inTransactions('20261122050000', 'index_values', (context) => indexValues(context, dialect)),
    migration('20261122060000', 'disable_tenants', extendTenants()),
    migration('20261122060001', 'record_requests', createRecordings(dialect)),
    inTransactions('20261124010000', 'erase_recordings', ({ db }) => eraseRecordings(db, dialect)),
    migration('20261124020000', 'size_request_logs', addRequestSizes(dialect)),
    migration('20261124030000', 'client_keys', addClientKeys(dialect)),
    migration('20261124050000', 'changes', createChanges(dialect)),
    migration('20261124060000', 'webhooks', createWebhooks(dialect)),
    migration('20261124065000', 'security_events', createEventReceivers(dialect), createEventKeys),
    migration('20261124070000', 'setup_links', createSetupLinks(dialect)),
    migration('20261126010000', 'push_security_events', addAudience(dialect)),
    migration('20261127010000', 'index_risky_changes', indexRiskyChanges()),
    migration('20261128010000', 'count_lost_users_rarely', addCountAt()),
    migration('20261129020000', 'end_indexes_in_keys', endIndexesInKeys(dialect)),
    inTransactions('20261129030000', 'renew_tags', (context) => renewTags(context, dialect)),
    migration('20261129040000', 'drop_event_receivers', dropEventReceivers()),
    migration('20261129040001', 'epochs_of_changes', addEpochColumns(dialect), addEpochs),
    migration('20261129080000', 'drop_overwritten_values', dropOverwrittenValues()),
    migration('20261129080001', 'name_deleted_resources', addDeletedNames(dialect)),
    migration('20261129080002', 'keep_waiting_changes', addStoredTo()),
  ]
}

/** A migration that runs statements, and then `finish`, in a transaction. */
function migration(
  id: string,
  name: string,
  statements: readonly string[],
  finish: (db: Database) => Promise<unknown> = async () => undefined,
): Migration {
  const up = async ({ db }: Migrated): Promise<void> => {
    for (const statement of statements) await db.exec(raw(statement))
    await finish(db)
  }
  return { id, name, isInParts: false, up }
}

/** A migration with many transactions. */
function inTransactions(id: string, name: string, up: Migration['up']): Migration {
  return { id, name, isInParts: true, up }
}

/** All processes share this key, so each accepts the others' cursors. */
async function createCursorKey(db: Database): Promise<void> {
  const key = randomBytes(32).toString('base64url')
  await db.exec(sql`insert into settings (name, value) values (${'cursor_key'}, ${key})`)
}
