import { raw, sql } from '@plumbline/scim/internal'
import { beforeAll, expect, it } from 'vitest'
import { createTenant } from '../../../src/features/tenants/store.ts'
import { DAY } from '../../../src/kernel/durations.ts'
import { RESOURCE_TYPES } from '../../../src/kernel/resources/resource-types.ts'
import { readActivity } from '../../../src/shell/overview/read-activity.ts'
import { useSqliteStore } from '../../support/sqlite-store.ts'

const { storeOf } = useSqliteStore()
const NOW = Date.parse('2026-11-22T12:30:00Z')
/** A request and a change every 20 seconds, in 31 days. The directory counts 100,000 of them. */
const STEP = 20_000
const ROWS = 133_920

beforeAll(async () => {
  const series = `(with recursive g (i) as (select 1 union all select i + 1 from g where i < ${ROWS}) select i from g)`
  const time = `${NOW} - (${ROWS} - i) * ${STEP}`
  await storeOf().write(async (db) => {
    await createTenant(db, { id: 'busy', name: 'Busy', created_at: 0 })
    await db.exec(
      raw(`insert into requests (tenant_id, id, time, status, entry)
        select 'busy', i, ${time}, case i % 4 when 0 then 409 else 200 end, '{}' from ${series}`),
    )
    await db.exec(
      raw(`insert into changes (tenant_id, position, time, type, resource_id, change, bytes)
        select 'busy', i, ${time}, case i % 2 when 0 then 'user.deleted' else 'user.created' end,
          'u', '{}', 200 from ${series}`),
    )
    await db.exec(sql`update change_feeds set position = ${ROWS} where tenant_id = 'busy'`)
  })
})

const read = (period: 'day' | 'week' | 'month') =>
  storeOf().read((db) => readActivity(db, 'busy', { period, types: RESOURCE_TYPES, now: NOW }))

it('the activity after more than 100,000 requests and changes starts at the oldest counted one', async () => {
  const { points = [], requestsSince, resourcesSince } = (await read('month')) ?? {}
  const oldest = NOW - 99_999 * STEP
  expect([requestsSince, resourcesSince]).toEqual([oldest, oldest])
  expect(points).toHaveLength(30)
  expect(points[0]).toMatchObject({
    requests: null,
    errors: null,
    resources: { User: null, Group: null },
  })
  expect(points[10]).toMatchObject({
    requests: DAY / STEP,
    errors: DAY / STEP / 4,
    resources: { User: expect.any(Number) },
  })
})

it("a busy tenant's activity is complete in a shorter period", async () => {
  const { points = [], requestsSince } = (await read('week')) ?? {}
  expect(requestsSince).toBeLessThan(points[0]?.time ?? 0)
  expect(points.slice(0, 6).map(({ requests }) => requests)).toEqual(Array(6).fill(DAY / STEP))
})
