import type { PGlite, Transaction as Tx } from '@electric-sql/pglite'
import { USER_DEFINITION } from '@plumbline/scim/discovery'
import { createScimEndpoint, defineResourceType, type Transaction } from '@plumbline/scim/endpoint'
import { type Dialect, type Execute, sqlStore } from '@plumbline/scim/sql'
import type mysql from 'mysql2/promise'
import type pg from 'pg'
import { expect, it } from 'vitest'
import { sender } from '../endpoint/serve.ts'

// The code in the guide's table of drivers, which is compiled here.

export interface Connected<Client> {
  readonly client?: Client
}
export interface InTransaction {
  readonly tx?: Tx
}

export const executeOfPg =
  (pool: pg.Pool): Execute<Connected<pg.PoolClient>> =>
  async (sql, values, { client }) =>
    (await (client ?? pool).query(sql, [...values])).rows

export const executeOfMysql2 =
  (pool: mysql.Pool): Execute<Connected<mysql.PoolConnection>> =>
  async (sql, values, { client }) =>
    (await (client ?? pool).query(sql, [...values]))[0]

export const executeOfPglite =
  (db: PGlite): Execute<InTransaction> =>
  async (sql, values, { tx }) =>
    (await (tx ?? db).query(sql, [...values])).rows

export const transactionOfPglite =
  (db: PGlite): Transaction<InTransaction> =>
  (context, work) =>
    db.transaction((tx) => work({ ...context, tx }))

/** Proves that the code for a driver writes and reads users, several at the same time. */
export function proveDriver(
  name: string,
  dialect: Dialect,
  open: () => Promise<{
    readonly execute: Execute<InTransaction>
    readonly transaction?: Transaction<InTransaction>
  }>,
): void {
  it(`the guide's code for ${name} writes and reads users`, async () => {
    const { execute, transaction } = await open()
    await execute('create table users (id varchar(40) primary key, email varchar(90))', [], {})
    const store = sqlStore<InTransaction>({
      execute,
      dialect,
      table: 'users',
      id: 'id',
      attributes: { userName: 'email' },
      definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
    })
    const { fetch } = createScimEndpoint<InTransaction>({
      basePath: '/scim/v2',
      resourceTypes: [
        defineResourceType<InTransaction>({ name: 'User', endpoint: '/Users', store }),
      ],
      authenticate: async () => ({}),
      transaction,
    })
    const send = sender(fetch)
    const created = await Promise.all(
      ['a', 'b', 'c'].map((userName) => send('POST', '/Users', { userName })),
    )
    expect(created.map(({ status }) => status)).toEqual([201, 201, 201])
    expect((await send('GET', '/Users')).body.totalResults).toBe(3)
  })
}
