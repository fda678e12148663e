import { type StoresUnderTest, storeContract } from '@plumbline/doctor/testing'
import { defineResourceType } from '@plumbline/scim/endpoint'
import { sqlStore } from '@plumbline/scim/sql'
import { describe, it } from 'vitest'
// The contract is that of programs that run transactions again.
import { retried, toScimError } from '../../../../examples/scim/retried-transactions.ts'
import type { Openable, OpenablePool } from './openers.ts'
import type { Execute, Opened } from './tables.ts'
import {
  type Client,
  documentOptions,
  documentTables,
  groupOptions,
  tables,
  userOptions,
} from './teams.ts'

/** Runs the contract that the library gives to its users over sqlStore. Each check opens an empty database. */
export function proveContract(name: string, database: Openable): void {
  prove(name, () => openStores(database))
}

/** A client, and the connection of its transaction. */
interface Connected extends Client {
  readonly run?: Execute
}

/** The same over a pool of connections, so that transactions run at the same time. */
export function provePooledContract(name: string, { dialect, openPool }: OpenablePool): void {
  prove(`${name}, with transactions at the same time`, async () => {
    const { execute, transact, close } = await openPool(5)
    const run = (sql: string, parameters: readonly unknown[], context?: Connected) =>
      (context?.run ?? execute)(sql, parameters)
    const stores = await openStores({ dialect, open: async () => ({ execute: run, close }) })
    const transaction = retried<Client>((context, work) =>
      transact((run) => work(Object.assign({ run }, context))),
    )
    return { ...stores, transaction, toScimError }
  })
}

/** The same over users with a document and an index. */
export function proveDocumentContract(
  name: string,
  dialect: 'sqlite' | 'postgres',
  open: Openable['open'],
): void {
  prove(`${name}, with a document and an index`, async () => {
    const opened = await open()
    for (const statement of documentTables(dialect)) await opened.execute(statement, [])
    const store = sqlStore(documentOptions(opened.execute, dialect))
    return {
      resourceTypes: [defineResourceType<Client>({ name: 'User', endpoint: '/Users', store })],
      ...contextOf(opened),
    }
  })
}

function prove(name: string, makeStores: () => Promise<StoresUnderTest<Client>>): void {
  describe(`storeContract over sqlStore on ${name}`, () => {
    for (const check of storeContract(makeStores)) {
      it(check.name, async () => {
        await check.run()
      })
    }
  })
}

/** The users and groups of an empty database, and its transactions. */
export async function openStores({ dialect, open }: Openable) {
  const opened = await open()
  const { execute } = opened
  for (const statement of tables(dialect)) await execute(statement, [])
  const { attributes, ...options } = userOptions(execute, dialect)
  // In a column of its own, because the contract changes the name without the address.
  const mapped = { ...attributes, 'emails[work].value': 'mail' }
  const users = sqlStore({ ...options, attributes: mapped })
  const groups = sqlStore(groupOptions(execute, dialect))
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
    ...contextOf(opened),
  }
}

/** Two tenants of a database, and its transactions. */
function contextOf({ execute, close }: Opened) {
  let last: Promise<unknown> = Promise.resolve()
  return {
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
