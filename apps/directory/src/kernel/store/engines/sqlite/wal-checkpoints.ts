import { statSync } from 'node:fs'
import type { JobReports } from '../../../jobs/job-reports.ts'
import type { Pauses } from '../worker-pool.ts'
import { LONG_LOG } from './sqlite-file.ts'

/** Options for `createLogPauses`. */
export interface LogPausesOptions {
  readonly checkpoint: () => Promise<void>
  readonly jobs: JobReports
}

/**
 * Pauses scans before a SQLite file's log grows without limit. The log restarts only after a checkpoint has
 * copied all of it while no connection reads it. Without pauses, overlapping scans could prevent that forever.
 */
export function createLogPauses(path: string, { checkpoint, jobs }: LogPausesOptions): Pauses {
  /** The size at which the next pause is due. */
  let due = LONG_LOG
  return {
    isDue: () => {
      const { size = 0 } = statSync(`${path}-wal`, { throwIfNoEntry: false }) ?? {}
      due = Math.min(due, size + LONG_LOG)
      return size > due
    },
    pause: async () => {
      // If the checkpoint fails, such as on a full disk, readers still use the log.
      await jobs.attempt('checkpoints', checkpoint, { otherwise: undefined })
      // If another process reads the log, it may keep growing: the next pause is not due immediately.
      due = Number.POSITIVE_INFINITY
    },
  }
}
