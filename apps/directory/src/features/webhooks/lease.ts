import { type LeaseRow, readLease, writeLease } from '../../kernel/store/leases.ts'
import type { Store } from '../../kernel/store/store.ts'

/** The right to do some work, which one process holds. */
export interface Lease {
  /** Takes or renews the lease if it is due. Returns whether this process has it. */
  renew(): Promise<boolean>
  /** Whether this process has the lease, as far as it knows without the database. */
  isHeld(): boolean
  /** Frees the lease, so another process need not wait. */
  release(): Promise<void>
}

/** Options for `createLease`. */
export interface LeaseOptions {
  readonly store: Store
  readonly name: string
  /** Returns milliseconds from a clock that is never set, and keeps counting while the process is stopped. */
  readonly elapsed?: () => number
}

/**
 * Creates a lease. A process takes it after the holder has not renewed it for 20 seconds. Each process measures these
 * seconds with its own clock, because two machines' clocks may differ.
 */
export function createLease({
  store,
  name,
  elapsed = () => performance.now(),
}: LeaseOptions): Lease {
  const holder = crypto.randomUUID()
  let read: LeaseRow | null | undefined
  /** When the row was first seen in the current form; for the holder, when the last renewal started. */
  let since = 0
  let checked = Number.NEGATIVE_INFINITY
  const isOwn = () => read?.holder === holder
  const isHeld = () => isOwn() && elapsed() - since < OWN_TERM
  const write = async (next: string): Promise<void> => {
    const last = read ?? null
    const isWritten = await store.write((db) => writeLease(db, name, next, last))
    read = isWritten ? { holder: next, beat: (last?.beat ?? 0) + 1 } : undefined
  }
  return {
    isHeld,
    renew: async () => {
      const started = elapsed()
      if (started - checked < INTERVAL) return isHeld()
      checked = started
      const row = await store.read((db) => readLease(db, name))
      if (read === undefined || row?.holder !== read?.holder || row?.beat !== read?.beat) {
        since = started
      }
      read = row
      const isFree = row === null || row.holder === '' || elapsed() - since >= TERM
      if (!isOwn() && !isFree) return false
      await write(holder)
      since = started
      return isHeld()
    },
    release: async () => {
      if (isOwn()) await write('')
      read = undefined
    },
  }
}

/** How often (ms) the lease is renewed, and how often other processes look it up. */
const INTERVAL = 5_000
/** How long (ms) a process keeps the lease after the last renewal. */
const TERM = 20_000
/** The holder itself stops earlier, because the renewal may not have been stored. */
const OWN_TERM = 15_000
