import type { HandlersOf } from '@plumbline/openapi/server'
import type { AuthOptions } from '../auth/authenticate.ts'
import { isoTime } from '../clock.ts'
import { RESOURCE_TYPES } from '../resources/resource-types.ts'
import type { Period } from '../store/buckets.ts'
import { type Activity, readActivity } from '../store/tenants/read-activity.ts'
import { readTenant } from '../store/tenants/tenants.ts'
import type { apiDocument } from './operations.ts'
import { summaryBody } from './tenant-handlers.ts'
import type { ApiVerifiers } from './verifiers.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

/** Handler for tenant activity. */
export function activityHandlers({ store, now }: AuthOptions): Pick<ApiHandlers, 'getActivity'> {
  const running = new Map<string, Promise<Activity | null>>()
  const read = (tenantId: string, period: Period): Promise<Activity | null> => {
    const time = now()
    // Counts many rows, so other requests don't wait for it.
    return store.scan(
      async (db) => {
        if ((await readTenant(db, tenantId)) === null) return null
        return await readActivity(db, tenantId, { period, types: RESOURCE_TYPES, now: time })
      },
      { tenantId },
    )
  }
  /** Lets concurrent requests share one scan, which continues if one of their clients leaves. */
  const share = (tenantId: string, period: Period): Promise<Activity | null> => {
    const key = `${tenantId} ${period}`
    const found = running.get(key) ?? read(tenantId, period).finally(() => running.delete(key))
    running.set(key, found)
    return found
  }
  return {
    getActivity: async ({ params: { tenantId }, query: { period }, reply, problems }) => {
      const activity = await share(tenantId, period)
      if (activity === null) return problems.notFound()
      return reply(200, { step: period === 'day' ? 'hour' : 'day', ...activityBody(activity) })
    },
  }
}

function activityBody({ summary, points, lastSuccess, lastChanges, ...since }: Activity) {
  return {
    summary: summaryBody(summary),
    points: points.map(({ time, ...numbers }) => ({ time: isoTime(time), ...numbers })),
    requestsSince: isoTime(since.requestsSince),
    resourcesSince: isoTime(since.resourcesSince),
    lastSuccess: lastSuccess && { number: String(lastSuccess.id), time: isoTime(lastSuccess.time) },
    lastChanges: lastChanges.map(({ type, time, resource_id, position }) => ({
      ...{ type, time: isoTime(time), resourceId: resource_id, cursor: String(position) },
    })),
  }
}
