import type { DatabaseSync } from 'node:sqlite'
import type { Transaction } from '@plumbline/scim/endpoint'

/** Creates the transactions of a connection, which has one at a time. */
export function createTransactions<Context>(database: DatabaseSync): Transaction<Context> {
  let last: Promise<unknown> = Promise.resolve()
  return (context, work) => {
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
  }
}
