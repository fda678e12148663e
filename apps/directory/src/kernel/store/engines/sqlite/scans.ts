import type { Store } from '../../store.ts'
import { createFairScans, type RunScan } from '../fair-scans.ts'
import { createSlots, type Pauses, type Slots } from '../worker-pool.ts'
import { type ScanThread, startScanThread } from './scan-thread.ts'
import type { ScannedFile } from './scan-worker.ts'

/** Reads a SQLite file on worker threads. */
export interface Scans {
  readonly scan: Store['scan']
  readonly counts: Slots<unknown>['counts']
  /** Waits for running scans, and ends the threads. */
  close(): Promise<void>
}

/** How a file's scans run. */
export interface ScanOptions {
  readonly pauses: Pauses
  /** A scan's time limit, in milliseconds. */
  readonly limit: number
}

/**
 * Scans a SQLite file on up to two threads, each with one scan at a time. A thread starts with the first scan, and is
 * kept. In a pause, no thread reads the file.
 */
export function createScans(file: ScannedFile, { pauses, limit }: ScanOptions): Scans {
  const all: readonly Slot[] = Array.from({ length: MAX_THREADS }, () => ({ thread: null }))
  const pause = async (): Promise<void> => {
    // A scan's result is returned before its transaction has ended.
    await Promise.all(all.map(({ thread }) => thread?.ended()))
    await pauses.pause()
  }
  const slots = createSlots(all, { pauses: { ...pauses, pause } })
  const run: RunScan<Slot> = async (slot, work, signal) => {
    signal.throwIfAborted()
    if (!slot.thread?.isAlive()) slot.thread = startScanThread(file)
    return await slot.thread.scan(work, signal)
  }
  const scan = createFairScans(slots, run, limit)
  let isClosed = false
  return {
    scan: async (work, options) => {
      if (isClosed) throw new Error('the database is closed')
      return await scan(work, options)
    },
    counts: slots.counts,
    close: async () => {
      isClosed = true
      await Promise.all(all.map(() => slots.take('')))
      await Promise.all(all.map(({ thread }) => thread?.close()))
    },
  }
}

/** A slot for a scan; it starts a thread with the first scan. */
interface Slot {
  thread: ScanThread | null
}

const MAX_THREADS = 2
