import { bindList, sql } from '@plumbline/scim/internal'
import { type Buckets, bucketOf } from '../../kernel/store/buckets.ts'
import type { FeedName } from '../../kernel/store/cursor.ts'
import { type Database, readRow, readRows } from '../../kernel/store/database.ts'
import { rowsOf } from '../../kernel/store/tenant-rows.ts'
import type { ChangeRow } from './change-row.ts'
import { readFeed } from './feed.ts'

/** A tenant's changes by kind and time, including the waiting ones. */
export interface ChangeCounts {
  readonly counts: readonly ChangeCount[]
  /** The newest change of each kind. */
  readonly newest: readonly LastChange[]
  /** The time of the oldest counted change, if older ones exist; null if all were counted. */
  readonly since: number | null
}

/** How many changes of a kind are in a bucket. */
export interface ChangeCount {
  readonly type: string
  readonly bucket: number
  readonly count: number
}

/** The newest change of a kind. */
export type LastChange = Pick<ChangeRow, 'type' | 'position' | 'time' | 'resource_id'> &
  Pick<FeedName, 'epoch'>

/** Counts changes by kind and time, among the newest `MAX_CHANGES`. It reads them in position order. */
export async function countChanges(
  db: Database,
  tenantId: string,
  { start, step, count }: Buckets,
): Promise<ChangeCounts> {
  const { position, deletedTo, epoch } = await readFeed(db, tenantId)
  const after = Math.max(deletedTo, position - MAX_CHANGES)
  const range = sql`${rowsOf(tenantId, 'changes')} and position > ${after}`
  const rows = await readRows<Row>(
    db,
    sql`select type, ${bucketOf({ start, step })} as bucket,
        count(*) as count, max(position) as last
      from ${range} group by 1, 2`,
  )
  const counts = rows
    .filter(({ bucket }) => bucket >= 0)
    // Another process's clock may be ahead.
    .map((row) => ({ type: row.type, count: row.count, bucket: Math.min(row.bucket, count - 1) }))
  const oldest = await readRow<{ readonly time: number }>(
    db,
    sql`select time from ${range} order by position limit 1`,
  )
  return {
    counts,
    newest: (await findNewest(db, tenantId, rows)).map((row) => ({ ...row, epoch })),
    since: after === 0 ? null : (oldest?.time ?? start + step * count),
  }
}

interface Row extends ChangeCount {
  readonly last: number
}

async function findNewest(
  db: Database,
  tenantId: string,
  rows: readonly Row[],
): Promise<readonly Omit<LastChange, 'epoch'>[]> {
  if (rows.length === 0) return []
  const last = new Map<string, number>()
  for (const row of rows) last.set(row.type, Math.max(row.last, last.get(row.type) ?? 0))
  return await readRows(
    db,
    sql`select type, position, time, resource_id from ${rowsOf(tenantId, 'changes')}
      and position in (${bindList([...last.values()])}) order by position desc`,
  )
}

/** The maximum number of counted changes. */
const MAX_CHANGES = 100_000
