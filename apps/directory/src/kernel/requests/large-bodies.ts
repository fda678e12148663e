import type { Principal } from '../access/authenticate.ts'
import { BODY_LIMIT } from '../limits.ts'
import type { Turn } from '../store/engines/turn.ts'
import { createSlots, type Slots } from '../store/engines/worker-pool.ts'
import { partOfHeap } from '../store/sizes.ts'
import type { Store } from '../store/store.ts'

/** Admits the large bodies of tenants: a few are read, and one of them is parsed and stored at a time. */
export interface LargeBodies {
  /** Waits until a request's body may be read. Resolves if the client closes the connection. */
  enter(sender: BodySender, request: Request): Promise<void> | undefined
  /** The SCIM endpoint's `turn` option. */
  turn(
    context: BodySender & { readonly store: Pick<Store, 'turns'> },
    bytes: number,
  ): Promise<void> | undefined
  /** Admits the tenant's next large bodies after a request was answered. */
  leave(subject: object): void
}

/** The sender of a body. The tenant takes turns with others, and `leave` gets the subject. */
export interface BodySender {
  readonly principal: Pick<Principal, 'tenantId'>
  readonly subject: object
}

/**
 * Creates the turns for bodies. While a body waits to be read, its bytes stay with the client. A tenant parses and stores
 * one large body at a time, because each takes many turns of the event loop. Bulk operations take their own turns, so the
 * next body need not wait for them.
 */
export function createLargeBodies(): LargeBodies {
  const { ofAll, ofTenant } = mostBodies()
  const reading = createHolders(createSlots(Array(ofAll).fill(null), { most: ofTenant }))
  const parsing = createHolders(createSlots(Array(MAX_TENANTS).fill(null), { most: 1 }))
  return {
    enter: ({ principal: { tenantId }, subject }, request) =>
      bytesToRead(request) <= MAX_UNCOUNTED_BYTES
        ? undefined
        : reading.take(subject, tenantId, request.signal).catch(() => undefined),
    turn: ({ principal: { tenantId }, store, subject }, bytes) => {
      if (bytes > MAX_UNDIVIDED_BYTES) {
        return parsing.take(subject, tenantId).then(() => store.turns.next(tenantId))
      }
      parsing.giveBack(subject)
      return store.turns.next(tenantId)
    },
    leave: (subject) => {
      reading.giveBack(subject)
      parsing.giveBack(subject)
    },
  }
}

/**
 * Returns how many bodies of all tenants, and of one, may be kept at the same time. Each is in memory several times.
 *
 * @param heap the heap's maximum size in bytes; defaults to the process's
 */
export function mostBodies(heap?: number): { readonly ofAll: number; readonly ofTenant: number } {
  const ofAll = Math.max(1, Math.floor(partOfHeap(1 / 16, 64 * BODY_LIMIT, heap) / BODY_LIMIT))
  return { ofAll, ofTenant: Math.ceil(ofAll / 4) }
}

/** Slots held by requests. */
interface Holders {
  take(subject: object, tenantId: string, signal?: AbortSignal): Promise<void>
  giveBack(subject: object): void
}

function createHolders(slots: Slots<null>): Holders {
  const turns = new WeakMap<object, Turn<null>>()
  return {
    take: async (subject, tenantId, signal) => {
      if (turns.has(subject)) return
      turns.set(subject, await slots.take(tenantId, signal))
    },
    giveBack: (subject) => {
      const turn = turns.get(subject)
      if (turn === undefined) return
      turns.delete(subject)
      slots.giveBack(turn)
    },
  }
}

/** How many bytes of a request may have to be kept. */
function bytesToRead({ headers, method }: Request): number {
  if (method === 'GET') return 0
  const length = headers.get('Content-Length')
  if (length === null) return headers.has('Transfer-Encoding') ? BODY_LIMIT : 0
  // A larger body is rejected before it is read.
  return Number(length) > BODY_LIMIT ? 0 : Number(length)
}

/** Bodies of at most this size are not counted. */
const MAX_UNCOUNTED_BYTES = 16 * 1024
/** How many tenants may parse and store a large body at the same time. */
const MAX_TENANTS = 1_000
/** A larger body takes several turns of the event loop. */
const MAX_UNDIVIDED_BYTES = 64 * 1024
