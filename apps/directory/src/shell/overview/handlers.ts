import type { HandlersOf } from '@plumbline/openapi/server'
import { summaryBody } from '../../features/tenants/handlers.ts'
import { readTenant } from '../../features/tenants/store.ts'
import type { AuthOptions } from '../../kernel/access/authenticate.ts'
import { isoTime } from '../../kernel/clock.ts'
import { RESOURCE_TYPES } from '../../kernel/resources/resource-types.ts'
import type { Period } from '../../kernel/store/buckets.ts'
import { writeCursor } from '../../kernel/store/cursor.ts'
import type { TenantRow } from '../../kernel/store/tables.ts'
import type { ApiVerifiers } from '../api/verifiers.ts'
import type { apiDocument } from '../operations.ts'
import { type Activity, readActivity } from './read-activity.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

/** Handler for tenant activity. */
export function activityHandlers({ store, now }: AuthOptions): Pick<ApiHandlers, 'getActivity'> {
  const running = new Map<string, Promise<ReadActivity | null>>()
  const read = (tenantId: string, period: Period): Promise<ReadActivity | null> => {
    const time = now()
    // Counts many rows, so other requests don't wait for it.
    return store.scan(
      async (db) => {
        const tenant = await readTenant(db, tenantId)
        const options = { period, types: RESOURCE_TYPES, now: time }
        const activity = tenant && (await readActivity(db, tenantId, options))
        return tenant && activity && { tenant, now: time, ...activity }
      },
      { tenantId },
    )
  }
  /** Lets concurrent requests share one scan, which continues if one of their clients leaves. */
  const share = (tenantId: string, period: Period): Promise<ReadActivity | null> => {
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

/** A tenant's activity at a time. */
interface ReadActivity extends Activity {
  readonly tenant: TenantRow
  readonly now: number
}

function activityBody({ summary, points, lastSuccess, lastChanges, ...facts }: ReadActivity) {
  return {
    summary: summaryBody(facts.tenant, summary, facts.now),
    points: points.map(({ time, ...numbers }) => ({ time: isoTime(time), ...numbers })),
    requestsSince: isoTime(facts.requestsSince),
    resourcesSince: isoTime(facts.resourcesSince),
    lastSuccess: lastSuccess && { number: String(lastSuccess.id), time: isoTime(lastSuccess.time) },
    lastChanges: lastChanges.map(({ type, time, resource_id, position, epoch }) => ({
      type,
      time: isoTime(time),
      resourceId: resource_id,
      cursor: writeCursor({ epoch }, position),
    })),
  }
}
