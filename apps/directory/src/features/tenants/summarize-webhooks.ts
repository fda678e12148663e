import { sql } from '@plumbline/scim/internal'
import { type Database, readRow } from '../../kernel/store/database.ts'
import { rowsOf } from '../../kernel/store/tenant-rows.ts'
import { type Feed, visibleTo } from '../changes/feed.ts'

/** Whether a tenant's changes reach its webhooks. */
export interface WebhookSummary {
  /** The webhooks whose receiver has not accepted the last delivery. */
  readonly failing: number
  /** The webhooks the directory has disabled, not an administrator. */
  readonly stopped: number
  /** The time of the oldest change that waits for an enabled webhook; or null. */
  readonly oldestChangeAt: number | null
}

/** Summarizes a tenant's webhooks. Changes that wait for an administrator do not wait for a webhook. */
export async function summarizeWebhooks(
  db: Database,
  tenantId: string,
  { feed, now }: { readonly feed: Feed; readonly now: number },
): Promise<WebhookSummary> {
  const row = await readRow<{
    readonly failing: number
    readonly stopped: number
    readonly behind: number | null
  }>(
    db,
    sql`select
        count(case when disabled_at is null and failing_since is not null then 1 end) as failing,
        count(case when disabled_reason <> ${'administrator'} then 1 end) as stopped,
        min(case when disabled_at is null then position end) as behind
      from ${rowsOf(tenantId, 'webhooks')}`,
  )
  const { failing = 0, stopped = 0, behind = null } = row ?? {}
  const isBehind = behind !== null && behind < feed.position
  return {
    failing,
    stopped,
    oldestChangeAt: isBehind ? await timeAfter(db, tenantId, { feed, behind, now }) : null,
  }
}

/** Returns the time of the first change after a position, if consumers see it. */
async function timeAfter(
  db: Database,
  tenantId: string,
  { feed, behind, now }: { readonly feed: Feed; readonly behind: number; readonly now: number },
): Promise<number | null> {
  const end = await visibleTo(db, tenantId, feed, now)
  const row = await readRow<{ readonly time: number }>(
    db,
    sql`select time from ${rowsOf(tenantId, 'changes')}
      and position > ${behind} and position <= ${end} order by position limit 1`,
  )
  return row?.time ?? null
}
