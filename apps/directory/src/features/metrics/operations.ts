import { defineOperation } from '@plumbline/openapi'
import { get } from '@remix-run/fetch-router/routes'
import { z } from 'zod'
import { COMMON_PROBLEMS } from '../../shell/api/problems.ts'

/** The route for metrics. */
export const metricsRoutes = { getMetrics: get('/metrics') }

/** The operation that prints the metrics. */
export const metricsOperations = {
  getMetrics: defineOperation('getMetrics', metricsRoutes.getMetrics, {
    summary: 'Read the metrics for Prometheus',
    description:
      'Counts and durations of requests by route, waiting work, connections, the provisioning log, deliveries to webhooks, memory and the event loop. They are those of the process that answers.',
    tags: ['operations'],
    responses: {
      200: {
        description: 'The text format of Prometheus',
        body: { 'text/plain; version=0.0.4; charset=utf-8': z.string() },
      },
    },
    problems: [...COMMON_PROBLEMS],
  }),
}
