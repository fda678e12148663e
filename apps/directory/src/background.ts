import { setTimeout } from 'node:timers/promises'

/** Repeats work in the background. */
export interface Job {
  /** Runs now, and at each interval. */
  start(): void
  /** Runs now. A call during a run returns that run. */
  run(): Promise<void>
  /** Stops after the current transaction. Another process, or the next start, continues. */
  close(): Promise<void>
}

/** Creates a job. The work must not reject. It ends early when the signal aborts. */
export function createJob(work: (signal: AbortSignal) => Promise<void>, interval: number): Job {
  const closing = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  const run = (): Promise<void> => {
    running ??= work(closing.signal).finally(() => {
      running = null
    })
    return running
  }
  return {
    start: () => {
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
