import { type AnsweredRequest, rowOf } from './entry.ts'
import { createPruning, type Pruning, type PruningOptions } from './pruning.ts'
import { type Batches, createBatches } from './request-batches.ts'
import { createRequestQueue, type QueueLimits, type RequestQueue } from './request-queue.ts'

/** Options for `createProvisioningLog`. */
export interface ProvisioningLogOptions extends PruningOptions {
  /** The most requests waiting to be stored; defaults to 10,000, and 16 Mi code units. */
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
  const { run, schedule, stop } = createRuns({ queue, batches, pruning })
  let isClosed = false

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
      stop()
      counts.dropped += queue.size
      queue.remove(queue.first(queue.size))
    },
  }
}

/** The runs that store a queue's requests. */
interface Runs {
  /** Runs now, or after the current run; stores one batch, or all of them with `isPatient`. */
  run(isPatient: boolean): Promise<void>
  /** Schedules the next run, unless there is one. */
  schedule(): void
  /** Cancels the scheduled run. None is scheduled later. */
  stop(): void
}

function createRuns({
  queue,
  batches,
  pruning,
}: {
  readonly queue: RequestQueue
  readonly batches: Batches
  readonly pruning: Pruning
}): Runs {
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let isStopped = false

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
    // A run schedules the next one when it ends.
    if (timer !== null || running !== null || isStopped) return
    timer = setTimeout(storeAndPrune, Math.max(batches.rest(), INTERVAL)).unref()
  }

  return {
    run,
    schedule,
    stop: () => {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** How long (ms) a request waits before it is stored. */
const INTERVAL = 250
const LIMITS: QueueLimits = { rows: 10_000, length: 16 * 2 ** 20 }
