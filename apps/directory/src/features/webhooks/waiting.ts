import { sql } from '@plumbline/scim/internal'
import { type Database, readRow } from '../../kernel/store/database.ts'
import { rowsOf } from '../../kernel/store/tenant-rows.ts'
import type { Feed } from '../changes/feed.ts'
import type { WebhookRow } from './store.ts'

/** The changes after a webhook's position. Dropped changes leave gaps, so these are rows and not a difference of numbers. */
export interface Backlog {
  /** The first change's position; null without changes. */
  readonly next: number | null
  /** How many changes follow. Above 10,000, dropped changes are counted as well. */
  readonly count: number
}

/** Reads the changes after a webhook's position. */
export async function readBacklog(
  db: Database,
  { tenant_id, position }: Pick<WebhookRow, 'tenant_id' | 'position'>,
  feed: Pick<Feed, 'position'>,
): Promise<Backlog> {
  if (position >= feed.position) return { next: null, count: 0 }
  const row = await readRow<{ readonly next: number | null; readonly count: number }>(
    db,
    sql`select min(position) as next, count(*) as count from (
      select position from ${rowsOf(tenant_id, 'changes')} and position > ${position}
      order by position limit ${MAX_COUNTED + 1}
    ) as counted`,
  )
  const { next = null, count = 0 } = row ?? {}
  return { next, count: count > MAX_COUNTED ? feed.position - position : count }
}

const MAX_COUNTED = 10_000
