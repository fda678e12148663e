import { createJob, type Job, type JobWork } from '../background.ts'
import type { Store } from '../store/store.ts'
import type { DueWebhook } from '../store/webhooks/webhooks.ts'
import { type Accepted, deliverPage } from './deliver-page.ts'
import { createDueSearch } from './find-due.ts'
import { createLease, type Lease } from './lease.ts'
import type { SendChange } from './send-change.ts'

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
 * for some seconds at a time. One tenant's webhooks can't occupy all places, and neither can failing or slow ones.
 */
export function createDeliveryJob({
  store,
  send,
  observe = () => undefined,
  now,
  random = Math.random,
  interval = 300,
  lease = createLease({ store, name: 'webhooks' }),
}: DeliveryOptions): DeliveryJob {
  const closing = new AbortController()
  const { signal } = closing
  const turns = new Map<string, Turn>()
  const accepted = new Map<string, Accepted>()
  const slow = new Set<string>()
  const findDue = createDueSearch(store)
  const take = async (webhook: DueWebhook, key: string): Promise<void> => {
    const started = performance.now()
    const mayContinue = () =>
      !signal.aborted && lease.isHeld() && performance.now() - started < LONGEST_TURN
    const own = accepted.get(key) ?? { epoch: '', positions: new Set<number>() }
    accepted.set(key, own)
    const options = { store, send, now, random, mayContinue, signal, accepted: own }
    for (let hasMore = true; hasMore && mayContinue(); ) {
      const outcome = await deliverPage(webhook, options)
      hasMore = outcome.hasMore
      if (outcome.isSlow) slow.add(key)
      else slow.delete(key)
    }
    if (own.positions.size === 0) accepted.delete(key)
  }
  observe(lease.isHeld)
  const startTurns: JobWork = async (_, fail) => {
    if (!(await lease.renew())) {
      accepted.clear()
      return
    }
    const due = await findDue(now(), fail)
    for (const webhook of due) {
      const { tenant_id: tenantId, id } = webhook
      const key = `${tenantId} ${id}`
      const turn = { tenantId, isSlow: webhook.attempts > 0 || slow.has(key) }
      if (signal.aborted || turns.has(key) || !hasPlace([...turns.values()], turn)) continue
      // The next turn tries again if the database is unavailable.
      const done = store.jobs
        .attempt('webhook-delivery', () => take(webhook, key), {
          otherwise: undefined,
          tenantId,
          signal,
        })
        .finally(() => turns.delete(key))
      turns.set(key, { ...turn, done })
    }
  }
  const job = createJob({ name: 'webhooks', interval, jobs: store.jobs }, startTurns)
  const idle = async (): Promise<void> => {
    while (turns.size > 0) await Promise.all([...turns.values()].map(({ done }) => done))
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

interface Turn {
  readonly tenantId: string
  readonly isSlow: boolean
  readonly done: Promise<void>
}

function hasPlace(turns: readonly Turn[], { tenantId, isSlow }: Omit<Turn, 'done'>): boolean {
  if (turns.length >= PLACES) return false
  if (turns.filter((turn) => turn.tenantId === tenantId).length >= PLACES_OF_TENANT) return false
  return !isSlow || turns.filter((turn) => turn.isSlow).length < PLACES_OF_SLOW
}

const PLACES = 64
const PLACES_OF_TENANT = 8
const PLACES_OF_SLOW = 48
/** How long (ms) a webhook is served before others get its place. Its last answer may take longer. */
const LONGEST_TURN = 5_000
