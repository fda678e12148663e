import { sql } from '@plumbline/scim/internal'
import { expect, it } from 'vitest'
import { LAYOUT, TENANT_TABLES } from '../../../../src/features/tenants/tables.ts'
import { freeAdministrators } from '../../../../src/features/tokens/migration.ts'
import { RESOURCE_TYPES } from '../../../../src/kernel/resources/resource-types.ts'
import { POSTGRES_DIALECT } from '../../../../src/kernel/store/engines/postgres/dialect.ts'
import { openSqlite } from '../../../../src/kernel/store/engines/sqlite/sqlite.ts'
import {
  countMigrations,
  migrationsFor,
} from '../../../../src/kernel/store/migrations/migrations.ts'

// A released migration never changes: databases exist that have run it. To change the schema, add a migration.
// Then run: npx vitest run apps/directory/test/kernel/store/migrations/schema.test.ts --update

const read = async (statement: ReturnType<typeof sql>) => {
  const store = await openSqlite(':memory:')
  const { rows = [] } = await store.read((db) => db.exec(statement))
  await store.close()
  return rows
}

it('a new SQLite database has the same tables and indexes as after the released migrations', async () => {
  const rows = await read(sql`
    select sql from sqlite_schema where tbl_name not in ('migrations', 'sqlite_stat1') and sql is not null
    order by tbl_name, type desc, name`)
  const schema = rows.map((row) => `${String(row.sql).replaceAll(/\s+/g, ' ')};\n`).join('')
  await expect(schema).toMatchFileSnapshot('../../../fixtures/schema.sqlite.sql')
})

it('each migration has a greater id than the one before, because the fence reads the greatest', () => {
  const ids = migrationsFor(POSTGRES_DIALECT).map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)].sort())
})

it('the migrations have the released ids and names', async () => {
  const migrations = await read(sql`select id, name from migrations order by id`)
  // New ones follow.
  expect(migrations.slice(0, RELEASED.length)).toEqual(RELEASED)
})

const RELEASED = [
  { id: '20261121000000', name: 'create_directory' },
  { id: '20261121000001', name: 'page_by_cursor' },
  { id: '20261121000002', name: 'list_memberships' },
  { id: '20261121000003', name: 'administrators_without_a_tenant' },
  { id: '20261122000000', name: 'log_requests' },
  { id: '20261122010000', name: 'expire_tokens' },
  { id: '20261122020000', name: 'oauth_clients' },
  { id: '20261122030000', name: 'create_sessions' },
  { id: '20261122040000', name: 'extension_schemas' },
  { id: '20261122050000', name: 'index_values' },
  { id: '20261122060000', name: 'disable_tenants' },
  { id: '20261122060001', name: 'record_requests' },
  { id: '20261124010000', name: 'erase_recordings' },
  { id: '20261124020000', name: 'size_request_logs' },
]

it('deleting a tenant covers every table with a column tenant_id', async () => {
  const rows = await read(sql`
    select tables.name from sqlite_schema as tables, pragma_table_info(tables.name) as columns
    where tables.type = 'table' and columns.name = 'tenant_id' order by tables.name`)
  expect(rows.map(({ name }) => name)).toEqual(TENANT_TABLES.map(({ name }) => name).sort())
})

it('every table is part of the layout on a cluster, and parts belong to the table of their resources', async () => {
  const rows = await read(sql`
    select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'
      and name <> 'migrations' order by name`)
  const { coordinator, references, distributed, parts } = LAYOUT
  const all = [...coordinator, ...references, ...distributed]
  expect(rows.map(({ name }) => name)).toEqual(all.sort())
  const keys = await read(sql`
    select t.name as "table", k."from" as "column", k."table" as owner
    from pragma_table_list t, pragma_foreign_key_list(t.name) k
    where k."table" <> 'tenants' and k."from" <> 'tenant_id' and k."to" = 'id'
      and k.on_delete = 'CASCADE'
    order by t.name`)
  expect(keys.length).toBeGreaterThan(1)
  const ofDistributed = keys.filter(({ table }) => distributed.includes(String(table)))
  expect(parts.toSorted((a, b) => (a.table < b.table ? -1 : 1))).toEqual(ofDistributed)
})

// Without the key, the planner may read the whole tenant by the primary key, which has the order of a page.
it("each index on a tenant's rows contains the primary key", async () => {
  const indexes = await read(sql`
    select i.name, t.name as tbl,
      (select group_concat(name) from pragma_index_info(i.name)) as columns,
      (select group_concat(name) from pragma_table_info(t.name) where pk > 0) as key
    from pragma_table_list t, pragma_index_list(t.name) i
    where t.schema = 'main' and i.origin = 'c' and i."unique" = 0 order by i.name`)
  const listOf = (names: unknown) => String(names).split(',')
  const ofTenants = indexes.filter(({ columns }) => listOf(columns)[0] === 'tenant_id')
  expect(ofTenants.length).toBeGreaterThan(20)
  const incomplete = ofTenants.filter(
    ({ columns, key }) => !listOf(key).every((column) => listOf(columns).includes(column)),
  )
  // These are read without the order of the key.
  const ofValues = VALUE_TABLES.map((table) => `${table}_by_value`)
  expect(incomplete.map(({ name }) => name)).toEqual(['changes_by_risk', ...ofValues].sort())
})

/** The tables with the values of multi-valued attributes. */
const VALUE_TABLES = RESOURCE_TYPES.flatMap(({ partTables = [] }) => partTables)
  .filter(({ key }) => key.includes('attribute'))
  .map(({ name }) => name)

it("a new database's migrations are counted as 0", async () => {
  const exec = () => Promise.reject(new Error('no such table: migrations'))
  expect(await countMigrations({ exec })).toBe(0)
})

it("PostgreSQL detaches the administrators' tokens without copying the table", () => {
  expect(freeAdministrators(POSTGRES_DIALECT)).toEqual([
    'alter table tokens alter column tenant_id drop not null',
    `update tokens set role = 'client' where role = 'admin' and tenant_id <> 'default'`,
    `update tokens set tenant_id = null where role = 'admin'`,
    `alter table tokens add constraint tokens_of_administrators check ((role = 'admin') = (tenant_id is null))`,
  ])
})
