import type { Load } from '../store.ts'
import { FairQueue } from './fair-queue.ts'

/** A slot assigned to one piece of work. */
export interface Turn<Slot> {
  readonly slot: Slot
  readonly tenantId: string
  /** Aborts with `RECALLED` if the tenant has more than its share of slots and another tenant waits. */
  readonly recalled: AbortSignal
  isRecalled(): boolean
  recall(): void
}

/** Assigns slots, each to one piece of work at a time. */
export interface Slots<Slot> {
  /** Waits for a free slot. Rejects with the signal's reason if it aborts. */
  take(tenantId: string, signal?: AbortSignal): Promise<Turn<Slot>>
  giveBack(turn: Turn<Slot>): void
  /** Counts the slots, the slots in use, and the waiting work. */
  counts(): Omit<Load, 'name'>
}

/** A pause, in which all slots must be free. */
export interface Pauses {
  isDue(): boolean
  /** Runs in the pause; it must not reject. */
  pause(): Promise<void>
}

/** How slots are assigned. */
export interface SlotsOptions {
  /** No pauses by default. */
  readonly pauses?: Pauses
  /** The maximum number of slots per tenant; all by default. */
  readonly most?: number
}

/** The abort reason for a recalled turn. Its work is retried in its tenant's next turn. */
export const RECALLED = new Error('another tenant waits for the slot')

/**
 * Assigns slots fairly: tenants take turns, and while others wait, a tenant holds at most half of the
 * slots. If a tenant holds more when another one starts to wait, its newest turn is recalled.
 */
export function createSlots<Slot>(
  all: readonly Slot[],
  { pauses = NO_PAUSES, most = all.length }: SlotsOptions = {},
): Slots<Slot> {
  const free = [...all]
  const running = new Set<Turn<Slot>>()
  const waiting: Waiting<Slot> = new FairQueue()
  const share = Math.min(most, Math.ceil(all.length / 2))
  let isPaused = false

  const kept = (): readonly Turn<Slot>[] => [...running].filter((turn) => !turn.isRecalled())
  const countOf = (tenantId: string): number =>
    kept().filter((turn) => turn.tenantId === tenantId).length

  const nextTenant = (): string | undefined => {
    const tenants = waiting.tenants()
    const limit = tenants.length > 1 ? share : most
    return tenants.find((tenantId) => countOf(tenantId) < limit)
  }

  const recall = (): void => {
    const without = waiting.tenants().filter((tenantId) => countOf(tenantId) === 0)
    const coming = running.size - kept().length
    for (let at = coming; at < without.length; at += 1) {
      const newest = kept().findLast((turn) => countOf(turn.tenantId) > share)
      newest?.recall()
    }
  }

  const handOut = async (): Promise<void> => {
    if (isPaused) return
    if (pauses.isDue()) {
      if (free.length < all.length) return
      isPaused = true
      await pauses.pause()
      isPaused = false
    }
    for (let tenantId = nextTenant(); tenantId !== undefined; tenantId = nextTenant()) {
      const slot = free.pop()
      if (slot === undefined) return recall()
      const turn = createTurn(slot, tenantId)
      running.add(turn)
      waiting.next(tenantId)?.(turn)
    }
  }

  return {
    take: async (tenantId, signal) => {
      const turn = waitIn(waiting, tenantId, signal)
      void handOut()
      return await turn
    },
    giveBack: (turn) => {
      running.delete(turn)
      free.push(turn.slot)
      void handOut()
    },
    counts: () => ({ running: running.size, waiting: waiting.size, limit: all.length }),
  }
}

type Waiting<Slot> = FairQueue<(turn: Turn<Slot>) => void>

/** Adds a tenant to the queue, and returns its turn. If the signal aborts, the tenant leaves the queue. */
async function waitIn<Slot>(
  queue: Waiting<Slot>,
  tenantId: string,
  signal: AbortSignal | undefined,
): Promise<Turn<Slot>> {
  signal?.throwIfAborted()
  let leave = (): void => undefined
  try {
    return await new Promise<Turn<Slot>>((resolve, reject) => {
      leave = () => {
        queue.delete(tenantId, resolve)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', leave)
      queue.add(tenantId, resolve)
    })
  } finally {
    signal?.removeEventListener('abort', leave)
  }
}

function createTurn<Slot>(slot: Slot, tenantId: string): Turn<Slot> {
  let isRecalled = false
  let recalling: AbortController | null = null
  return {
    slot,
    tenantId,
    isRecalled: () => isRecalled,
    // Most turns are look-ups, which are not recalled, and do not need the signal.
    get recalled() {
      recalling ??= new AbortController()
      if (isRecalled) recalling.abort(RECALLED)
      return recalling.signal
    },
    recall: () => {
      isRecalled = true
      recalling?.abort(RECALLED)
    },
  }
}

const NO_PAUSES: Pauses = { isDue: () => false, pause: async () => undefined }
