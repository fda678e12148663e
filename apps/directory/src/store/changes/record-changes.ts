import { chunkRows, raw, sql } from '@plumbline/scim/sql'

import { type Database, insertRows, readRow } from '../database.ts'
import { rowsOf } from '../tenant-rows.ts'
import type { ChangeContent, ChangeRow } from './change-row.ts'
import { advanceFeed, type Feed, type Hold, LOST_USERS, visibleTo, writeFeed } from './feed.ts'

/** A write's changes, and their client. */
export interface Recorded {
  readonly tenantId: string
  readonly tokenId: string | null
  readonly requestId: string
  /** Milliseconds since 1970. */
  readonly now: number
  readonly contents: readonly ChangeContent[]
  /** The groups that lost members. */
  readonly left: readonly string[]
}

/** Stores changes in the transaction of their write, and holds them if they exceed the tenant's rule. */
export async function recordChanges(db: Database, recorded: Recorded): Promise<void> {
  const { tenantId, contents, now } = recorded
  const bytes = contents.reduce((sum, content) => sum + content.bytes, 0)
  const feed = await advanceFeed(db, tenantId, { count: contents.length, bytes })
  const first = feed.position - contents.length + 1
  const isRisk = contents.some((content) => content.isRisk)
  // When a deleted user leaves its groups, those changes wait with the user.
  const releases_at = isRisk && feed.rule.delay > 0 ? now + feed.rule.delay * 1_000 : null
  const rows = contents.map((content, at): ChangeRow => {
    const { isRisk: isRisky, ...columns } = content
    const facts = { tenant_id: tenantId, token_id: recorded.tokenId, time: now, releases_at }
    return { ...columns, ...facts, position: first + at, risk_at: isRisky ? now : null }
  })
  for (const some of chunkRows(rows)) await insertRows(db, 'changes', some)
  if (feed.state !== 'active') return
  const hold = await findHold(db, recorded, feed, isRisk)
  if (hold === null) return
  const heldAfter = Math.min(first - 1, await visibleTo(db, tenantId, feed, now))
  await writeFeed(db, tenantId, { ...feed, state: 'held', heldAfter, hold })
}

/** Why the changes exceed the rule; null if they do not. */
async function findHold(
  db: Database,
  { tenantId, requestId, now, left }: Recorded,
  { rule, countedAfter }: Feed,
  isRisk: boolean,
): Promise<Hold | null> {
  const facts = { at: now, requestId }
  for (const groupId of left.filter((id) => rule.protectedGroups.includes(id))) {
    if (await isEmpty(db, tenantId, groupId)) return { ...facts, reason: 'group', groupId }
  }
  const isHeld = isRisk && (await exceedsRule(db, tenantId, { rule, countedAfter, now }))
  return isHeld ? { ...facts, reason: 'users', groupId: null } : null
}

async function isEmpty(db: Database, tenantId: string, groupId: string): Promise<boolean> {
  const members = rowsOf(tenantId, 'group_members')
  const row = await readRow(
    db,
    sql`select 1 as one from ${members} and group_id = ${groupId} limit 1`,
  )
  return row === null
}

/** Whether too many users lost their access. */
async function exceedsRule(
  db: Database,
  tenantId: string,
  { rule, countedAfter, now }: Pick<Feed, 'rule' | 'countedAfter'> & { readonly now: number },
): Promise<boolean> {
  const since = now - rule.minutes * 60_000
  const lost = await readRow<{ readonly users: number; readonly deleted: number }>(
    db,
    sql`select ${raw(LOST_USERS)} from ${rowsOf(tenantId, 'changes')} and risk_at > ${since} and position > ${countedAfter}`,
  )
  if (lost === null || lost.users < rule.least) return false
  // If there are more users than this, the share is small enough.
  const most = Math.floor((lost.users * 100) / rule.percent)
  const row = await readRow<{ readonly count: number }>(
    db,
    sql`select count(*) as count from (
        select 1 as one from ${rowsOf(tenantId, 'users')} limit ${most + 1}
      ) as counted`,
  )
  const users = lost.deleted + (row?.count ?? 0)
  return lost.users * 100 > users * rule.percent
}
