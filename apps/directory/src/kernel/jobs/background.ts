import { setTimeout } from 'node:timers/promises'
import type { JobName } from './job-names.ts'
import type { JobReports, ReportFailure, ReportProgress } from './job-reports.ts'

/** Repeats work in the background. */
export interface Job {
  /** Runs now, and at each interval. */
  start(): void
  /** Runs now. A call during a run returns that run. */
  run(): Promise<void>
  /** Stops after the current transaction. Another process, or the next start, continues. */
  close(): Promise<void>
}

/** Options for `createJob`. */
export interface JobOptions {
  readonly name: JobName
  /** How often (ms) the job runs. */
  readonly interval: number
  /** Where failures are reported. */
  readonly jobs: JobReports
}

/** A run of a job. It ends early when the signal aborts. */
export type JobWork = (
  signal: AbortSignal,
  fail: ReportFailure,
  progress: ReportProgress,
) => Promise<void>

/** Creates a job. A failure is reported, and the next run tries again. */
export function createJob({ name, interval, jobs }: JobOptions, work: JobWork): Job {
  const closing = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  const run = (): Promise<void> => {
    const { signal } = closing
    running ??= jobs
      .attempt(name, (fail, progress) => work(signal, fail, progress), {
        otherwise: undefined,
        signal,
      })
      .finally(() => {
        running = null
      })
    return running
  }
  return {
    start: () => {
      jobs.schedule(name, interval)
      void run()
      timer = setInterval(run, interval).unref()
    },
    run,
    close: async () => {
      clearInterval(timer)
      closing.abort()
      await running
    },
  }
}

/** Options for `repeatWithPauses`. */
export interface RepeatOptions {
  /** A pause's length, as a multiple of the preceding step's duration. */
  readonly pause: number
  readonly signal?: AbortSignal
  /** Called after each step. */
  readonly progress?: ReportProgress
}

/**
 * Repeats a step until it returns false. Most time is left to requests: a pause lasts `pause` times as long as the
 * preceding step.
 */
export async function repeatWithPauses(
  step: () => Promise<boolean>,
  { pause, signal, progress }: RepeatOptions,
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    const started = performance.now()
    if (!(await step())) return
    progress?.()
    const options = signal === undefined ? { ref: false } : { ref: false, signal }
    await setTimeout((performance.now() - started) * pause, undefined, options)
  }
}
