import type { RequestQueue } from './request-queue.ts'
import type { NewRequest } from './write-requests.ts'

/** The tenants of a queue that have batches of their own. */
export interface SeparateTenants {
  /** Returns the next batch: one tenant's if it is due, otherwise one with requests of all the others. */
  nextBatch(): readonly NewRequest[]
  /** Separates the tenants of a batch that the database did not answer. If it has only one, that tenant waits. */
  divide(batch: readonly NewRequest[]): void
  /** Lets the tenants of a stored batch share batches again. */
  join(batch: readonly NewRequest[]): void
  /** Whether a tenant's own batch is due now. */
  isOneDue(): boolean
  /** The number of tenants. */
  readonly size: number
}

/** Creates a queue's separate tenants. At first, all tenants share batches. */
export function createSeparateTenants(queue: Pick<RequestQueue, 'first'>): SeparateTenants {
  /** When each tenant's next batch is due (ms of this process). */
  const separate = new Map<string, number>()
  return {
    nextBatch: () => {
      for (const [tenantId, due] of separate) {
        if (due > performance.now()) continue
        const own = queue.first(MAX_ROWS, (row) => row.tenantId === tenantId)
        if (own.length > 0) return own
        separate.delete(tenantId)
      }
      return queue.first(MAX_ROWS, ({ tenantId }) => !separate.has(tenantId))
    },
    divide: (batch) => {
      const tenants = new Set(batch.map(({ tenantId }) => tenantId))
      for (const tenantId of tenants) {
        if (tenants.size > 1) separate.set(tenantId, performance.now())
        else if (separate.has(tenantId)) separate.set(tenantId, performance.now() + PAUSE_MS)
      }
    },
    join: (batch) => {
      for (const { tenantId } of batch) separate.delete(tenantId)
    },
    isOneDue: () => [...separate.values()].some((due) => due <= performance.now()),
    get size() {
      return separate.size
    },
  }
}

/** The most requests per transaction; clients' writes wait for it. */
const MAX_ROWS = 1_000
/** How long (ms) a tenant with batches of its own waits after one that failed. */
const PAUSE_MS = 10_000
