import { USER_DEFINITION } from '@plumbline/scim/discovery'
import { createScimEndpoint, defineResourceType, type Transaction } from '@plumbline/scim/endpoint'
import { type Dialect, type Execute, sqlStore } from '@plumbline/scim/sql'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
// The README points to this program.
import { retried, toScimError } from '../../../../examples/scim/retried-transactions.ts'
import { patchOf, sender } from '../endpoint/serve.ts'
import { addressOf } from './servers.ts'

/** A client of the endpoint, and the connection of its transaction. */
interface Client {
  readonly connection?: { readonly run: Execute<unknown> }
}

/** A database with transactions whose isolation level detects conflicts. */
interface Server {
  readonly dialect: Dialect
  readonly key: string
  readonly run: Execute<unknown>
  readonly transaction: Transaction<Client>
  close(): Promise<void>
}

const WRITES = 40
const DATABASE = 'retried_transactions'

describe.each<[string, () => Promise<Server>]>([
  ['PostgreSQL', openPostgres],
  ['MariaDB', openMariaDb],
])('%s at the isolation level repeatable read', (_, open) => {
  it(`${WRITES} concurrent PATCHes to one user with retried transactions succeed or are 503, and none is lost`, async () => {
    const { statuses, addresses, errors } = await write(open, { isRetried: true })
    // Every answer is a success, or asks the client to try again.
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(addresses).toBe(statuses.filter((status) => status === 200).length)
    expect(addresses).toBeGreaterThan(WRITES / 2)
    expect(errors.filter((error) => toScimError(error) === null)).toEqual([])
  })
})

it('PostgreSQL conflicts in repeatable read are 500 without a retry and without toScimError', async () => {
  const { statuses, addresses, errors } = await write(openPostgres, { isRetried: false })
  expect(new Set(statuses)).toEqual(new Set([200, 500]))
  // Nothing that was answered with a success is lost.
  expect(addresses).toBe(statuses.filter((status) => status === 200).length)
  expect(errors).toMatchObject(errors.map(() => ({ code: '40001' })))
})

/** Adds an address to one user by each of many PATCHes at the same time. */
async function write(open: () => Promise<Server>, { isRetried }: { readonly isRetried: boolean }) {
  const server = await open()
  try {
    const { dialect, key, run, transaction } = server
    await run(
      `create table users (id ${key}, email varchar(100), revision integer not null default 1)`,
      [],
      {},
    )
    await run(
      'create table user_emails (user_id integer not null, address varchar(100), kind varchar(10))',
      [],
      {},
    )
    const store = sqlStore<Client>({
      execute: (sql, values, { connection }) => (connection?.run ?? run)(sql, values, {}),
      dialect,
      table: 'users',
      version: 'revision',
      definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
      id: { column: 'id', key: 'integer' },
      attributes: {
        userName: 'email',
        emails: {
          table: 'user_emails',
          on: { user_id: 'id' },
          columns: { value: 'address', type: 'kind' },
        },
      },
    })
    const { definitions } = store
    const errors: unknown[] = []
    const { fetch } = createScimEndpoint<Client>({
      basePath: '/scim/v2',
      resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', definitions, store })],
      authenticate: async () => ({}),
      transaction: isRetried ? retried(transaction) : transaction,
      toScimError: isRetried ? toScimError : undefined,
      onError: (error) => errors.push(error),
    })
    const send = sender(fetch)
    const { body } = await send('POST', '/Users', { userName: 'a' })
    const path = `/Users/${body.id}`
    const statuses = await Promise.all(
      Array.from({ length: WRITES }, async (_, at) => {
        const value = [{ value: `${at}@example.com`, type: 'work' }]
        const { status } = await send('PATCH', path, patchOf({ op: 'add', path: 'emails', value }))
        return status
      }),
    )
    const { emails = [] } = (await send('GET', path)).body
    return { statuses, errors, addresses: Array.isArray(emails) ? emails.length : 0 }
  } finally {
    await server.close()
  }
}

async function openPostgres(): Promise<Server> {
  const connectionString = addressOf('PLUMBLINE_TEST_POSTGRES_URL')
  const options = `-c search_path=${DATABASE}`
  const pool = new pg.Pool({ connectionString, options, max: 8 })
  await pool.query(`drop schema if exists ${DATABASE} cascade`)
  await pool.query(`create schema ${DATABASE}`)
  return {
    dialect: 'postgres',
    key: 'serial primary key',
    run: async (sql, values) => (await pool.query(sql, [...values])).rows,
    transaction: async (context, work) => {
      const client = await pool.connect()
      try {
        await client.query('begin isolation level repeatable read')
        const run: Execute<unknown> = async (sql, values) =>
          (await client.query(sql, [...values])).rows
        const value = await work({ ...context, connection: { run } })
        await client.query('commit')
        return value
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
    },
    close: async () => {
      await pool.query(`drop schema ${DATABASE} cascade`)
      await pool.end()
    },
  }
}

async function openMariaDb(): Promise<Server> {
  const uri = addressOf('PLUMBLINE_TEST_MYSQL_URL')
  const admin = await mysql.createConnection({ uri })
  await admin.query(`drop database if exists ${DATABASE}`)
  await admin.query(`create database ${DATABASE} character set utf8mb4`)
  const pool = mysql.createPool({ uri, database: DATABASE, timezone: 'Z', connectionLimit: 8 })
  return {
    dialect: 'mysql',
    key: 'int auto_increment primary key',
    run: async (sql, values) => (await pool.query(sql, [...values]))[0],
    transaction: async (context, work) => {
      const connection = await pool.getConnection()
      try {
        await connection.beginTransaction()
        const run: Execute<unknown> = async (sql, values) =>
          (await connection.query(sql, [...values]))[0]
        const value = await work({ ...context, connection: { run } })
        await connection.commit()
        return value
      } catch (error) {
        await connection.rollback()
        throw error
      } finally {
        connection.release()
      }
    },
    close: async () => {
      await pool.end()
      await admin.query(`drop database ${DATABASE}`)
      await admin.end()
    },
  }
}
