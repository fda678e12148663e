import { raw, sql } from '@plumbline/scim/internal'
import type { SqlDialect } from '../../store.ts'

/** The name of the migration lock, which processes of all versions share. */
const LOCK = 'data_table_migrations'

/** The PostgreSQL dialect. */
export const POSTGRES_DIALECT: SqlDialect = {
  name: 'postgres',
  text: 'text collate "C"',
  document: 'text',
  clustered: '',
  // A transaction that adds a member waits for the member's deletion, but not for its change: two groups may
  // contain each other.
  locks: { delete: 'for update', change: 'for no key update', reference: 'for key share' },
  skipExisting: (key) => `on conflict (${key.join(', ')}) do nothing`,
  jsonRows: (columns) => `json_agg(json_build_array(${columns}))::text`,
  // `offset 0` reads the rows for each preceding row: without statistics, a hash join would read the whole tenant.
  joinEach: (source, alias) =>
    sql`cross join lateral (select * from ${source} offset 0) ${raw(alias)}`,
  // The table gets new files, and the old ones are deleted.
  erase: (table) => [`truncate table ${table}`],
  // Autovacuum renews them in the background, within about a minute.
  renewStatistics: sql`analyze`,
  // By default, a new tenant with less than a tenth of all rows would stay unknown to the planner.
  renewEarly: (table) =>
    `alter table ${table} set (autovacuum_analyze_threshold = 1000, autovacuum_analyze_scale_factor = 0.01)`,
  hasTable: (table) => sql`select 1 where to_regclass(${table}) is not null`,
  migrationLock: {
    acquire: sql`select pg_advisory_lock(hashtext(${LOCK}))`,
    release: sql`select pg_advisory_unlock(hashtext(${LOCK}))`,
  },
  size: sql`select pg_database_size(current_database()) as bytes`,
  // Utility statements take no snapshot, so in every isolation level the next statement sees the migrations that ended
  // before the lock. These modes do not block reads of the table.
  fence: {
    write: 'lock table migrations in row share mode nowait',
    // Writes are rejected while a migration waits, so it must not wait for a process that hangs in a transaction.
    migrate: 'set local lock_timeout = 60000; lock table migrations in exclusive mode',
  },
  dropNotNull: (table, column) => `alter table ${table} alter column ${column} drop not null`,
}
