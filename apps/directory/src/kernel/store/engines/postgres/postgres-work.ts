import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { findInCauses } from '../../driver-errors.ts'
import { StoreUnavailableError } from '../../store.ts'
import { cancel } from './cancel.ts'
import { faultOf, isLostName } from './faults.ts'

/** Runs work, and repeats it after a conflict with another transaction, for at most this time in milliseconds. */
export type WithRetries = <Value>(timeout: number, attempt: () => Promise<Value>) => Promise<Value>

/** @param stopNaming is called before a retry without statement names */
export function createRetries(stopNaming: () => void): WithRetries {
  return (timeout, attempt) => withRetries(timeout, attempt, stopNaming)
}

async function withRetries<Value>(
  timeout: number,
  attempt: () => Promise<Value>,
  stopNaming: () => void,
): Promise<Value> {
  const end = performance.now() + Math.min(RETRY_TIMEOUT_MS, timeout)
  for (let count = 1; ; count += 1) {
    try {
      return await attempt()
    } catch (error) {
      const fault = findInCauses(error, faultOf)
      if (findInCauses(error, isLostName)) stopNaming()
      if (fault === 'busy' && performance.now() < end) {
        // Without a random delay, it would conflict with the same transactions again.
        await setTimeout(Math.random() * Math.min(2 ** count, MAX_PAUSE_MS))
        continue
      }
      if (fault !== 'busy' && fault !== 'unavailable') throw error
      throw new StoreUnavailableError('the database does not answer', { cause: error })
    }
  }
}

/** A connection held by work. */
export interface Connection {
  readonly client: pg.PoolClient
  /** Stops listening for an abort, and waits for a running cancellation. */
  readonly wait?: () => Promise<void>
}

/** How a transaction begins. */
export interface Beginning {
  readonly begin: string
  readonly isReading: boolean
  /** Rejects if the transaction must not commit. Defaults to rejecting if `begin` failed. */
  readonly onBegun?: (begun: Promise<unknown>) => Promise<unknown>
}

/**
 * Runs work on a connection, and releases it. The query library's own transactions do not release a
 * connection whose `begin` fails, and do not report why a commit failed.
 */
export async function inTransaction<Value>(
  connection: Connection,
  { begin, isReading, onBegun = (begun) => begun }: Beginning,
  work: () => Promise<Value>,
): Promise<Value> {
  const { client } = connection
  // The first statement does not wait for the result of `begin`: the connection is a pipeline.
  const begun = onBegun(client.query(begin))
  begun.catch(() => undefined)
  let value: Value
  try {
    value = await work()
    await begun
  } catch (error) {
    // If `begin` failed, the statements after it failed for that reason.
    const first = await begun.then(
      () => error,
      (reason: unknown) => reason,
    )
    await letGo(connection, first)
    throw first
  }
  const released = client.query('commit').then(
    () => letGo(connection),
    async (error) => {
      await letGo(connection, error)
      throw error
    },
  )
  // The commit of a read-only transaction stores nothing: the work does not wait for it.
  if (isReading) released.catch(() => undefined)
  else await released
  return value
}

/** Releases a connection, or destroys it if it cannot be used after an error. */
async function letGo({ client, wait }: Connection, error?: unknown): Promise<void> {
  // A rollback over a lost or silent connection is not possible.
  const isUsable =
    error === undefined ||
    (findInCauses(error, faultOf) !== 'unavailable' && (await isDone(client, 'rollback')))
  // Otherwise a late cancellation could stop the connection's next statement.
  await wait?.()
  client.release(!isUsable)
}

/** Runs a statement; returns whether it succeeded. */
async function isDone(client: pg.PoolClient, statement: string): Promise<boolean> {
  try {
    await client.query(statement)
    return true
  } catch {
    return false
  }
}

/**
 * Cancels a connection's running statement if the signal aborts. Returns a function that stops listening, and
 * waits for a running cancellation.
 */
export function cancelWhenAborted(signal: AbortSignal, client: pg.PoolClient): () => Promise<void> {
  let isOver = false
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    // A cancellation between two statements does not stop either of them.
    for (; !isOver; await setTimeout(20)) await cancel(client)
  }
  const begin = (): void => {
    stopped = stop()
  }
  signal.addEventListener('abort', begin)
  return async () => {
    isOver = true
    signal.removeEventListener('abort', begin)
    await stopped
  }
}

/** How long (ms) work is retried after a conflict with another transaction. */
const RETRY_TIMEOUT_MS = 10_000
const MAX_PAUSE_MS = 100
