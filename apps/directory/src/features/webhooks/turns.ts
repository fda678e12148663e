import { createPlaces, type Place } from './places.ts'
import type { DueWebhook } from './store.ts'
import { createWaitingTurns } from './waiting-turns.ts'

/** Options for `createTurns`. */
export interface TurnOptions {
  /** Whether turns may start now. */
  readonly mayStart: () => boolean
  /** Whether a webhook's receiver failed or was slow before. */
  readonly isSlow: (webhook: DueWebhook) => boolean
  /** Serves a webhook for some seconds. Never rejects. */
  readonly serve: (webhook: DueWebhook, turn: Turn) => Promise<void>
}

/** A turn, as far as it shows how the receiver answers. */
export interface Turn extends Pick<Place, 'slowDown'> {
  /** Records whether the receiver's host has answered. */
  hear(hasAnswered: boolean): void
}

/** The turns of webhooks. */
export interface Turns {
  /** Starts the turns of webhooks that a search has found, as soon as each has a place. */
  start(found: readonly DueWebhook[]): void
  /** Waits until no turn is running. */
  idle(): Promise<void>
}

/** Creates the turns. A place is taken again as soon as a turn ends, or waits for its receiver. */
export function createTurns({ mayStart, isSlow, serve }: TurnOptions): Turns {
  const running = new Map<string, Promise<void>>()
  const waiting = createWaitingTurns()
  const places = createPlaces((limits) => {
    waiting.free(limits)
    fill()
  })
  function fill(): void {
    for (let webhook = waiting.next(); webhook !== undefined; webhook = waiting.next()) {
      if (mayStart() && !running.has(keyOf(webhook))) begin(webhook)
    }
  }
  const begin = (webhook: DueWebhook): void => {
    const host = new URL(webhook.url).host
    const claim = { tenantId: webhook.tenant_id, host, isSlow: isSlow(webhook) }
    const place = places.claim(claim)
    if (typeof place === 'string') {
      waiting.block(webhook, place)
      return
    }
    const hear = (hasAnswered: boolean) => places.hear(host, hasAnswered)
    const key = keyOf(webhook)
    const done = serve(webhook, { slowDown: place.slowDown, hear }).finally(() => {
      running.delete(key)
      place.leave()
    })
    running.set(key, done)
  }
  return {
    start: (found) => {
      waiting.replace(found)
      fill()
    },
    idle: async () => {
      while (running.size > 0) await Promise.all(running.values())
    },
  }
}

/** Returns a webhook's key among those of all tenants. */
export function keyOf({ tenant_id, id }: Pick<DueWebhook, 'tenant_id' | 'id'>): string {
  return `${tenant_id} ${id}`
}
