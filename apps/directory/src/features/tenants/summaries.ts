import { isTransient } from '../../kernel/store/faults.ts'
import type { Store } from '../../kernel/store/store.ts'
import { within } from '../../kernel/store/within.ts'
import { type CountedType, summarizeTenants, type TenantSummary } from './summarize-tenants.ts'

/** The resource types to count, and the time. Aborting the signal stops the counting. */
export interface SummaryOptions {
  readonly types: readonly CountedType[]
  readonly now: number
  readonly signal: AbortSignal
}

/**
 * Summarizes tenants, in their order. If that fails, each is summarized separately, and null is returned for unreadable
 * ones, such as while their node is down.
 */
export async function summarizeEach(
  store: Store,
  tenantIds: readonly string[],
  { types, now, signal }: SummaryOptions,
): Promise<readonly (TenantSummary | null)[]> {
  const summarize = (ids: readonly string[], limit: number) =>
    within(
      limit,
      // The counts read many rows, so other requests don't wait for them.
      (ending) => store.scan((db) => summarizeTenants(db, ids, { types, now }), { signal: ending }),
      signal,
    )
  try {
    return await summarize(tenantIds, MAX_TOGETHER_MS)
  } catch (error) {
    signal.throwIfAborted()
    if (!isTransient(error)) throw error
  }
  const summaries: (TenantSummary | null)[] = tenantIds.map(() => null)
  const end = performance.now() + MAX_APART_MS
  const waiting = [...tenantIds.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, id] = next
      const limit = Math.min(MAX_ALONE_MS, end - performance.now())
      if (limit <= 0) return
      const found = await summarize([id], limit).catch(() => [])
      summaries[at] = found[0] ?? null
    }
  }
  await Promise.all(Array.from({ length: MAX_TOGETHER }, work))
  signal.throwIfAborted()
  return summaries
}

/** How long (ms) all tenants may take together, each of them, and the second attempt at all. */
const MAX_TOGETHER_MS = 10_000
const MAX_ALONE_MS = 1_000
const MAX_APART_MS = 5_000
/** A node that hangs must not hold every connection for scans. */
const MAX_TOGETHER = 2
