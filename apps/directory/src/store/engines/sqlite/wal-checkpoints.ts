import { statSync } from 'node:fs'
import type { Pauses } from '../worker-pool.ts'
import { LONG_LOG } from './sqlite-file.ts'

/**
 * The pauses that keep the log of a SQLite file from growing without end: it begins anew only once all of
 * it has been copied into the file, and nobody reads of it. Where one scan always begins before another
 * ends, that would never be.
 */
export function createLogPauses(path: string, checkpoint: () => Promise<void>): Pauses {
  /** The size at which the next pause is due. */
  let due = LONG_LOG
  return {
    isDue: () => {
      const { size = 0 } = statSync(`${path}-wal`, { throwIfNoEntry: false }) ?? {}
      due = Math.min(due, size + LONG_LOG)
      return size > due
    },
    pause: async () => {
      // What cannot be copied now, such as to a disk that is full, is still read from the log.
      await checkpoint().catch(() => undefined)
      // Where another process reads of it, the log may go on: the next pause is not due at once.
      due = Number.POSITIVE_INFINITY
    },
  }
}
