import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { LAYOUT } from '../../src/features/tenants/tables.ts'
import { distribute, statementsFor } from '../../src/kernel/store/engines/postgres/distribute.ts'
import { migratePostgres } from '../../src/kernel/store/engines/postgres/migrate.ts'
import { openPostgres } from '../../src/kernel/store/engines/postgres/postgres.ts'
import { type CitusDatabase, createCitusDatabase } from '../support/citus-cluster.ts'
import { client, serve, start } from '../support/spawned-server.ts'
import { PART_KEYS } from '../support/types.ts'

// `pg_dump --inserts` of a database that version 2026.11.21 has created, without comments.
const DUMP = new URL('../fixtures/2026.11.21.postgres.sql', import.meta.url)
const TOKEN = '01a1fb67-3358-773a-960b-c21e7cc5636f.A23cZCNu2-iyDooA1NhRrJgJPR15DinXUw6K68mKPv4'
const KEYS = PART_KEYS.toSorted()
const PARTLY = /only a part of it is distributed[^\n]+ npm start -- --distribute/

/** `npm start -- --distribute` on a Citus cluster. */
export function distributionContract(): void {
  const created = async (): Promise<CitusDatabase> => {
    const database = await createCitusDatabase()
    onTestFinished(database.drop)
    return database
  }
  const run = async (database: CitusDatabase, option: string) => {
    const { ended, output, errors } = start({ DATABASE_URL: database.url }, option)
    return { code: await ended, output: output(), errors: errors() }
  }

  it('--distribute spreads the rows of resources, copies tenants and schemas to each node, keeps tokens on the coordinator, and does nothing on a second run', async () => {
    const database = await created()
    const first = await run(database, '--distribute')
    expect(first).toMatchObject({ code: 0, errors: '' })
    expect(first.output).toMatch(/^select create_distributed_table\('users', 'tenant_id'\);$/m)
    expect(await typesOf(database)).toEqual(TYPES)
    expect(await foreignKeys(database)).toEqual(KEYS)
    expect(await run(database, '--distribute')).toEqual({
      code: 0,
      output: 'The database is already distributed.\n',
      errors: '',
    })
  })

  it('an upgrade on a distributed database needs --distribute, which repairs what was deleted meanwhile', async () => {
    const database = await created()
    await database.client.query(readFileSync(DUMP, 'utf8'))
    // The connection of the dump has an empty search path.
    await database.client.query('set search_path to public')
    for (const statement of EARLIER) await database.client.query(statement)
    expect((await run(database, '--pending')).output).toMatch(
      /^log_requests\n(?:\w+\n)*index_values\n/,
    )
    expect(await run(database, '--migrate')).toMatchObject({ code: 0, errors: '' })
    const { code, errors } = await run(database, '--token')
    expect({ code, errors }).toEqual({ code: 1, errors: expect.stringMatching(PARTLY) })
    // The rows of a deleted user and group stay, as if an earlier version had served requests.
    await database.client.query(
      `alter table group_members drop constraint group_members_tenant_id_group_id_fkey`,
    )
    const { rows } = await database.client.query(
      `delete from users where user_name_key = 'chloe@example.com' returning id`,
    )
    await database.client.query(
      `insert into group_members (tenant_id, group_id, member_id, member_type)
       values ('acme', 'gone', '${rows[0].id}', 'User')`,
    )
    expect(await valuesOf(database, rows[0].id)).not.toBe(0)
    expect(await run(database, '--distribute')).toMatchObject({ code: 0, errors: '' })
    expect(await valuesOf(database, rows[0].id)).toBe(0)
    expect(await foreignKeys(database)).toEqual(KEYS)
    expect(await typesOf(database)).toEqual(TYPES)

    const server = await serve({ DATABASE_URL: database.url })
    onTestFinished(async () => {
      server.child.kill('SIGKILL')
      await server.ended
    })
    const send = client({ ...server, token: TOKEN })
    const search = (filter: string) => send('GET', `/Users?filter=${encodeURIComponent(filter)}`)
    const { body } = await search('emails co "bjorn@" and emails.value sw "b"')
    expect(body.Resources).toMatchObject([{ displayName: 'bjorn', groups: [{ display: 'All' }] }])
    const id = String(body.Resources?.[0]?.id)
    expect((await send('DELETE', `/Users/${id}`)).status).toBe(204)
    expect(await valuesOf(database, id)).toBe(0)
    expect((await search('emails co "@"')).body.totalResults).toBe(1)
  })

  it('tables distributed by an earlier version return to the coordinator with their rows', async () => {
    const database = await created()
    await migratePostgres(database.url)
    await database.client.query(
      `insert into tenants (id, name, created_at) values ('acme', 'Acme', 0)`,
    )
    await database.client.query(
      `insert into tokens (id, tenant_id, name, hash, role, profile, created_at)
       values ('t1', 'acme', 'Okta', 'x', 'client', 'okta', 0)`,
    )
    await database.client.query(
      `insert into recordings (tenant_id, id, created_at, ends_at, requests, length)
       values ('acme', 'r1', 0, 0, 0, 0)`,
    )
    const recordings = ['recordings', 'recorded_requests']
    const isCopied = (table: string) => !recordings.includes(table)
    const earlier = {
      ...LAYOUT,
      coordinator: [],
      references: [...LAYOUT.references, ...LAYOUT.coordinator.filter(isCopied)],
      distributed: [...LAYOUT.distributed, ...recordings],
    }
    await distribute(database.url, earlier)
    expect(await typesOf(database)).toMatchObject({
      tokens: 'reference',
      recordings: 'distributed',
    })
    await expect(openPostgres(database.url, { layout: LAYOUT })).rejects.toThrow(PARTLY)
    await distribute(database.url, LAYOUT)
    expect(await typesOf(database)).toEqual(TYPES)
    const { rows } = await database.client.query(
      'select (select id from tokens) as token, (select id from recordings) as recording',
    )
    expect(rows).toEqual([{ token: 't1', recording: 'r1' }])
  })

  describe('a run stopped after some statements', () => {
    const state = { referenceTables: NONE, distributedTables: NONE, foreignKeys: new Set(KEYS) }
    it.each([3, 9, 21])(
      'the server rejects an unfinished run, and the next one continues it: %i',
      async (count) => {
        const database = await created()
        await migratePostgres(database.url)
        const statements = statementsFor(state, LAYOUT)
        for (const statement of statements.slice(0, count)) await database.client.query(statement)
        await expect(openPostgres(database.url, { layout: LAYOUT })).rejects.toThrow(PARTLY)
        await distribute(database.url, LAYOUT)
        expect(await foreignKeys(database)).toEqual(KEYS)
        expect(await typesOf(database)).toEqual(TYPES)
      },
    )
  })
}

/** How each table is stored: `distributed` or `reference`. */
async function typesOf({ client }: CitusDatabase): Promise<Readonly<Record<string, string>>> {
  const { rows } = await client.query(
    'select table_name::text as name, citus_table_type as type from citus_tables',
  )
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]))
}

/** The tables that Citus distributes or copies. It does not know those of the coordinator. */
const TYPES = Object.fromEntries([
  ...LAYOUT.references.map((table) => [table, 'reference']),
  ...LAYOUT.distributed.map((table) => [table, 'distributed']),
])

/** The foreign keys between the tables that are distributed. */
async function foreignKeys({ client }: CitusDatabase): Promise<readonly string[]> {
  const { rows } = await client.query(`
    select conname from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace
      and confrelid <> 'tenants'::regclass and conname !~ '${SHARD}' order by conname`)
  return rows.map(({ conname }) => conname)
}

/** The number of rows in the index of multi-valued attributes of a user. */
async function valuesOf({ client }: CitusDatabase, id: string): Promise<number> {
  const { rows } = await client.query('select 1 from user_values where resource_id = $1', [id])
  return rows.length
}

/** The end of the names on a shard, which only some sessions see. */
const SHARD = '_\\d+$'
const NONE: ReadonlySet<string> = new Set()

/** The statements with which version 2026.11.21 distributes its tables. */
const EARLIER = [
  ...['tenants', 'settings', 'tokens'].map((table) => `select create_reference_table('${table}')`),
  'alter table user_emails drop constraint user_emails_tenant_id_user_id_fkey',
  'alter table group_members drop constraint group_members_tenant_id_group_id_fkey',
  `select create_distributed_table('users', 'tenant_id')`,
  `select create_distributed_table('user_emails', 'tenant_id', colocate_with => 'users')`,
  `select create_distributed_table('groups', 'tenant_id', colocate_with => 'users')`,
  `select create_distributed_table('group_members', 'tenant_id', colocate_with => 'users')`,
  `alter table user_emails add constraint user_emails_tenant_id_user_id_fkey
   foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade`,
  `alter table group_members add constraint group_members_tenant_id_group_id_fkey
   foreign key (tenant_id, group_id) references groups (tenant_id, id) on delete cascade`,
]
