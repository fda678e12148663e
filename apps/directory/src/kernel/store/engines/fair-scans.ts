import type { Database } from '../database.ts'
import { ScanTimeoutError, type Store } from '../store.ts'
import { withDeadline } from './deadline.ts'
import type { Slots } from './worker-pool.ts'

/** Runs work in a slot until it ends or the signal aborts. */
export type RunScan<Slot> = <Value>(
  slot: Slot,
  work: (db: Database) => Promise<Value>,
  signal: AbortSignal,
) => Promise<Value>

/**
 * Creates a store's `scan`: fair between tenants, and limited in time, including the time in the queue. A scan
 * whose turn is recalled is retried, which is safe because it only reads.
 *
 * @param limit in milliseconds
 */
export function createFairScans<Slot>(
  slots: Pick<Slots<Slot>, 'take' | 'giveBack'>,
  run: RunScan<Slot>,
  limit: number,
): Store['scan'] {
  return (work, { signal, tenantId = '' } = {}) =>
    withDeadline({ limit, signal, error: () => new ScanTimeoutError(limit) }, async (wanted) => {
      for (;;) {
        const turn = await slots.take(tenantId, wanted)
        try {
          return await run(turn.slot, work, AbortSignal.any([wanted, turn.recalled]))
        } catch (error) {
          wanted.throwIfAborted()
          if (!turn.isRecalled()) throw error
        } finally {
          slots.giveBack(turn)
        }
      }
    })
}
