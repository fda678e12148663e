import type { SqlDialect } from '../../store.ts'

/** The SQL of SQLite. */
export const SQLITE_DIALECT: SqlDialect = {
  name: 'sqlite',
  text: 'text',
  document: 'text',
  clustered: ' without rowid',
  // SQLite has only one writer.
  locks: null,
  skipExisting: (key) => `on conflict (${key.join(', ')}) do nothing`,
  jsonRows: (columns) => `json_group_array(json_array(${columns}))`,
  dropNotNull: null,
}
