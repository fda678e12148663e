import { defineResourceType } from '@plumbline/scim/endpoint'
import { sqlStore } from '@plumbline/scim/sql'
import { storeContract } from '@plumbline/scim/testing'
import { describe, it } from 'vitest'
import type { Openable } from './openers.ts'
import { type Client, groupOptions, tables, userOptions } from './teams.ts'

/** Runs the contract that the library gives to its users over sqlStore. Each check opens an empty database. */
export function proveContract(name: string, database: Openable): void {
  describe(`storeContract over sqlStore on ${name}`, () => {
    for (const check of storeContract<Client>(() => openStores(database))) {
      it(check.name, async () => {
        await check.run()
      })
    }
  })
}

async function openStores({ dialect, open }: Openable) {
  const { execute, close } = await open()
  for (const statement of tables(dialect)) await execute(statement, [])
  const { attributes, ...options } = userOptions(execute, dialect)
  // In a column of its own, because the contract changes the name without the address.
  const mapped = { ...attributes, 'emails[work].value': 'mail' }
  const users = sqlStore({ ...options, attributes: mapped })
  const groups = sqlStore(groupOptions(execute, dialect))
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
    // One connection has one transaction at a time.
    transaction: <Value>(context: Client, work: (context: Client) => Promise<Value>) => {
      const turn = last.then(async () => {
        await execute('begin', [])
        try {
          const value = await work(context)
          await execute('commit', [])
          return value
        } catch (error) {
          await execute('rollback', [])
          throw error
        }
      })
      last = turn.catch(() => undefined)
      return turn
    },
    close,
  }
}
