import { storeContract } from '@plumbline/doctor/testing'
import { pickAttributes, USER_DEFINITION } from '@plumbline/scim/discovery'
import { defineResourceType } from '@plumbline/scim/endpoint'
import { sqlStore } from '@plumbline/scim/sql'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressOf } from '../../../scim/test/sql/servers.ts'

// A pool of ten connections, as `pg` has by default, and the usual mistake with it.

interface Context {
  readonly client?: pg.PoolClient
}

const SCHEMA = 'contract_pool'
const connection = {
  connectionString: addressOf('PLUMBLINE_TEST_POSTGRES_URL'),
  options: `-c search_path=${SCHEMA}`,
}
const own = new pg.Pool({ ...connection, max: 1 })

beforeAll(async () => {
  await own.query(`drop schema if exists ${SCHEMA} cascade`)
  await own.query(`create schema ${SCHEMA}`)
  await own.query('create table users (id serial primary key, email text not null, title text)')
  await own.query('create unique index on users (lower(email))')
})
afterAll(async () => {
  await own.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
    [SCHEMA],
  )
  await own.query(`drop schema ${SCHEMA} cascade`)
  await own.end()
})

/** Opens a pool of ten, whose statements run where the function says. */
function openPool(clientOf: (sql: string, context: Context) => pg.PoolClient | undefined) {
  const pool = new pg.Pool({ ...connection, application_name: SCHEMA })
  // The server ends the connections after the tests.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  const store = sqlStore<Context>({
    execute: async (sql, values, context) =>
      (await (clientOf(sql, context) ?? pool).query(sql, [...values])).rows,
    dialect: 'postgres',
    definitions: { [USER_DEFINITION.id]: pickAttributes(USER_DEFINITION, ['userName', 'title']) },
    table: 'users',
    id: { column: 'id', key: 'integer' },
    attributes: { userName: 'email', title: 'title' },
  })
  return {
    pool,
    resourceTypes: [defineResourceType<Context>({ name: 'User', endpoint: '/Users', store })],
    transaction: async <Value>(
      context: Context,
      work: (context: Context) => Promise<Value>,
    ): Promise<Value> => {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const value = await work({ ...context, client })
        await client.query('commit')
        return value
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
    },
    close: () => pool.end(),
  }
}

/** Runs the checks of topics, and returns what each one said. */
async function saidBy(
  topics: RegExp,
  makeStores: () => ReturnType<typeof openPool>,
): Promise<ReadonlyMap<string, string>> {
  const said = new Map<string, string>()
  const checks = storeContract(makeStores, { timeout: 5_000 })
  for (const { name, run } of checks.filter((one) => topics.test(one.name))) {
    const outcome = await run().then(
      ({ skipped }) => (skipped === null ? 'passed' : `skipped: ${skipped}`),
      (error: unknown) => String(error),
    )
    said.set(name.slice(0, name.indexOf(':')), outcome)
  }
  return said
}

describe('storeContract over a pool with ten connections', () => {
  it("a store whose statements use the transaction's connection passes", async () => {
    const said = await saidBy(/^(transactions|races)\./, () => openPool((_, { client }) => client))
    expect(said.get('transactions.create')).toBe('passed')
    expect(said.get('races.create')).toBe('passed')
    expect(said.get('races.unique')).toBe('passed')
  })

  it('a store whose statements use the pool is found, and the pool stays alive', async () => {
    const opened = { ...openPool(() => undefined), close: async () => undefined }
    const said = await saidBy(/^(transactions|concurrency|races)\./, () => opened)
    expect(said.get('transactions.create')).toMatch(
      /what to do: .* does `execute` use the connection of `transaction`\?/,
    )
    expect(said.get('races.create')).toMatch(/^skipped: transactions\.create failed/)
    expect(await opened.pool.query('select 1 as one')).toMatchObject({ rows: [{ one: 1 }] })
    await opened.pool.end()
  })

  it('storeContract ends if a write waits for a lock held in its own transaction', async () => {
    const said = await saidBy(/^(transactions|declared)\./, () =>
      openPool((sql, { client }) => (/^update/i.test(sql) ? undefined : client)),
    )
    const failed = [...said.values()].filter((one) => one.startsWith('Error: '))
    expect(failed).toEqual([
      expect.stringMatching(
        /\nsent: PUT .*: no answer\nexpected: an answer\ncame: no answer to PUT .* within 5 s\nwhat to do: Does `execute` use the connection of `transaction`\?/,
      ),
    ])
  })
})
