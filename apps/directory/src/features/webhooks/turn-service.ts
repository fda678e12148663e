import type { Store } from '../../kernel/store/store.ts'
import { type Accepted, deliverPage } from './deliver-page.ts'
import type { SendChange } from './send-change.ts'
import { keyOf, type TurnOptions } from './turns.ts'

/** Options for `createTurnService`. */
export interface TurnServiceOptions {
  readonly store: Store
  readonly send: SendChange
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  /** Returns a number from 0 to 1. */
  readonly random: () => number
  /** How long (ms) a turn may wait for an answer before another one gets its place. */
  readonly slowAfter: number
  /** Whether this process delivers now. */
  readonly mayDeliver: () => boolean
  readonly signal: AbortSignal
}

/** Serves webhooks in their turns. */
export interface TurnService extends Pick<TurnOptions, 'isSlow' | 'serve'> {
  /** Forgets which changes were accepted, because another process delivers now. */
  forget(): void
}

/** Creates the service. It remembers each webhook's accepted changes, and which receivers are slow, between turns. */
export function createTurnService({
  store,
  send,
  now,
  random,
  slowAfter,
  mayDeliver,
  signal,
}: TurnServiceOptions): TurnService {
  const accepted = new Map<string, Accepted>()
  const slow = new Set<string>()
  const deliver: TurnOptions['serve'] = async (webhook, turn) => {
    const key = keyOf(webhook)
    const sendInTime: SendChange = async (...sent) => {
      const timer = setTimeout(turn.slowDown, slowAfter)
      const attempt = await send(...sent).finally(() => clearTimeout(timer))
      turn.hear(attempt.status !== null)
      return attempt
    }
    const started = performance.now()
    const mayContinue = () => mayDeliver() && performance.now() - started < MAX_TURN_MS
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
  return {
    isSlow: (webhook) => webhook.attempts > 0 || slow.has(keyOf(webhook)),
    // The next turn tries again if the database is unavailable.
    serve: (webhook, turn) =>
      store.jobs.attempt('webhook-delivery', () => deliver(webhook, turn), {
        otherwise: undefined,
        tenantId: webhook.tenant_id,
        signal,
      }),
    forget: () => accepted.clear(),
  }
}

/** How long (ms) a webhook is served before others get its place. The last answer may take longer. */
const MAX_TURN_MS = 5_000
