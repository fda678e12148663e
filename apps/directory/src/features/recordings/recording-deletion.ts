import { DAY, HOUR } from '../../kernel/durations.ts'
import {
  createJob,
  type Job,
  type JobWork,
  repeatWithPauses,
} from '../../kernel/jobs/background.ts'
import type { Store } from '../../kernel/store/store.ts'
import { deleteRecording, listOldRecordings } from './store.ts'

/** Options for `createRecordingDeletion`. */
export interface RecordingDeletionOptions {
  readonly store: Store
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  /** Older recordings are deleted. */
  readonly days: number
  /** How often (ms) old recordings are looked up; defaults to once an hour. */
  readonly interval?: number
}

/**
 * Creates the deletion job for recordings older than the provisioning log's retention. Their requests are deleted in
 * small transactions. Every process may do this at the same time.
 */
export function createRecordingDeletion({
  store,
  now,
  days,
  interval = HOUR,
}: RecordingDeletionOptions): Job {
  const deleteOld: JobWork = async (signal, _, progress) => {
    const before = now() - days * DAY
    const old = await store.read((db) => listOldRecordings(db, before))
    for (const { tenant_id, id } of old) {
      const step = () => store.background((db) => deleteRecording(db, tenant_id, id))
      await repeatWithPauses(step, { pause: PAUSE_MS, signal, progress })
    }
  }
  return createJob({ name: 'recording-deletion', interval, jobs: store.jobs }, deleteOld)
}

/** A pause's length, as a multiple of the preceding deletion's duration. */
const PAUSE_MS = 20
