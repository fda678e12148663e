import { createScimEndpoint, defineResourceType } from '@plumbline/scim/endpoint'
import { sqlStore } from '@plumbline/scim/sql'
import { describe, expect, it } from 'vitest'
import { sender } from '../endpoint/serve.ts'
import { mariaDbServer, postgresServer } from './openers.ts'
import { type Client, tables, userOptions } from './teams.ts'

const CONNECTIONS = 10

describe.each([
  ['pg', postgresServer('pool')],
  ['mysql2', mariaDbServer('pool')],
])('with %s, writes whose statements bypass their transaction and use the pool', (_, server) => {
  it('writes that wait for each other are 503, change nothing, and return the connections', async () => {
    const { dialect, openPool } = server
    const { execute, transact, close } = await openPool(CONNECTIONS)
    for (const statement of tables(dialect)) await execute(statement, [])
    // The mistake: a statement waits for another connection while its transaction holds one.
    const store = sqlStore<Client>(userOptions(execute, dialect))
    const { fetch } = createScimEndpoint<Client>({
      basePath: '/scim/v2',
      resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', store })],
      authenticate: async () => ({ org: 1 }),
      transaction: (context, work) => transact(() => work({ ...context })),
      limits: { writeTime: 500 },
      onError: () => undefined,
    })
    const send = sender(fetch)
    const created = await Promise.all(
      Array.from({ length: CONNECTIONS }, (_, at) => send('POST', '/Users', { userName: `${at}` })),
    )
    expect(new Set(created.map(({ status }) => status))).toEqual(new Set([503]))
    const start = performance.now()
    await Promise.all(Array.from({ length: CONNECTIONS }, () => execute('select 1', [])))
    expect(performance.now() - start).toBeLessThan(1_000)
    // Statements that waited do not go on without their transaction.
    expect(await execute('select id from users', [])).toEqual([])
    await close()
  })
})
