import pg from 'pg'
import { TYPED } from '../../../typed-commands.ts'
import type { Layout } from '../engine.ts'

/** A connection or a pool whose statements each run in their own transaction. */
type CitusClient = Pick<pg.Client, 'query'>

/**
 * Distributes a migrated PostgreSQL database's tables over the Citus nodes, by tenant.
 *
 * Runs the statements the database still needs, each in a separate transaction, and returns them: an empty list if it
 * is already distributed. After a failure, the same call continues. Rejects if the extension is missing. No server may
 * write to the database in the meantime.
 */
export async function distribute(url: string, layout: Layout): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    if (!(await hasCitus(client))) {
      throw new Error(
        'the extension citus is missing; run `create extension citus` in the database first',
      )
    }
    const statements = statementsFor(await readState(client), layout)
    for (const statement of statements) await client.query(statement)
    return statements
  } finally {
    await client.end()
  }
}

/**
 * Rejects a partly distributed database, such as after a migration that created a table: queries over several
 * tables would fail, and deletions would leave rows behind.
 */
export async function requireWhole(client: CitusClient, layout: Layout): Promise<void> {
  if (!(await hasCitus(client))) return
  const state = await readState(client)
  const [missing] = statementsFor(state, layout)
  if (missing === undefined) return
  if (state.distributedTables.size === 0 && state.referenceTables.size === 0) return
  throw new Error(
    `only a part of it is distributed over the nodes of Citus; stop every server, then run ${TYPED.option} --distribute, which continues with: ${missing}`,
  )
}

/** The tables already distributed, and the existing foreign keys. */
export interface State {
  readonly referenceTables: ReadonlySet<string>
  readonly distributedTables: ReadonlySet<string>
  readonly foreignKeys: ReadonlySet<string>
}

/** The statements a database in this state still needs, in an order Citus accepts. */
export function statementsFor(
  { referenceTables, distributedTables, foreignKeys }: State,
  { coordinator, references, distributed, parts }: Layout,
): readonly string[] {
  // Citus copies a table to the nodes if it refers to another one there.
  const bound = coordinator.filter((table) => foreignKeys.has(nameOfTenantKey(table)))
  // Earlier versions have distributed these tables.
  const spread = coordinator.filter(
    (table) => referenceTables.has(table) || distributedTables.has(table),
  )
  const keys = parts.map((part) => ({ ...part, name: nameOfKey(part) }))
  const local = distributed.filter((table) => !distributedTables.has(table))
  // Citus does not distribute a table with a foreign key to a local table.
  const dropped = local.length === 0 ? [] : keys.filter(({ name }) => foreignKeys.has(name))
  const added = keys.filter((key) => dropped.includes(key) || !foreignKeys.has(key.name))
  const [first] = distributed
  const definitionOf = ({ column, owner }: (typeof keys)[number]) =>
    `(tenant_id, ${column}) references ${owner} (tenant_id, id) on delete cascade`
  return [
    ...bound.map((table) => `alter table ${table} drop constraint ${nameOfTenantKey(table)}`),
    ...spread.map((table) => `select undistribute_table('${table}')`),
    ...references
      .filter((table) => !referenceTables.has(table))
      .map((table) => `select create_reference_table('${table}')`),
    ...dropped.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
    ...local.map((table) =>
      table === first
        ? `select create_distributed_table('${table}', 'tenant_id')`
        : `select create_distributed_table('${table}', 'tenant_id', colocate_with => '${first}')`,
    ),
    // Deletions without the key left these rows behind, and the key would be rejected.
    ...added.map(
      ({ table, column, owner }) =>
        `delete from ${table} where not exists (select 1 from ${owner} where ${owner}.tenant_id = ${table}.tenant_id and ${owner}.id = ${table}.${column})`,
    ),
    ...added.map(
      (key) =>
        `alter table ${key.table} add constraint ${key.name} foreign key ${definitionOf(key)}`,
    ),
  ]
}

/** The name PostgreSQL generated for a part's foreign key. */
function nameOfKey({ table, column }: Layout['parts'][number]): string {
  return `${table}_tenant_id_${column}_fkey`
}

/** The name PostgreSQL generated for a table's foreign key to the tenants. */
function nameOfTenantKey(table: string): string {
  return `${table}_tenant_id_fkey`
}

async function hasCitus(client: CitusClient): Promise<boolean> {
  const { rows } = await client.query(
    `select to_regproc('create_distributed_table') is not null as is_installed`,
  )
  return rows[0]?.is_installed === true
}

async function readState(client: CitusClient): Promise<State> {
  const tables = await client.query(
    'select table_name::text as name, citus_table_type as type from citus_tables',
  )
  const keys = await client.query(
    `select conname::text as name from pg_constraint
     where contype = 'f' and connamespace = current_schema()::regnamespace`,
  )
  const namesOf = (rows: readonly Record<string, unknown>[]) =>
    new Set(rows.map(({ name }) => String(name)))
  return {
    referenceTables: namesOf(tables.rows.filter(({ type }) => type === 'reference')),
    distributedTables: namesOf(tables.rows.filter(({ type }) => type === 'distributed')),
    foreignKeys: namesOf(keys.rows),
  }
}
