import { listTenants } from '../../kernel/access/tenant-store.ts'
import type { ReportFailure } from '../../kernel/jobs/job-reports.ts'
import { isTransient } from '../../kernel/store/faults.ts'
import { ONE_STATEMENT, type Store } from '../../kernel/store/store.ts'
import { within } from '../../kernel/store/within.ts'
import { type DueWebhook, findDueOfTenant, findDueWebhooks } from './store.ts'

/** Finds the webhooks with changes to deliver at a time, in milliseconds since 1970. Reports what cannot be read. */
export type DueSearch = (now: number, fail: ReportFailure) => Promise<readonly DueWebhook[]>

/**
 * Creates the search for due webhooks. One statement finds those of all tenants. While it fails, such as because a node
 * is down or hangs, each tenant is queried separately, and failing tenants are left out.
 */
export function createDueSearch(store: Store, elapsed = () => performance.now()): DueSearch {
  /** When all tenants, or a tenant, are asked again. */
  let allAfter = Number.NEGATIVE_INFINITY
  const tenantsAfter = new Map<string, number>()

  const findOfTenant = async (
    tenantId: string,
    now: number,
    fail: ReportFailure,
  ): Promise<readonly DueWebhook[]> => {
    if (elapsed() < (tenantsAfter.get(tenantId) ?? Number.NEGATIVE_INFINITY)) return []
    const options = { ...ONE_STATEMENT, tenantId }
    const pause = (): void => void tenantsAfter.set(tenantId, elapsed() + PAUSE_MS)
    try {
      const due = await within(MAX_ALONE_MS, (signal) =>
        store.read((db) => findDueOfTenant(db, tenantId, now), { ...options, signal }),
      )
      // Tenants without webhooks are not asked at each search.
      if (due === null) pause()
      return due ?? []
    } catch (error) {
      fail(error, tenantId)
      pause()
      return []
    }
  }

  const findApart = async (now: number, fail: ReportFailure): Promise<readonly DueWebhook[]> => {
    const tenants = (await store.read(listTenants)).map(({ id }) => id)
    const found: DueWebhook[] = []
    const work = async (): Promise<void> => {
      for (let id = tenants.shift(); id !== undefined; id = tenants.shift()) {
        found.push(...(await findOfTenant(id, now, fail)))
      }
    }
    await Promise.all(Array.from({ length: MAX_TOGETHER }, work))
    return found
  }

  return async (now, fail) => {
    if (elapsed() < allAfter) return await findApart(now, fail)
    try {
      const due = await within(MAX_TOGETHER_MS, (signal) =>
        store.read((db) => findDueWebhooks(db, now), { ...ONE_STATEMENT, signal }),
      )
      tenantsAfter.clear()
      return due
    } catch (error) {
      if (!isTransient(error)) throw error
      fail(error)
      allAfter = elapsed() + PAUSE_MS
      return await findApart(now, fail)
    }
  }
}

/** How long (ms) the search may take for all tenants, and for one. */
const MAX_TOGETHER_MS = 5_000
const MAX_ALONE_MS = 1_000
/** How long (ms) after a failure the next attempt is made. */
const PAUSE_MS = 30_000
const MAX_TOGETHER = 2
