import type { Load } from '../store.ts'
import { FairQueue } from './fair-queue.ts'
import { RunningTurns } from './running-turns.ts'
import { createTurn, type Turn } from './turn.ts'

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
  /** The maximum number of slots per tenant; defaults to all. */
  readonly most?: number
}

/**
 * Assigns slots fairly: tenants take turns, and while others wait, a tenant holds at most half of the slots. If a
 * tenant holds more when another one starts to wait, the newest turn is recalled. All tenants whose turns are slow,
 * such as those on a database node that hangs, together hold at most half of the slots.
 */
export function createSlots<Slot>(
  all: readonly Slot[],
  { pauses = NO_PAUSES, most = all.length }: SlotsOptions = {},
): Slots<Slot> {
  const free = [...all]
  const running = new RunningTurns<Slot>()
  const waiting: Waiting<Slot> = new FairQueue()
  const share = Math.min(most, Math.ceil(all.length / 2))
  let isPaused = false

  const nextTenant = (): string | undefined => {
    const limit = waiting.tenantCount > 1 ? share : most
    const areMostlySlow = running.areMostlySlow(share, waiting.tenants())
    for (const tenantId of waiting.tenants()) {
      if (areMostlySlow && running.isSlow(tenantId)) continue
      if (running.countOf(tenantId) < limit) return tenantId
    }
    return undefined
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
      if (slot === undefined) return recallFor(waiting, running, share)
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

/**
 * Recalls the newest turns of tenants that hold more than a share of the slots: one turn for each waiting tenant
 * without a slot, less the turns that are recalled already.
 */
function recallFor<Slot>(waiting: Waiting<Slot>, running: RunningTurns<Slot>, share: number): void {
  const kept = running.keptTurns()
  let missing = kept.length - running.size
  for (const tenantId of waiting.tenants()) if (running.countOf(tenantId) === 0) missing += 1
  for (const turn of kept) {
    if (missing <= 0) return
    if (running.countOf(turn.tenantId) <= share) continue
    running.recall(turn)
    missing -= 1
  }
}

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

const NO_PAUSES: Pauses = { isDue: () => false, pause: async () => undefined }
