import type { SqlDialect } from '../../store.ts'

/** The SQL of PostgreSQL. */
export const POSTGRES_DIALECT: SqlDialect = {
  name: 'postgres',
  text: 'text collate "C"',
  document: 'text',
  clustered: '',
  // A transaction that adds a member waits for the member's deletion, but not for its change: two
  // groups may contain each other.
  locks: { delete: 'for update', change: 'for no key update', reference: 'for key share' },
  skipExisting: (key) => `on conflict (${key.join(', ')}) do nothing`,
  jsonRows: (columns) => `json_agg(json_build_array(${columns}))::text`,
  dropNotNull: (table, column) => `alter table ${table} alter column ${column} drop not null`,
}
