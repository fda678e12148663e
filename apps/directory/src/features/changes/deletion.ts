import { listTenants } from '../../kernel/access/tenant-store.ts'
import { DAY } from '../../kernel/durations.ts'
import {
  createJob,
  type Job,
  type JobWork,
  repeatWithPauses,
} from '../../kernel/jobs/background.ts'
import { eachTenant } from '../../kernel/jobs/each-tenant.ts'
import type { Store } from '../../kernel/store/store.ts'
import { deleteOldChanges } from './feed.ts'

/** Options for `createChangeDeletion`. */
export interface ChangeDeletionOptions {
  readonly store: Store
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  /** Older changes are deleted. */
  readonly days: number
  /** The most bytes kept per tenant. */
  readonly bytes: number
  /** How often (ms) old changes are looked up; defaults to ten minutes. */
  readonly interval?: number
}

/** Creates the job that deletes old changes, in small transactions. Every process may run it at the same time. */
export function createChangeDeletion({
  store,
  now,
  days,
  bytes,
  interval = 600_000,
}: ChangeDeletionOptions): Job {
  const deleteOld: JobWork = async (signal, fail, progress) => {
    const since = now() - days * DAY
    const ids = (await store.read(listTenants)).map(({ id }) => id)
    const deleteOf = async (id: string): Promise<void> => {
      const step = () => store.background((db) => deleteOldChanges(db, id, { since, bytes }))
      await repeatWithPauses(step, { pause: PAUSE_MS, signal, progress })
    }
    await eachTenant(ids, deleteOf, { fail, signal })
  }
  return createJob({ name: 'change-deletion', interval, jobs: store.jobs }, deleteOld)
}

/** A pause's length, as a multiple of the preceding deletion's duration. */
const PAUSE_MS = 20
