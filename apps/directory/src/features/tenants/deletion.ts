import {
  createJob,
  type Job,
  type JobWork,
  type RepeatOptions,
  repeatWithPauses,
} from '../../kernel/jobs/background.ts'
import type { Store } from '../../kernel/store/store.ts'
import { deleteRows, listDeleted, removeTenant } from './delete-tenant.ts'
import { TENANT_TABLES } from './tables.ts'

/** Options for the deletion of tenants. */
export interface TenantDeletionOptions {
  readonly store: Store
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
  /** How often (ms) marked tenants are looked up; defaults to 5 seconds. */
  readonly interval?: number
}

/**
 * Creates the job that deletes tenants. Rows are deleted in small transactions, which take at most a fifth of the time.
 * The tenant itself is deleted last, when requests authenticated before the deletion cannot add rows any more. Every
 * process may do this at the same time. A run also ends if the database is unavailable.
 */
export function createTenantDeletion({ store, now, interval = 5_000 }: TenantDeletionOptions): Job {
  const deleteAll: JobWork = async (signal, fail, progress) => {
    const marked = await store.read(listDeleted)
    for (const { id, deleted_at } of marked) {
      const isLast = now() - (deleted_at ?? 0) >= MAX_WRITE_DELAY_MS
      // The next run tries again. A tenant whose rows cannot be deleted does not stop the others.
      await deleteTenant(store, id, { isLast, signal, progress }).catch((error) => fail(error, id))
    }
  }
  return createJob({ name: 'tenant-deletion', interval, jobs: store.jobs }, deleteAll)
}

async function deleteTenant(
  store: Store,
  tenantId: string,
  { isLast, ...options }: Omit<RepeatOptions, 'pause'> & { readonly isLast: boolean },
): Promise<void> {
  for (const table of TENANT_TABLES) {
    const step = () => store.background((db) => deleteRows(db, table, tenantId))
    await repeatWithPauses(step, { pause: PAUSE_MS, ...options })
  }
  if (isLast) await store.background((db) => removeTenant(db, TENANT_TABLES, tenantId))
}

/** A pause's length, as a multiple of the previous deletion's duration. */
const PAUSE_MS = 4
/**
 * How long (ms) after the mark a request may still add a row: its token is accepted for a second, it takes up to half a
 * minute, and the provisioning log entry is stored within a minute.
 */
const MAX_WRITE_DELAY_MS = 120_000
