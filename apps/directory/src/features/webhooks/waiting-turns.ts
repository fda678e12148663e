import type { Limit } from './places.ts'
import type { DueWebhook } from './store.ts'

/** Webhooks that wait for a place, in the order of the search that found them. */
export interface WaitingTurns {
  /** Replaces all of them. */
  replace(found: readonly DueWebhook[]): void
  /** Takes the next one that may have a place; undefined without one. */
  next(): DueWebhook | undefined
  /** Puts one aside until there is a place below this limit. */
  block(webhook: DueWebhook, limit: Limit): void
  /** Brings the next one back that was put aside because of each limit. */
  free(limits: readonly Limit[]): void
}

/** Creates an empty list. Each search and each end of a turn looks at a webhook once, whatever number waits. */
export function createWaitingTurns(): WaitingTurns {
  let ready: DueWebhook[] = []
  let blocked = new Map<Limit, DueWebhook[]>()
  return {
    replace: (found) => {
      ready = found.toReversed()
      blocked = new Map()
    },
    next: () => ready.pop(),
    block: (webhook, limit) => {
      const others = blocked.get(limit)
      if (others === undefined) blocked.set(limit, [webhook])
      else others.push(webhook)
    },
    free: (limits) => {
      for (const limit of limits) {
        const webhook = blocked.get(limit)?.shift()
        if (webhook !== undefined) ready.push(webhook)
      }
    },
  }
}
