import { createJob, type Job, type JobWork } from '../../kernel/jobs/background.ts'
import type { Store } from '../../kernel/store/store.ts'
import { type Accepted, deliverPage } from './deliver-page.ts'
import { createDueSearch } from './find-due.ts'
import { createLease, type Lease } from './lease.ts'
import type { SendChange } from './send-change.ts'
import { createTurns, keyOf, type TurnOptions } from './turns.ts'

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
  /** Lets one process deliver; by default the database's lease `webhooks`. */
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
  const accepted = new Map<string, Accepted>()
  const slow = new Set<string>()
  const findDue = createDueSearch(store)
  const serve: TurnOptions['serve'] = async (webhook, turn) => {
    const key = keyOf(webhook)
    const sendInTime: SendChange = async (...sent) => {
      const timer = setTimeout(turn.slowDown, slowAfter)
      const attempt = await send(...sent).finally(() => clearTimeout(timer))
      turn.hear(attempt.status !== null)
      return attempt
    }
    const started = performance.now()
    const mayContinue = () =>
      !signal.aborted && lease.isHeld() && performance.now() - started < MAX_TURN_MS
    const own = accepted.get(key) ?? { epoch: '', positions: new Set<number>() }
    accepted.set(key, own)
    const options = { store, send: sendInTime, now, random, mayContinue, signal, accepted: own }
    for (let hasMore = true; hasMore && mayContinue(); ) {
      const outcome = await deliverPage(webhook, options)
      hasMore = outcome.hasMore
      if (outcome.isSlow) slow.add(key)
      else slow.delete(key)
    }
    if (own.positions.size === 0) accepted.delete(key)
  }
  const turns = createTurns({
    mayStart: () => !signal.aborted && lease.isHeld(),
    isSlow: (webhook) => webhook.attempts > 0 || slow.has(keyOf(webhook)),
    // The next turn tries again if the database is unavailable.
    serve: (webhook, turn) =>
      store.jobs.attempt('webhook-delivery', () => serve(webhook, turn), {
        otherwise: undefined,
        tenantId: webhook.tenant_id,
        signal,
      }),
  })
  observe(lease.isHeld)
  const startTurns: JobWork = async (_, fail) => {
    if (!(await lease.renew())) {
      accepted.clear()
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

/** How long (ms) a webhook is served before others get its place. Its last answer may take longer. */
const MAX_TURN_MS = 5_000
