import { createJob, type Job } from '../kernel/jobs/background.ts'
import { engineFor } from '../kernel/store/open.ts'
import type { Store } from '../kernel/store/store.ts'
import { TYPED } from '../kernel/typed-commands.ts'
import { type ProcessEntry, processEntry } from '../shell/observe/request-log.ts'

/** Options for `checkHistory`. */
export interface HistoryOptions {
  readonly store: Store
  /** The database's URL. */
  readonly url: string
  readonly log: (entry: ProcessEntry) => void
}

/**
 * Writes a line of the log if the database is not the one that servers have written last. Returns the job to continue
 * this, because a standby may take over under a running server. The job also records how far the database is.
 */
export async function checkHistory({ store, url, log }: HistoryOptions): Promise<Job> {
  const history = await engineFor(url).history(url)
  let told: string | null = null
  const check = async (): Promise<void> => {
    const found = await history.check(store)
    if (found !== null && found !== told) log(processEntry(adviceFor(found), {}))
    told = found
    await history.record(store)
  }
  const job = createJob({ name: 'history', interval: INTERVAL, jobs: store.jobs }, check)
  // The other jobs have written before they ended.
  const close = async (): Promise<void> => {
    await job.close()
    await store.jobs.attempt('history', () => history.record(store), { otherwise: undefined })
  }
  await job.run()
  return { ...job, close }
}

function adviceFor(found: string): string {
  return `This is ${found}. If newer changes may be lost, stop every server and run ${TYPED.option} --restored: otherwise consumers miss changes.`
}

/** In milliseconds. */
const INTERVAL = 5_000
