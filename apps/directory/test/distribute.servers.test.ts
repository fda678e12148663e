import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { distribute } from '../src/store/engines/postgres/distribute.ts'
import { openPostgres } from '../src/store/engines/postgres/postgres.ts'
import { createFreshDatabase, type FreshDatabase } from './fresh-postgres.ts'
import { connect } from './harness.ts'
import { start } from './spawned-server.ts'

let database: FreshDatabase
beforeEach(async () => {
  database = await createFreshDatabase()
  await (await openPostgres(database.url)).close()
})
afterEach(() => database.drop())

describe('npm start -- --distribute', () => {
  it('fails with one line, and does not change the database, if the extension citus is missing', async () => {
    const { ended, errors, output } = start({ DATABASE_URL: database.url }, '--distribute')
    expect(await ended).toBe(1)
    expect(errors()).toMatch(
      /^The directory cannot start: [^\n]+ extension citus is missing; run [^\n]+\n$/,
    )
    expect(output()).toBe('')
    expect(await foreignKeys()).toEqual(BETWEEN)
  })

  it('prints the statements that it runs, and none on a second run', async () => {
    await simulateCitus()
    const first = start({ DATABASE_URL: database.url }, '--distribute')
    expect(await first.ended).toBe(0)
    expect(first.output().match(/^select create_\w+\('\w+'.*;$/gm)).toHaveLength(15)
    const second = start({ DATABASE_URL: database.url }, '--distribute')
    expect(await second.ended).toBe(0)
    expect(second.output()).toBe('The database is already distributed.\n')
  })
})

// These tests run on PostgreSQL, with functions that have the names of those of Citus and record their
// calls: they show which statements run and when, but not what Citus does with them.
describe('distribute, on a simulation of Citus that records its calls', () => {
  beforeEach(simulateCitus)

  it('creates reference tables, then co-locates the tables of tenants by tenant_id', async () => {
    await distribute(database.url)
    expect(await calls()).toEqual([
      'reference tenants',
      'reference settings',
      'reference tokens',
      'reference revoked_tokens',
      'reference clients',
      'reference sessions',
      'reference schema_versions',
      'reference extension_schemas',
      'users by tenant_id with default',
      'user_values by tenant_id with users',
      'groups by tenant_id with users',
      'group_members by tenant_id with users',
      'requests by tenant_id with users',
      'recordings by tenant_id with users',
      'recorded_requests by tenant_id with users',
    ])
    expect(await foreignKeys()).toEqual(BETWEEN)
  })

  it('keeps the resources, and the server works afterwards', async () => {
    const before = await openPostgres(database.url)
    const { token, send } = await connect(before)
    const { body } = await send('POST', '/Users', {
      userName: 'anna',
      emails: [{ value: 'a@b.c' }],
    })
    await before.close()
    await distribute(database.url)
    const after = await openPostgres(database.url)
    const client = await connect(after)
    expect(token).not.toBe(client.token)
    const headers = { Authorization: `Bearer ${token}` }
    expect((await client.send('GET', `/Users/${body.id}`, undefined, headers)).body).toEqual(body)
    expect((await client.send('DELETE', `/Users/${body.id}`, undefined, headers)).status).toBe(204)
    const { rows } = await database.client.query('select * from user_values')
    expect(rows).toEqual([])
    await after.close()
  })

  it('does not run a statement on a second run', async () => {
    expect(await distribute(database.url)).toHaveLength(19)
    expect(await distribute(database.url)).toEqual([])
    expect(await calls()).toHaveLength(15)
  })

  it.each(['tenants', 'tokens', 'users', 'user_values', 'groups', 'group_members'])(
    'continues on a second run where the first one failed: at %s',
    async (table) => {
      await database.client.query(`insert into failing values ('${table}')`)
      await expect(distribute(database.url)).rejects.toThrow(`${table} fails`)
      await database.client.query('delete from failing')
      await distribute(database.url)
      expect(await calls()).toHaveLength(15)
      expect(await foreignKeys()).toEqual(BETWEEN)
      expect(await distribute(database.url)).toEqual([])
    },
  )
})

const BETWEEN = ['group_members_tenant_id_group_id_fkey', 'user_values_tenant_id_resource_id_fkey']

async function calls(): Promise<readonly string[]> {
  const { rows } = await database.client.query('select call from calls order by at')
  return rows.map(({ call }) => call)
}

/** The foreign keys between the tables that are distributed. */
async function foreignKeys(): Promise<readonly string[]> {
  const { rows } = await database.client.query(`
    select conname from pg_constraint
    where contype = 'f' and confrelid <> 'tenants'::regclass order by conname`)
  return rows.map(({ conname }) => conname)
}

/**
 * Functions and a view with the names and the parameters of those of Citus. They check the rule that an
 * unsorted list of tables violates: a table must not have a foreign key to or from a table that is not
 * distributed yet.
 */
async function simulateCitus(): Promise<void> {
  await database.client.query(`
    create table calls (at serial, call text);
    create table failing (name text);
    create table citus_tables (table_name regclass, citus_table_type text);
    create function create_reference_table(relation regclass) returns void language plpgsql as $$
      begin
        if exists (select from failing where name = relation::text) then
          raise exception '% fails', relation;
        end if;
        insert into calls (call) values ('reference ' || relation);
        insert into citus_tables values (relation, 'reference');
      end $$;
    create function create_distributed_table(
      relation regclass, distribution_column text, colocate_with text default 'default'
    ) returns void language plpgsql as $$
      begin
        if exists (select from failing where name = relation::text) then
          raise exception '% fails', relation;
        end if;
        if exists (
          select from pg_constraint
          where contype = 'f' and relation in (conrelid, confrelid) and not (
            case when conrelid = relation then confrelid else conrelid end
            in (select table_name from citus_tables)
          )
        ) then
          raise exception 'cannot create foreign key constraint since relations are not colocated';
        end if;
        insert into calls (call)
          values (relation || ' by ' || distribution_column || ' with ' || colocate_with);
        insert into citus_tables values (relation, 'distributed');
      end $$`)
}
