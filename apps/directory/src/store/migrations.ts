import { randomBytes } from 'node:crypto'
import {
  createDatabase,
  type Database,
  type DatabaseAdapter,
  rawSql,
  sql,
} from '@remix-run/data-table'
import {
  createMigration,
  createMigrationRunner,
  type MigrationDescriptor,
} from '@remix-run/data-table/migrations'
import { createAccessTokenKey, createClientTable } from './client-migration.ts'
import { addExtensions } from './extension-migration.ts'
import { createRecordings } from './recording-migration.ts'
import { createRequestLog } from './request-migration.ts'
import { createSessions } from './session-migration.ts'
import type { SqlDialect } from './store.ts'
import { readRows } from './tables.ts'
import { extendTenants } from './tenant-migration.ts'
import { addTokenExpiry, freeAdministrators } from './token-migration.ts'
import { indexValues } from './value-migration.ts'

/**
 * Migrates a database to the current schema; several processes may do so at the same time. Rejects a
 * database that a newer version has migrated, because its tables may have another meaning.
 */
export async function migrate(adapter: DatabaseAdapter, dialect: SqlDialect): Promise<void> {
  const migrations = migrationsFor(dialect)
  await createMigrationRunner(adapter, migrations, { journalTable: 'migrations' }).up()
  await requireKnown(adapter, migrations)
}

/** Rejects a read-only database that `migrate` would change. */
export async function requireMigrated(
  adapter: DatabaseAdapter,
  dialect: SqlDialect,
): Promise<void> {
  const migrations = migrationsFor(dialect)
  const applied = await requireKnown(adapter, migrations)
  const missing = migrations.find(({ id }) => !applied.includes(id))
  if (missing === undefined) return
  throw new Error(
    'the database is read-only, and an earlier version of the directory has migrated it',
  )
}

/** The number of migrations applied to a database; 0 if it is new. */
export async function countMigrations(db: Database): Promise<number> {
  try {
    return (await readIds(db)).length
  } catch {
    return 0
  }
}

async function requireKnown(
  adapter: DatabaseAdapter,
  migrations: readonly MigrationDescriptor[],
): Promise<readonly unknown[]> {
  const applied = await readIds(createDatabase(adapter))
  const unknown = applied.find((id) => !migrations.some((known) => known.id === id))
  if (unknown === undefined) return applied
  throw new Error(`a newer version of the directory has migrated the database (${unknown})`)
}

async function readIds(db: Database): Promise<readonly unknown[]> {
  const rows = await readRows<{ readonly id: unknown }>(db, sql`select id from migrations`)
  return rows.map(({ id }) => id)
}

/**
 * The schema. The key of every table with a tenant's data starts with the tenant, so that a sharding
 * database can store a tenant on one node. Text has a binary collation: filters and paging need it.
 */
function migrationsFor(dialect: SqlDialect): MigrationDescriptor[] {
  return [
    migration('20261121000000', 'create_directory', createTables(dialect)),
    migration('20261121000001', 'page_by_cursor', addCursorIndexes(dialect), createCursorKey),
    migration('20261121000002', 'list_memberships', addMembershipIndex()),
    migration('20261121000003', 'administrators_without_a_tenant', freeAdministrators(dialect)),
    migration('20261122000000', 'log_requests', createRequestLog(dialect)),
    migration('20261122010000', 'expire_tokens', addTokenExpiry(dialect)),
    migration('20261122020000', 'oauth_clients', createClientTable(dialect), createAccessTokenKey),
    migration('20261122030000', 'create_sessions', createSessions(dialect)),
    migration('20261122040000', 'extension_schemas', addExtensions(dialect)),
    {
      id: '20261122050000',
      name: 'index_values',
      migration: createMigration({
        // It consists of many transactions.
        transaction: 'none',
        up: (context) => indexValues(context, dialect),
        down: rejectDown,
      }),
    },
    migration('20261122060000', 'disable_tenants', extendTenants()),
    migration('20261122060001', 'record_requests', createRecordings(dialect)),
  ]
}

/** A migration that runs statements, and then `finish`. */
function migration(
  id: string,
  name: string,
  statements: readonly string[],
  finish: (db: Database) => Promise<unknown> = async () => undefined,
): MigrationDescriptor {
  const up = async ({ db }: { readonly db: Database }): Promise<void> => {
    for (const statement of statements) await db.exec(rawSql(statement))
    await finish(db)
  }
  return { id, name, migration: createMigration({ up, down: rejectDown }) }
}

/** All processes share this key, so that each accepts the cursors of the others. */
async function createCursorKey(db: Database): Promise<void> {
  const key = randomBytes(32).toString('base64url')
  await db.exec(sql`insert into settings (name, value) values (${'cursor_key'}, ${key})`)
}

/** Migrations cannot be reverted: that would drop data that the newer version has stored. */
function rejectDown(): never {
  throw new Error('the directory does not revert migrations: restore a backup instead')
}

function createTables({ text, document }: SqlDialect): readonly string[] {
  return [
    `create table tenants (
      id ${text} primary key,
      name ${text} not null,
      created_at bigint not null
    )`,
    `create table tokens (
      id ${text} primary key,
      tenant_id ${text} not null references tenants (id),
      name ${text} not null,
      hash ${text} not null,
      role ${text} not null,
      profile ${text} not null,
      user_id ${text},
      created_at bigint not null,
      last_used_at bigint
    )`,
    'create index tokens_by_tenant on tokens (tenant_id)',
    `create table users (
      tenant_id ${text} not null references tenants (id),
      id ${text} not null,
      user_name_key ${text} not null,
      external_id ${text},
      display_name_key ${text},
      nick_name_key ${text},
      given_name_key ${text},
      family_name_key ${text},
      title_key ${text},
      user_type_key ${text},
      active boolean,
      employee_number_key ${text},
      department_key ${text},
      resource ${document} not null,
      version ${text} not null,
      created_at bigint not null,
      last_modified bigint not null,
      primary key (tenant_id, id),
      constraint users_by_user_name unique (tenant_id, user_name_key)
    )`,
    'create index users_by_external_id on users (tenant_id, external_id)',
    'create index users_by_display_name on users (tenant_id, display_name_key)',
    'create index users_by_family_name on users (tenant_id, family_name_key)',
    'create index users_by_employee_number on users (tenant_id, employee_number_key)',
    'create index users_by_last_modified on users (tenant_id, last_modified)',
    `create table user_emails (
      tenant_id ${text} not null,
      user_id ${text} not null,
      position integer not null,
      value_key ${text} not null,
      primary key (tenant_id, user_id, position),
      foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
    )`,
    'create index user_emails_by_value on user_emails (tenant_id, value_key)',
    `create table groups (
      tenant_id ${text} not null references tenants (id),
      id ${text} not null,
      display_name ${text} not null,
      display_name_key ${text} not null,
      external_id ${text},
      revision bigint not null,
      created_at bigint not null,
      last_modified bigint not null,
      primary key (tenant_id, id)
    )`,
    'create index groups_by_display_name on groups (tenant_id, display_name_key)',
    'create index groups_by_external_id on groups (tenant_id, external_id)',
    `create table group_members (
      tenant_id ${text} not null,
      group_id ${text} not null,
      member_id ${text} not null,
      member_type ${text} not null,
      display ${text},
      primary key (tenant_id, group_id, member_id),
      foreign key (tenant_id, group_id) references groups (tenant_id, id) on delete cascade
    )`,
    'create index group_members_by_member on group_members (tenant_id, member_id)',
  ]
}

/** Each sort column gets an index that ends in the id, so that a page can start at a cursor. */
function addCursorIndexes({ text, document }: SqlDialect): readonly string[] {
  return [
    `create table settings (name ${text} primary key, value ${document} not null)`,
    'drop index users_by_last_modified',
    'create index users_by_last_modified on users (tenant_id, last_modified, id)',
    'create index users_by_created_at on users (tenant_id, created_at, id)',
    'drop index groups_by_display_name',
    'create index groups_by_display_name on groups (tenant_id, display_name_key, id)',
    'create index groups_by_last_modified on groups (tenant_id, last_modified, id)',
    'create index groups_by_created_at on groups (tenant_id, created_at, id)',
  ]
}

/** The index includes the group, so that the groups of a member are found without reading the rows. */
function addMembershipIndex(): readonly string[] {
  return [
    'drop index group_members_by_member',
    'create index group_members_by_member on group_members (tenant_id, member_id, group_id)',
  ]
}
