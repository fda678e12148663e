import type { HandlersOf } from '@plumbline/openapi/server'
import type { ApiVerifiers } from '../../shell/api/verifiers.ts'
import type { apiDocument } from '../../shell/operations.ts'
import type { Metrics } from './metrics.ts'

/** The server part that counts requests. */
export interface MetricsSources {
  readonly metrics: Metrics
}

/** The handler for metrics. */
export function metricsHandlers({
  metrics,
}: MetricsSources): Pick<HandlersOf<typeof apiDocument, ApiVerifiers>, 'getMetrics'> {
  return { getMetrics: async ({ reply }) => reply(200, await metrics.print()) }
}
