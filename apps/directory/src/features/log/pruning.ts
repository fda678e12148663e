import { listTenants } from '../../kernel/access/tenant-store.ts'
import { DAY, HOUR, MINUTE } from '../../kernel/durations.ts'
import { repeatWithPauses } from '../../kernel/jobs/background.ts'
import { eachTenant } from '../../kernel/jobs/each-tenant.ts'
import type { ReportFailure, ReportProgress } from '../../kernel/jobs/job-reports.ts'
import { ONE_STATEMENT, type Store } from '../../kernel/store/store.ts'
import { findIdAt } from './id-at.ts'
import { type Deletion, deleteOldest, type LogSize, readSize, sizesOf } from './request-sizes.ts'
import type { NewRequest } from './write-requests.ts'

/** How many requests are kept. */
export interface Retention {
  /** Older requests are deleted. */
  readonly days: number
  /** The maximum count per tenant. The log may exceed it by a tenth before the oldest are deleted. */
  readonly rows: number
  /** The maximum size per tenant, applied the same way; 256 MiB by default. */
  readonly bytes?: number
}

/** Options for `createPruning`. */
export interface PruningOptions extends Retention {
  readonly store: Store
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
}

/** Deletes old requests. */
export interface Pruning {
  /** Counts added rows. */
  added(rows: readonly NewRequest[]): void
  /** Deletes rows if it is due, in small transactions; resolves even if the database is unavailable. */
  run(): Promise<void>
}

/**
 * Creates the pruning for a log. Old rows are deleted once an hour, for every tenant. A tenant's log size is examined
 * at the first row, and then whenever this process has added a tenth of one limit.
 */
export function createPruning({
  store,
  now,
  days,
  rows,
  bytes = 256 * 2 ** 20,
}: PruningOptions): Pruning {
  const added = new Map<string, LogSize>()
  const due = new Set<string>()
  const isTooLarge = (size: LogSize): boolean => size.requests > rows || size.bytes > bytes
  const removeExcess = async (fail: ReportFailure, progress: ReportProgress): Promise<void> => {
    const examined = [...due]
    // A tenant that cannot be examined now is examined again after the next rows.
    due.clear()
    const deleteExcess = async (tenantId: string): Promise<void> => {
      const size = await store.read((db) => readSize(db, tenantId), ONE_STATEMENT)
      if (isTooLarge(size)) await deleteAll(store, tenantId, { isTooLarge }, progress)
    }
    await eachTenant(examined, deleteExcess, { fail })
  }
  const removeOld = createHourlyDeletion({ store, now, days })
  const removeAll = async (report: ReportFailure, progress: ReportProgress): Promise<void> => {
    // Requests without a tenant are stored under the empty id.
    const fail: ReportFailure = (error, tenantId) => report(error, tenantId || null)
    await removeExcess(fail, progress)
    await removeOld(fail, progress)
  }
  let running: Promise<void> | null = null
  return {
    added: (batch) => {
      for (const [tenantId, size] of sizesOf(batch)) {
        const before = added.get(tenantId)
        const requests = (before?.requests ?? 0) + size.requests
        const length = (before?.bytes ?? 0) + size.bytes
        const isDue = requests > rows / 10 || length > bytes / 10
        if (before === undefined || isDue) due.add(tenantId)
        added.set(tenantId, isDue ? NOTHING : { requests, bytes: length })
      }
    },
    run: () => {
      running ??= store.jobs
        .attempt('request-log-pruning', removeAll, { otherwise: undefined })
        .finally(() => {
          running = null
        })
      return running
    },
  }
}

/** Creates the function that deletes every tenant's old rows once an hour, and a minute after a failure. */
function createHourlyDeletion({ store, now, days }: Omit<PruningOptions, 'rows' | 'bytes'>) {
  let nextRun = Number.NEGATIVE_INFINITY
  return async (fail: ReportFailure, progress: ReportProgress): Promise<void> => {
    const time = now()
    if (time < nextRun) return
    nextRun = time + MINUTE
    const tenants = await store.read(listTenants)
    const deleteOld = async (tenantId: string): Promise<void> => {
      const kept = await store.read((db) => findIdAt(db, tenantId, time - days * DAY))
      await deleteAll(store, tenantId, { before: kept }, progress)
    }
    const ids = ['', ...tenants.map(({ id }) => id)]
    if (await eachTenant(ids, deleteOld, { fail })) nextRun = time + HOUR
  }
}

async function deleteAll(
  store: Store,
  tenantId: string,
  deletion: Deletion,
  progress: ReportProgress,
): Promise<void> {
  const step = () => store.background((db) => deleteOldest(db, store.dialect, tenantId, deletion))
  await repeatWithPauses(step, { pause: PAUSE_MS, progress })
}

const NOTHING: LogSize = { requests: 0, bytes: 0 }
/** A pause's length, as a multiple of the preceding deletion's duration. */
const PAUSE_MS = 20
