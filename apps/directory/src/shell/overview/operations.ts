import { defineOperation } from '@plumbline/openapi'
import { createRoutes, get } from '@remix-run/fetch-router/routes'
import { z } from 'zod'
import { changeCursor } from '../../features/changes/operations.ts'
import { TenantSummary } from '../../features/tenants/operations.ts'
import { PERIODS } from '../../kernel/store/buckets.ts'
import { COMMON_PROBLEMS } from '../api/problems.ts'
import { countsOf, tenantId } from '../api/schemas.ts'

/** Routes for tenant activity. */
export const activityRoutes = createRoutes('/api/tenants/:tenantId/activity', {
  getActivity: get('/'),
})

const time = z.iso.datetime()
const number = z.int().nullable()

const Activity = z
  .object({
    summary: TenantSummary,
    step: z.enum(['hour', 'day']),
    points: z
      .array(
        z.object({
          time: time.meta({ description: 'When the hour or day (UTC) started' }),
          requests: number.meta({ description: 'Null before `requestsSince`' }),
          errors: number.meta({ description: 'How many of the requests were rejected' }),
          resources: countsOf(number).meta({
            description:
              'How many resources of each type there were at its end. Null before `resourcesSince`',
          }),
        }),
      )
      .meta({ description: 'The oldest is first. The last one has not ended yet.' }),
    requestsSince: time.nullable().meta({
      description:
        'The time of the oldest request that the log has, or of the oldest of the newest 100,000. Null without requests.',
    }),
    resourcesSince: time.nullable().meta({
      description:
        'The resources are calculated back from the present numbers with the newest 100,000 changes, without those that an administrator dropped. Before this time, they are not known. Null if all changes were counted.',
    }),
    lastSuccess: z.object({ number: z.string(), time }).nullable().meta({
      description: 'The newest request that succeeded, among the newest 1,000',
    }),
    lastChanges: z
      .array(z.object({ type: z.string(), time, resourceId: z.string(), cursor: changeCursor }))
      .meta({
        description:
          'The newest change of each kind, the newest kind first, among the newest 100,000',
      }),
  })
  .meta({ id: 'Activity' })

/** Operations for tenant activity. */
export const activityOperations = {
  getActivity: defineOperation('getActivity', activityRoutes.getActivity, {
    summary: 'Read what happened in a tenant',
    description:
      'The requests and errors of each hour or day, the resources at its end, and the newest change of each kind.',
    tags: ['tenants'],
    params: z.object({ tenantId }),
    query: z.strictObject({
      period: z
        .enum(PERIODS)
        .default('day')
        .meta({ description: '`day` has 24 hours, `week` 7 days, and `month` 30 days' }),
    }),
    responses: { 200: { description: 'The activity', body: Activity } },
    problems: [...COMMON_PROBLEMS, 'notFound'],
  }),
}
