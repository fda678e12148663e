import type { JobState } from '../kernel/jobs/job-reports.ts'

/** A part of the server that is closed. */
export interface ShutdownStep {
  /** The part's name in the log. */
  readonly name: string
  close(): Promise<void>
}

/** Options for `shutDown`. */
export interface ShutdownOptions {
  /** How long (ms) all steps may take. */
  readonly limit: number
  /** Receives a part that cannot be closed. The next parts are closed nevertheless. */
  readonly failed: (name: string, error: unknown) => void
  /** Receives the parts that are not closed after the time limit. Must end the process. */
  readonly giveUp: (hanging: readonly string[]) => void
}

/**
 * Closes the parts of the server one after another. A database that doesn't answer, or code that was loaded with
 * `--import`, must not keep the process running, so it ends after a time limit.
 */
export async function shutDown(
  steps: readonly ShutdownStep[],
  { limit, failed, giveUp }: ShutdownOptions,
): Promise<void> {
  const open = steps.map(({ name }) => name)
  // The timer doesn't keep the process running. It ends one that something else keeps running.
  setTimeout(() => giveUp(open.length === 0 ? [FOREIGN] : open), limit).unref()
  for (const { name, close } of steps) {
    await close().catch((error: unknown) => failed(name, error))
    open.shift()
  }
}

/** Adds the jobs that are running to the parts that are not closed. */
export function withJobs(hanging: readonly string[], jobs: readonly JobState[]): readonly string[] {
  const running = jobs.filter((state) => state.running > 0)
  return [...hanging, ...running.map(({ job }) => `job ${job}`)]
}

const FOREIGN = 'code outside of the directory'
