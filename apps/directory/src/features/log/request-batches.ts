import type { ReportFailure } from '../../kernel/jobs/job-reports.ts'
import { faultOf } from '../../kernel/store/faults.ts'
import { type Store, StoreUnavailableError } from '../../kernel/store/store.ts'
import type { Pruning } from './pruning.ts'
import type { RequestQueue } from './request-queue.ts'
import { createSeparateTenants } from './separate-tenants.ts'
import { insertRequests, type NewRequest } from './write-requests.ts'

/** Options for `createBatches`. */
export interface BatchOptions {
  readonly store: Store
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  readonly queue: RequestQueue
  readonly pruning: Pick<Pruning, 'added'>
  readonly counts: { stored: number; dropped: number }
}

/** Stores queued requests in batches. */
export interface Batches {
  /** How long (ms) to wait after the last batch. */
  rest(): number
  /** Stores one batch, or all of them with `isPatient`. */
  store(isPatient: boolean): Promise<void>
}

/**
 * Creates the batches of a queue. If the database does not answer a batch with requests of several tenants, each of
 * them gets separate batches until one succeeds: on Citus, the cause may be one tenant's node.
 */
export function createBatches({ store, now, queue, pruning, counts }: BatchOptions): Batches {
  const separate = createSeparateTenants(queue)
  let rest = 0

  /** Drops old requests of a batch that was not stored: a later attempt may succeed, but not forever. */
  const dropOld = (batch: readonly NewRequest[]): number => {
    const time = now()
    const old = batch.filter((row) => row.time < time - MAX_AGE_MS)
    queue.remove(old)
    counts.dropped += old.length
    return old.length
  }

  /** Stores one batch; returns whether the database accepts another one. */
  const storeOne = async (fail: ReportFailure): Promise<boolean> => {
    const batch = separate.nextBatch()
    if (batch.length === 0) return false
    const started = performance.now()
    try {
      await store.background((db) => insertRequests(db, store.dialect, batch))
    } catch (error) {
      if (error instanceof StoreUnavailableError) separate.divide(batch)
      // Another process's write is not a failure, unless it takes so long that requests are lost.
      if (dropOld(batch) > 0 || faultOf(error) !== 'busy') fail(error)
      return false
    }
    // A batch may have waited for a lock, or for a database that was away: it did not use that time.
    rest = Math.min((performance.now() - started) * (1 / SHARE - 1), MAX_REST_MS)
    queue.remove(batch)
    separate.join(batch)
    counts.stored += batch.length
    pruning.added(batch)
    return true
  }

  const attemptOne = (): Promise<boolean> =>
    store.jobs.attempt('request-log', storeOne, { otherwise: false })
  return {
    rest: () => rest,
    store: async (isPatient) => {
      for (let goesOn = true; goesOn && queue.size > 0; ) {
        const isStored = await attemptOne()
        goesOn = isStored ? isPatient || separate.size > 0 : isPatient && separate.isOneDue()
      }
    },
  }
}

/** The share of time spent on storing requests. Requests above this rate are dropped. */
const SHARE = 1 / 25
/** How long (ms) the log rests at most, also after a batch of 30 seconds. */
const MAX_REST_MS = 5_000
/** The age (ms) at which unstored requests are dropped. */
const MAX_AGE_MS = 60_000
