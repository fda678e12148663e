import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { faultOf, StoreUnavailableError } from '../../store.ts'

/** Runs work again that met another transaction, from the beginning and for a limited time. */
export async function withRetries<Value>(
  timeout: number,
  attempt: () => Promise<Value>,
): Promise<Value> {
  const end = performance.now() + Math.min(PATIENCE, timeout)
  for (let count = 1; ; count += 1) {
    try {
      return await attempt()
    } catch (error) {
      const fault = faultOf(error)
      if (fault === 'busy' && performance.now() < end) {
        // At the same time as the others it would meet them again.
        await setTimeout(Math.random() * Math.min(2 ** count, LONGEST_PAUSE))
        continue
      }
      if (fault !== 'busy' && fault !== 'unavailable') throw error
      throw new StoreUnavailableError('the database does not answer', { cause: error })
    }
  }
}

/**
 * Does work on a connection, and lets go of it. The query library's own transactions keep a connection
 * that fails as it begins one, and say nothing of why a commit failed.
 */
export async function inTransaction<Value>(
  client: pg.PoolClient,
  { begin, isReading }: { readonly begin: string; readonly isReading: boolean },
  work: () => Promise<Value>,
  wait: () => Promise<void> = async () => undefined,
): Promise<Value> {
  // The first statement follows the beginning without waiting for it: the connection is a pipeline.
  const begun = client.query(begin)
  begun.catch(() => undefined)
  let value: Value
  try {
    value = await work()
    await begun
  } catch (error) {
    await letGo(client, wait, error)
    throw error
  }
  const released = client.query('commit').then(
    () => letGo(client, wait),
    async (error) => {
      await letGo(client, wait, error)
      throw error
    },
  )
  // A commit keeps nothing of what was only read: nobody waits for it.
  if (isReading) released.catch(() => undefined)
  else await released
  return value
}

/** Lets go of a connection, after an error only if it can be used on. */
async function letGo(
  client: pg.PoolClient,
  wait: () => Promise<void>,
  error?: unknown,
): Promise<void> {
  // Over a connection that is gone, or does not answer, there is nothing to say any more.
  const isUsable =
    error === undefined || (faultOf(error) !== 'unavailable' && (await isDone(client, 'rollback')))
  // Else a cancellation might meet what the connection does next.
  await wait()
  client.release(!isUsable)
}

/** Runs a statement; tells whether it was done. */
async function isDone(client: pg.PoolClient, statement: string): Promise<boolean> {
  try {
    await client.query(statement)
    return true
  } catch {
    return false
  }
}

/**
 * Lets the server give up what a connection does once nobody waits for it; returns what ends this, and
 * waits for a cancellation under way.
 */
export function cancelWhenAborted(
  signal: AbortSignal,
  pool: pg.Pool,
  client: pg.PoolClient,
): () => Promise<void> {
  let isOver = false
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    // The number of the server's process is what a cancellation names; the types leave it out.
    const process = Number(Object(client).processID)
    // One that comes between two statements stops neither.
    for (; !isOver; await setTimeout(20)) {
      await pool.query('select pg_cancel_backend($1)', [process]).catch(() => undefined)
    }
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

/** How long work that met another transaction is retried, in milliseconds. */
const PATIENCE = 10_000
const LONGEST_PAUSE = 100
