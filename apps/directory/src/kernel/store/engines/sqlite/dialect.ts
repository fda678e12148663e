import { sql } from '@plumbline/scim/internal'
import type { SqlDialect } from '../../store.ts'

/** The SQLite dialect. */
export const SQLITE_DIALECT: SqlDialect = {
  name: 'sqlite',
  text: 'text',
  document: 'text',
  clustered: ' without rowid',
  // SQLite has only one writer.
  locks: null,
  skipExisting: (key) => `on conflict (${key.join(', ')}) do nothing`,
  jsonRows: (columns) => `json_group_array(json_array(${columns}))`,
  // `cross join` keeps the table order.
  joinEach: (source) => sql`cross join ${source}`,
  erase: (table) => [
    'pragma secure_delete = on',
    `delete from ${table}`,
    'pragma secure_delete = off',
    // The log contains the old pages until it is truncated.
    'pragma wal_checkpoint(truncate)',
  ],
  renewStatistics: null,
  renewEarly: () => null,
  hasTable: (table) => sql`select 1 from sqlite_schema where type = 'table' and name = ${table}`,
  migrationLock: null,
  size: sql`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`,
  fence: null,
  dropNotNull: null,
}
