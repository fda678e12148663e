import type { ScimEndpointOptions } from '@plumbline/scim/endpoint'
import { describe, expect, it } from 'vitest'
import { mariaDbServer, type OpenablePool, postgresServer } from './openers.ts'
import { type Client, serveTables, tables } from './teams.ts'

type Transaction = NonNullable<ScimEndpointOptions<Client>['transaction']>

/** A client with the connection of its transaction. */
interface Connected extends Client {
  readonly execute?: OpenedPool['execute']
}

type OpenedPool = Awaited<ReturnType<OpenablePool['openPool']>>

const SERVERS: readonly (readonly [string, OpenablePool])[] = [
  ['PostgreSQL', postgresServer('sql_creates')],
  ['MariaDB', mariaDbServer('sql_creates')],
]

describe.each(SERVERS)('concurrent creates on %s', (_, { dialect, openPool }) => {
  it.each([
    ['one connection, without a real transaction', 1, false],
    ['a pool with 5 connections, without a real transaction', 5, false],
    ['one connection, with a transaction', 1, true],
    ['a pool with 5 connections, with a transaction', 5, true],
  ])(
    '40 concurrent creates over %s each answer with their own user',
    async (_, size, isTransacted) => {
      const pool = await openPool(size)
      try {
        for (const statement of tables(dialect)) await pool.execute(statement, [])
        const transaction: Transaction = (context, work) =>
          pool.transact((execute) => work({ ...context, execute } as Client))
        const send = serveTables(
          (sql, values, { execute = pool.execute }: Connected) => execute(sql, values),
          dialect,
          isTransacted ? { transaction } : {},
        )
        const wanted = Array.from({ length: 40 }, (_, at) => ({
          userName: `u${at}@example.com`,
          addresses: [{ type: 'home', streetAddress: `street of u${at}` }],
        }))
        const created = await Promise.all(wanted.map((user) => send('POST', '/Users', user)))
        expect(created.map(({ status }) => status)).toEqual(wanted.map(() => 201))
        const ids = created.map(({ body }) => body.id)
        const read = await Promise.all(ids.map((id) => send('GET', `/Users/${id}`)))
        for (const answers of [created, read]) {
          expect(answers.map(({ body }) => linesOf(body))).toEqual(wanted.map(linesOf))
        }
      } finally {
        await pool.close()
      }
    },
  )
})

/** The userName and the street of a user. */
function linesOf(user: object): string {
  const [address] = Object(user).addresses ?? []
  return [Object(user).userName, address?.streetAddress].join()
}
