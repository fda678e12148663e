import { createSlots, type Turn } from '../store/engines/worker-pool.ts'
import type { DirectoryContext } from './context.ts'

/** Divides the event loop between tenants' requests, and admits their large bodies one at a time. */
export interface LargeBodies {
  /** The SCIM endpoint's `turn` option. */
  turn(
    context: Pick<DirectoryContext, 'principal' | 'store' | 'subject'>,
    bytes: number,
  ): Promise<void> | undefined
  /** Admits the tenant's next large body after a request was answered. */
  leave(subject: object): void
}

/**
 * Creates the turns for bodies. A tenant parses and stores one large body at a time, because each takes many turns of
 * the event loop. Bulk operations take their own turns, so the next body need not wait for them.
 */
export function createLargeBodies(): LargeBodies {
  const slots = createSlots<null>(Array(MOST_TENANTS).fill(null), { most: 1 })
  const current = new WeakMap<object, Turn<null>>()
  const leave: LargeBodies['leave'] = (subject) => {
    const turn = current.get(subject)
    if (turn === undefined) return
    current.delete(subject)
    slots.giveBack(turn)
  }
  return {
    turn: ({ principal: { tenantId }, store, subject }, bytes) => {
      if (bytes <= LARGE) {
        leave(subject)
        return store.turns.next(tenantId)
      }
      return slots.take(tenantId).then((turn) => {
        current.set(subject, turn)
        return store.turns.next(tenantId)
      })
    },
    leave,
  }
}

/** How many tenants may have a large body at the same time. */
const MOST_TENANTS = 1_000
/** In bytes. */
const LARGE = 64 * 1024
