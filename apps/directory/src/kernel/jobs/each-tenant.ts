import type { ReportFailure } from './job-reports.ts'

/** Options for `eachTenant`. */
export interface EachTenantOptions {
  /** Reports a failed tenant. */
  readonly fail: ReportFailure
  readonly signal?: AbortSignal
}

/**
 * Runs background work for each tenant in turn, and returns whether all succeeded. A tenant whose work fails, such as
 * while its node is down, is reported and does not stop the others. Rejects if the signal aborts.
 */
export async function eachTenant(
  tenantIds: Iterable<string>,
  work: (tenantId: string) => Promise<unknown>,
  { fail, signal }: EachTenantOptions,
): Promise<boolean> {
  let succeeded = true
  for (const tenantId of tenantIds) {
    signal?.throwIfAborted()
    try {
      await work(tenantId)
    } catch (error) {
      succeeded = false
      fail(error, tenantId)
    }
  }
  return succeeded
}
