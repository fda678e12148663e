import { createJob, type Job } from '../kernel/jobs/background.ts'
import type { Store } from '../kernel/store/store.ts'
import { reasonOf } from './exit.ts'

/** Creates the job that lets a read-only process notice the migration of a newer version. */
export function createFenceWatch({ ping, jobs }: Pick<Store, 'ping' | 'jobs'>): Job {
  return createJob({ name: 'newest-migration', interval: INTERVAL, jobs }, async () => await ping())
}

/**
 * When a newer version has migrated the database, prints one line, ends the jobs, and calls `finish` later. The process
 * then exits with code 1.
 */
export function stopWhenOutdated(
  { outdated }: Pick<Store, 'outdated'>,
  jobs: readonly Job[],
  finish: () => Promise<void>,
): void {
  const stop = (): void => {
    // A service that is restarted starts the new version, if it is installed.
    process.exitCode = 1
    console.error(`The directory stops: ${reasonOf(outdated.reason)}. ${ADVICE}`)
    for (const job of jobs) void job.close()
    setTimeout(() => void finish(), NOTICE).unref()
  }
  if (outdated.aborted) stop()
  else outdated.addEventListener('abort', stop, { once: true })
}

const ADVICE = 'Start the new version instead, or keep this process stopped.'
/** How often (ms) the newest migration is read. */
const INTERVAL = 5_000
/** How long (ms) the process answers reads, and that it is not ready, so a load balancer uses the other processes. */
const NOTICE = 10_000
