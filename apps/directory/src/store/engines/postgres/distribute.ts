import pg from 'pg'

/** A connection that runs each statement in its own transaction. */
type CitusClient = Pick<pg.Client, 'query'>

/**
 * Distributes the tables of a migrated PostgreSQL database over the nodes of Citus, by tenant.
 *
 * Runs the statements that the database still needs, each in its own transaction, and returns them: an
 * empty list if it is already distributed. After a failure, the same call continues. Rejects if the
 * extension is missing. No server may write to the database in the meantime.
 */
export async function distribute(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    await requireCitus(client)
    const statements = statementsFor(await readState(client))
    for (const statement of statements) await client.query(statement)
    return statements
  } finally {
    await client.end()
  }
}

/** The tables that are already distributed, and the foreign keys that exist. */
export interface State {
  readonly referenceTables: ReadonlySet<string>
  readonly distributedTables: ReadonlySet<string>
  readonly foreignKeys: ReadonlySet<string>
}

/** The statements that a database in this state still needs, in an order that Citus accepts. */
export function statementsFor({
  referenceTables,
  distributedTables,
  foreignKeys,
}: State): readonly string[] {
  const isLocal = (table: string): boolean => !distributedTables.has(table)
  const local = [FIRST, ...OTHERS].filter(isLocal)
  // Citus does not distribute a table with a foreign key to a local table.
  const dropped = local.length === 0 ? [] : KEYS.filter(({ name }) => foreignKeys.has(name))
  const added = KEYS.filter((key) => dropped.includes(key) || !foreignKeys.has(key.name))
  return [
    ...REFERENCES.filter((table) => !referenceTables.has(table)).map(
      (table) => `select create_reference_table('${table}')`,
    ),
    ...dropped.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
    ...local.map((table) =>
      table === FIRST
        ? `select create_distributed_table('${table}', 'tenant_id')`
        : `select create_distributed_table('${table}', 'tenant_id', colocate_with => '${FIRST}')`,
    ),
    ...added.map(
      ({ table, name, key }) => `alter table ${table} add constraint ${name} foreign key ${key}`,
    ),
  ]
}

async function requireCitus(client: CitusClient): Promise<void> {
  const { rows } = await client.query(
    `select to_regproc('create_distributed_table') is not null as is_installed`,
  )
  if (rows[0]?.is_installed === true) return
  throw new Error(
    'the extension citus is missing; run `create extension citus` in the database first',
  )
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

/** Small tables that each node has a full copy of. */
const REFERENCES = [
  ...['tenants', 'settings', 'tokens', 'revoked_tokens', 'clients', 'sessions'],
  ...['schema_versions', 'extension_schemas'],
]

/** Tables whose key starts with the tenant. The others are colocated with the first. */
const FIRST = 'users'
const OTHERS = [
  'user_values',
  'groups',
  'group_members',
  'requests',
  'recordings',
  'recorded_requests',
]

/** The foreign keys between distributed tables, as PostgreSQL named them. */
const KEYS = [
  {
    table: 'user_values',
    name: 'user_values_tenant_id_resource_id_fkey',
    key: '(tenant_id, resource_id) references users (tenant_id, id) on delete cascade',
  },
  {
    table: 'group_members',
    name: 'group_members_tenant_id_group_id_fkey',
    key: '(tenant_id, group_id) references groups (tenant_id, id) on delete cascade',
  },
]
