import { raw, sql } from '@plumbline/scim/internal'
import { type Database, readRow } from '../../kernel/store/database.ts'
import { rowsOf } from '../../kernel/store/tenant-rows.ts'
import type { ChangeRow } from '../changes/change-row.ts'
import { type Feed, type Hold, LOST_USERS } from '../changes/feed.ts'
import { hasActiveUser } from './protected-groups.ts'

/**
 * Counts how many more users may lose their access; negative if too many did. A change takes access from at most one user,
 * so the users are counted again only after as many changes: otherwise each of 100,000 deactivations would count all
 * before it.
 */
export async function countLeft(
  db: Database,
  tenantId: string,
  { rule, countedAfter }: Feed,
  now: number,
): Promise<number> {
  const since = now - rule.minutes * 60_000
  const lost = await readRow<LostUsers>(
    db,
    sql`select ${raw(LOST_USERS)} from ${rowsOf(tenantId, 'changes')} and risk_at > ${since} and position > ${countedAfter}`,
  )
  return await leftAfter(db, tenantId, rule, lost ?? { users: 0, deleted: 0 })
}

/**
 * Returns why the changes of a paused connection are held when it becomes active, or null. Consumers would see all of
 * them together, so they count together, however long the pause was. Changes that are not stored cannot be counted,
 * so they are held.
 */
export async function holdOfWaiting(
  db: Database,
  tenantId: string,
  feed: Feed,
  now: number,
): Promise<Hold | null> {
  const after = feed.heldAfter ?? feed.position
  if (after === feed.position) return null
  const risky = sql`${rowsOf(tenantId, 'changes')} and position > ${after} and risk_at is not null`
  const lost = await readRow<LostUsers & { readonly changes: number }>(
    db,
    sql`select count(*) as changes, ${raw(LOST_USERS)} from (
        select resource_id, type from ${risky} order by position limit ${MAX_COUNTED + 1}
      ) as counted`,
  )
  const { changes = 0, ...counts } = lost ?? { users: 0, deleted: 0 }
  const isUncounted = changes > MAX_COUNTED || feed.storedTo !== null
  const isTooMany = isUncounted || (await leftAfter(db, tenantId, feed.rule, counts)) < 0
  const reason = isTooMany ? 'users' : 'group'
  const groupId = isTooMany ? null : await findEmpty(db, tenantId, feed)
  if (!isTooMany && groupId === null) return null
  const last = await readRow<Pick<ChangeRow, 'change'>>(
    db,
    isTooMany && changes > 0
      ? sql`select change from ${risky} order by position desc limit 1`
      : sql`select change from ${rowsOf(tenantId, 'changes')} and position > ${after} order by position desc limit 1`,
  )
  const { requestId = '' }: { readonly requestId?: string } = JSON.parse(last?.change ?? '{}')
  return { reason, at: now, requestId, groupId }
}

interface LostUsers {
  readonly users: number
  readonly deleted: number
}

/** Returns how many more users may lose their access after some have; negative if too many did. */
async function leftAfter(
  db: Database,
  tenantId: string,
  { least, percent }: Feed['rule'],
  lost: LostUsers,
): Promise<number> {
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

async function findEmpty(db: Database, tenantId: string, { rule }: Feed): Promise<string | null> {
  for (const groupId of rule.protectedGroups) {
    if (!(await hasActiveUser(db, tenantId, groupId))) return groupId
  }
  return null
}

/** More changes than these are held without counting their users. */
const MAX_COUNTED = 20_000
