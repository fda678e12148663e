import { setTimeout } from 'node:timers/promises'
import type { JobName, JobReports, ReportFailure } from './job-reports.ts'

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
  /** Where its failures are reported. */
  readonly jobs: JobReports
}

/** Creates a job. A failure is reported, and the next run tries again. The work ends early when the signal aborts. */
export function createJob(
  { name, interval, jobs }: JobOptions,
  work: (signal: AbortSignal, fail: ReportFailure) => Promise<void>,
): Job {
  const closing = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  const run = (): Promise<void> => {
    const { signal } = closing
    running ??= jobs
      .attempt(name, (fail) => work(signal, fail), { otherwise: undefined, signal })
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

/**
 * Repeats a step until it returns false. Most time is left to requests: a pause lasts `pause` times as long as the
 * preceding step.
 */
export async function repeatWithPauses(
  step: () => Promise<boolean>,
  { pause, signal }: { readonly pause: number; readonly signal?: AbortSignal },
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    const started = performance.now()
    if (!(await step())) return
    const options = signal === undefined ? { ref: false } : { ref: false, signal }
    await setTimeout((performance.now() - started) * pause, undefined, options)
  }
}
