import { DatabaseSync } from 'node:sqlite'
import { defineResourceType } from '@plumbline/scim/endpoint'
import { sqlStore } from '@plumbline/scim/sql'
import { storeContract } from '@plumbline/scim/testing'
import { describe, it } from 'vitest'
import { type Client, groupOptions, tables, userOptions } from './teams.ts'

// The store under the contract that the library gives to its users.

describe('storeContract over sqlStore on SQLite', () => {
  const checks = storeContract<Client>(openStores)
  for (const { name, run } of checks) {
    it(name, async () => {
      await run()
    })
  }
})

function openStores() {
  const database = new DatabaseSync(':memory:')
  for (const statement of tables('sqlite')) database.exec(statement)
  const execute = (sql: string, values: readonly unknown[]) =>
    database.prepare(sql).all(...(values as never[]))
  const { attributes, ...options } = userOptions(execute, 'sqlite')
  // In a column of its own, because the contract changes the name without the address.
  const mapped = { ...attributes, 'emails[work].value': 'mail' }
  const users = sqlStore({ ...options, attributes: mapped })
  const groups = sqlStore(groupOptions(execute, 'sqlite'))
  let last: Promise<unknown> = Promise.resolve()
  return {
    resourceTypes: [
      defineResourceType<Client>({
        name: 'User',
        endpoint: '/Users',
        definitions: users.definitions,
        store: users,
      }),
      defineResourceType<Client>({
        name: 'Group',
        endpoint: '/Groups',
        definitions: groups.definitions,
        store: groups,
      }),
    ],
    context: { org: 1 },
    otherContext: { org: 2 },
    transaction: <Value>(context: Client, work: (context: Client) => Promise<Value>) => {
      const turn = last.then(async () => {
        database.exec('begin')
        try {
          const value = await work(context)
          database.exec('commit')
          return value
        } catch (error) {
          database.exec('rollback')
          throw error
        }
      })
      last = turn.catch(() => undefined)
      return turn
    },
    close: () => database.close(),
  }
}
