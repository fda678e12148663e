import type { Database } from '../../database.ts'
import { findInCauses } from '../../driver-errors.ts'
import { cancel } from './cancel.ts'
import { databaseOf, type Query } from './database.ts'
import { faultOf } from './faults.ts'
import type { Connection } from './postgres-work.ts'

/** A database object for a single statement, without a transaction. */
export interface OneStatement {
  readonly db: Database
  /** Allows one statement. */
  allow(): void
  /** Whether the work asked for another statement, which was rejected. */
  isExceeded(): boolean
}

/** Creates the object for a connection. */
export function createOneStatement(query: Query): OneStatement {
  let statements = 0
  const db = databaseOf((...statement) => {
    statements += 1
    return statements === 1 ? query(...statement) : Promise.reject(new Error(EXCEEDED))
  })
  return {
    db,
    allow: () => {
      statements = 0
    },
    isExceeded: () => statements > 1,
  }
}

/**
 * Runs work expected to need one statement, and releases the connection. Returns null, with the connection still held,
 * if the work needs more statements, and so a transaction.
 */
export async function tryOneStatement<Value>(
  connection: Connection,
  one: OneStatement,
  work: (db: Database) => Promise<Value>,
): Promise<{ readonly value: Value } | null> {
  one.allow()
  try {
    const value = await work(one.db)
    if (one.isExceeded()) return null
    await release(connection)
    return { value }
  } catch (error) {
    if (one.isExceeded()) return null
    const isLost = findInCauses(error, faultOf) === 'unavailable'
    // Only in a transaction does the server have its own time limit. A pooler forgets a closed connection.
    if (findInCauses(error, isTimeout))
      void cancel(connection.client).then(() => release(connection, { isLost }))
    else await release(connection, { isLost })
    throw error
  }
}

async function release({ client, wait }: Connection, { isLost = false } = {}): Promise<void> {
  await wait?.()
  client.release(isLost)
}

/** Whether the driver's own time limit caused the error, which does not have a code. */
function isTimeout({ message }: Error): true | null {
  return message === 'Query read timeout' ? true : null
}

const EXCEEDED = 'the work needs a transaction'
