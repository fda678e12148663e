import { chunkRows, raw, sql } from '@plumbline/scim/sql'

import { type Database, insertRows, readRow } from '../database.ts'
import { rowsOf } from '../tenant-rows.ts'
import type { ChangeContent, ChangeRow } from './change-row.ts'
import { advanceFeed, type Feed, LOST_USERS, visibleTo, writeFeed } from './feed.ts'

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
  const facts = { at: now, requestId: recorded.requestId }
  const heldAfter = async (): Promise<number> =>
    Math.min(first - 1, await visibleTo(db, tenantId, feed, now))
  const groupId = await findEmptied(db, recorded, feed)
  if (groupId !== null) {
    const hold = { ...facts, reason: 'group', groupId } as const
    await writeFeed(db, tenantId, { ...feed, state: 'held', heldAfter: await heldAfter(), hold })
  } else if (isRisk && feed.position >= feed.countAt) {
    const left = await countLeft(db, tenantId, feed, now)
    const hold = { ...facts, reason: 'users', groupId: null } as const
    await writeFeed(
      db,
      tenantId,
      left < 0
        ? { ...feed, state: 'held', heldAfter: await heldAfter(), hold }
        : { ...feed, countAt: feed.position + left + 1 },
    )
  }
}

/** Finds a protected group that lost its last member. */
async function findEmptied(
  db: Database,
  { tenantId, left }: Recorded,
  { rule }: Feed,
): Promise<string | null> {
  for (const groupId of left.filter((id) => rule.protectedGroups.includes(id))) {
    if (await isEmpty(db, tenantId, groupId)) return groupId
  }
  return null
}

async function isEmpty(db: Database, tenantId: string, groupId: string): Promise<boolean> {
  const members = rowsOf(tenantId, 'group_members')
  const row = await readRow(
    db,
    sql`select 1 as one from ${members} and group_id = ${groupId} limit 1`,
  )
  return row === null
}

/**
 * Counts how many more users may lose their access; negative if too many did. A change takes access from at most one user,
 * so the users are counted again only after as many changes: otherwise each of 100,000 deactivations would count all
 * before it.
 */
async function countLeft(
  db: Database,
  tenantId: string,
  { rule, countedAfter }: Feed,
  now: number,
): Promise<number> {
  const { least, minutes, percent } = rule
  const since = now - minutes * 60_000
  const row = await readRow<{ readonly users: number; readonly deleted: number }>(
    db,
    sql`select ${raw(LOST_USERS)} from ${rowsOf(tenantId, 'changes')} and risk_at > ${since} and position > ${countedAfter}`,
  )
  const lost = row ?? { users: 0, deleted: 0 }
  if (lost.users < least) return least - 1 - lost.users
  // Counting stops where twice as many users may lose their access.
  const most = Math.floor((2 * lost.users * 100) / percent)
  const found = await readRow<{ readonly count: number }>(
    db,
    sql`select count(*) as count from (
        select 1 as one from ${rowsOf(tenantId, 'users')} limit ${most + 1}
      ) as counted`,
  )
  const users = lost.deleted + (found?.count ?? 0)
  return Math.max(least - 1, Math.floor((users * percent) / 100)) - lost.users
}
