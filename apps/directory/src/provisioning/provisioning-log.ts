import type { ReportFailure } from '../job-reports.ts'
import { faultOf } from '../store/faults.ts'
import { insertRequests } from '../store/requests/write-requests.ts'
import { type AnsweredRequest, rowOf } from './entry.ts'
import { createPruning, type Pruning, type PruningOptions } from './pruning.ts'
import { createRequestQueue, type QueueLimits, type RequestQueue } from './request-queue.ts'

/** Options for `createProvisioningLog`. */
export interface ProvisioningLogOptions extends PruningOptions {
  /** The most requests waiting to be stored: 10,000, and 16 Mi code units by default. */
  readonly queue?: QueueLimits
}

/** The provisioning log: the SCIM requests of all tenants, stored in the database. */
export interface ProvisioningLog {
  /** Adds a request, which is stored later. Never throws or waits. */
  add(answered: AnsweredRequest): void
  /** Stores waiting requests and deletes old ones; resolves even if the database is unavailable. */
  flush(): Promise<void>
  /** The number of waiting requests, and how many were stored and dropped since the start. */
  counts(): { readonly waiting: number; readonly stored: number; readonly dropped: number }
  /** Stores waiting requests, then stops. Later requests are dropped. */
  close(): Promise<void>
}

/**
 * Creates a database's provisioning log. Requests are stored in batches, several times a second. Batches compete with
 * requests for time, and SQLite even shares their thread. So only part of the time goes to batches, and requests are
 * dropped when the queue is full.
 */
export function createProvisioningLog({
  store,
  now,
  queue: limits = LIMITS,
  ...retention
}: ProvisioningLogOptions): ProvisioningLog {
  const queue = createRequestQueue(limits)
  const pruning = createPruning({ store, now, ...retention })
  const counts = { stored: 0, dropped: 0 }
  const batches = createBatches({ store, now, queue, pruning, counts })
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let isClosed = false

  const run = async (isPatient: boolean): Promise<void> => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    // Requests added during a run need another run.
    if (running !== null) await running
    running ??= batches.store(isPatient).finally(() => {
      running = null
      if (queue.size > 0) schedule()
    })
    await running
  }

  const storeAndPrune = async (): Promise<void> => {
    await run(false)
    await pruning.run()
  }

  const schedule = (): void => {
    // A run schedules its successor when it ends.
    if (timer !== null || running !== null || isClosed) return
    timer = setTimeout(storeAndPrune, Math.max(batches.rest(), INTERVAL)).unref()
  }

  /** Adds a request to the queue; returns whether it was added. A log failure must not change the answer. */
  const isAdded = (answered: AnsweredRequest): boolean => {
    try {
      return queue.add(rowOf(answered))
    } catch (error) {
      store.jobs.failed('request-log', error, answered.tenantId)
      return false
    }
  }

  return {
    add: (answered) => {
      if (!isClosed && !queue.isFull(answered.tenantId ?? '') && isAdded(answered)) schedule()
      else counts.dropped += 1
    },
    flush: async () => {
      await run(true)
      await pruning.run()
    },
    counts: () => ({ waiting: queue.size, ...counts }),
    close: async () => {
      // A stopping server doesn't wait for deletions.
      await run(true)
      isClosed = true
      if (timer !== null) clearTimeout(timer)
      counts.dropped += queue.size
      queue.remove(queue.size)
    },
  }
}

/** Options for `createBatches`. */
interface BatchOptions extends Pick<PruningOptions, 'store' | 'now'> {
  readonly queue: RequestQueue
  readonly pruning: Pick<Pruning, 'added'>
  readonly counts: { stored: number; dropped: number }
}

/** Creates the functions that store queued requests and return how long (ms) to wait afterwards. */
function createBatches({ store, now, queue, pruning, counts }: BatchOptions) {
  let rest = 0
  /** Stores one batch; returns whether the database accepts another one. */
  const storeOne = async (fail: ReportFailure): Promise<boolean> => {
    const batch = queue.first(BATCH)
    const time = now()
    const started = performance.now()
    try {
      await store.background((db) => insertRequests(db, store.dialect, batch))
    } catch (error) {
      // The database is busy, full or gone. A later attempt may succeed, but doesn't try to store old requests forever.
      const old = batch.findLastIndex((row) => row.time < time - OLDEST) + 1
      queue.remove(old)
      counts.dropped += old
      // Another process's write is not a failure, unless it takes so long that requests are lost.
      if (old > 0 || faultOf(error) !== 'busy') fail(error)
      return false
    }
    rest = (performance.now() - started) * (1 / SHARE - 1)
    queue.remove(batch.length)
    counts.stored += batch.length
    pruning.added(batch)
    return true
  }
  const attemptOne = (): Promise<boolean> =>
    store.jobs.attempt('request-log', storeOne, { otherwise: false })
  return {
    rest: () => rest,
    /** Stores one batch, or all of them with `isPatient`. */
    store: async (isPatient: boolean): Promise<void> => {
      while (queue.size > 0 && (await attemptOne()) && isPatient);
    },
  }
}

/** How long (ms) a request waits before it is stored. */
const INTERVAL = 250
/** The most requests per transaction; clients' writes wait for it. */
const BATCH = 1_000
/** The share of time spent on storing requests. Requests above this rate are dropped. */
const SHARE = 1 / 25
const LIMITS: QueueLimits = { rows: 10_000, length: 16 * 2 ** 20 }
/** The age (ms) at which unstored requests are dropped. */
const OLDEST = 60_000
