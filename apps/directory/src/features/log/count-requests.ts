import { raw, sql } from '@plumbline/scim/internal'
import { type Buckets, bucketOf } from '../../kernel/store/buckets.ts'
import { type Database, readRow, readRows } from '../../kernel/store/database.ts'
import { findIdAt, MAX_WRITE_DELAY_MS } from './id-at.ts'

/** A tenant's request counts over time. */
export interface RequestCounts {
  /** Each bucket's requests and errors, keyed by index. A bucket without requests is absent. */
  readonly buckets: ReadonlyMap<number, { readonly requests: number; readonly errors: number }>
  /** The oldest known request's time: older ones were deleted or not counted. Null without requests. */
  readonly since: number | null
}

/** Counts requests and errors over time, among the newest `MAX_REQUESTS`. It reads them in id order. */
export async function countRequests(
  db: Database,
  tenantId: string,
  { start, step, count }: Buckets,
): Promise<RequestCounts> {
  // Ids are nearly in time order.
  const first = await findIdAt(db, tenantId, start - MAX_WRITE_DELAY_MS)
  const rows = await readRows<Row>(
    db,
    sql`select ${bucketOf({ start, step })} as bucket,
        count(*) as requests, count(case when status >= 400 then 1 end) as errors, min(time) as oldest
      from (
        select time, status from requests where tenant_id = ${tenantId} and id >= ${first}
        order by id desc limit ${raw(String(MAX_REQUESTS))}
      ) as newest group by 1`,
  )
  const buckets = new Map<number, { requests: number; errors: number }>()
  let counted = 0
  for (const { bucket, requests, errors } of rows) {
    counted += requests
    if (bucket < 0) continue
    // Another process's clock may be ahead.
    const at = Math.min(bucket, count - 1)
    const before = buckets.get(at) ?? { requests: 0, errors: 0 }
    buckets.set(at, { requests: before.requests + requests, errors: before.errors + errors })
  }
  const oldest = Math.min(...rows.map((row) => row.oldest))
  const since = counted < MAX_REQUESTS ? await oldestTime(db, tenantId) : oldest
  return { buckets, since }
}

/** Finds a tenant's newest successful request, among the newest 1,000; or null. */
export async function findLastSuccess(
  db: Database,
  tenantId: string,
): Promise<{ readonly id: number; readonly time: number } | null> {
  return await readRow(
    db,
    sql`select id, time from (
        select id, time, status from requests where tenant_id = ${tenantId}
        order by id desc limit ${raw(String(MAX_SEARCHED))}
      ) as newest where status < 400 order by id desc limit 1`,
  )
}

interface Row {
  readonly bucket: number
  readonly requests: number
  readonly errors: number
  readonly oldest: number
}

async function oldestTime(db: Database, tenantId: string): Promise<number | null> {
  const row = await readRow<{ readonly time: number }>(
    db,
    sql`select time from requests where tenant_id = ${tenantId} order by id limit 1`,
  )
  return row?.time ?? null
}

/** How many requests are counted. Defaults to as many as the log keeps. */
const MAX_REQUESTS = 100_000
const MAX_SEARCHED = 1_000
