import { createJob, type Job, type JobWork } from '../../kernel/jobs/background.ts'
import type { Store } from '../../kernel/store/store.ts'
import { createDueSearch } from './find-due.ts'
import { createLease, type Lease } from './lease.ts'
import type { SendChange } from './send-change.ts'
import { createTurnService } from './turn-service.ts'
import { createTurns } from './turns.ts'

/** Options for `createDeliveryJob`. */
export interface DeliveryOptions {
  readonly store: Store
  readonly send: SendChange
  /** Receives the function that returns whether this process delivers. */
  readonly observe?: (isDelivering: () => boolean) => void
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  /** Returns a number from 0 to 1; `Math.random` by default. */
  readonly random?: () => number
  /** How often (ms) the database is asked for webhooks with changes to deliver; 300 by default. */
  readonly interval?: number
  /** How long (ms) a turn may wait for an answer before another one gets its place; 1,000 by default. */
  readonly slowAfter?: number
  /** Lets one process deliver. Defaults to the database's lease `webhooks`. */
  readonly lease?: Lease
}

/** Delivers changes to the webhooks in all tenants. */
export interface DeliveryJob extends Job {
  /** Waits until no delivery is running. */
  idle(): Promise<void>
}

/**
 * Creates the delivery. Every process starts it, and one of them delivers. Many webhooks are served concurrently, each
 * for some seconds at a time. One tenant's webhooks can't occupy all places, and neither can a host that does not answer
 * or slow receivers.
 */
export function createDeliveryJob({
  store,
  send,
  observe = () => undefined,
  now,
  random = Math.random,
  interval = 300,
  slowAfter = 1_000,
  lease = createLease({ store, name: 'webhooks' }),
}: DeliveryOptions): DeliveryJob {
  const closing = new AbortController()
  const { signal } = closing
  const mayDeliver = (): boolean => !signal.aborted && lease.isHeld()
  const findDue = createDueSearch(store)
  const { serve, isSlow, forget } = createTurnService({
    store,
    send,
    now,
    random,
    slowAfter,
    mayDeliver,
    signal,
  })
  const turns = createTurns({ mayStart: mayDeliver, isSlow, serve })
  observe(lease.isHeld)
  const startTurns: JobWork = async (_, fail) => {
    if (!(await lease.renew())) {
      forget()
      return
    }
    turns.start(await findDue(now(), fail))
  }
  const job = createJob({ name: 'webhooks', interval, jobs: store.jobs }, startTurns)
  const idle = async (): Promise<void> => {
    await turns.idle()
  }
  return {
    ...job,
    idle,
    close: async () => {
      closing.abort()
      await job.close()
      await idle()
      // Another process takes the lease later.
      await store.jobs.attempt('webhook-lease', lease.release, { otherwise: undefined })
    },
  }
}
