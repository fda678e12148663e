import { bindList, chunkRows, sql } from '@plumbline/scim/internal'
import { type Database, readRow, readRows } from '../../kernel/store/database.ts'
import { rowsOf } from '../../kernel/store/tenant-rows.ts'

/** The resources changed in a write that may leave a group without an active user. */
export interface Losses {
  /** The protected groups, keyed by id. */
  readonly protectedGroups: readonly string[]
  /** The groups that lost members. */
  readonly left: readonly string[]
  /** The users that lost their access. */
  readonly users: readonly string[]
}

/** Finds a protected group whose last active user was removed, deactivated or deleted, also through nested groups. */
export async function findEmptied(
  db: Database,
  tenantId: string,
  { protectedGroups, left, users }: Losses,
): Promise<string | null> {
  if (protectedGroups.length === 0 || left.length + users.length === 0) return null
  const affected = await groupsWith(db, tenantId, { protectedGroups, left, users })
  for (const groupId of affected) {
    if (!(await hasActiveUser(db, tenantId, groupId))) return groupId
  }
  return null
}

/**
 * Whether a group has an active user, also through nested groups. The cost is bounded: a group with very many members
 * or nested groups counts as one with an active user.
 */
export async function hasActiveUser(
  db: Database,
  tenantId: string,
  groupId: string,
): Promise<boolean> {
  const seen = new Set([groupId])
  let left = MAX_MEMBERS
  for (const group of seen) {
    const members = sql`${rowsOf(tenantId, 'group_members')} and group_id = ${group}`
    // One of the first members is nearly always active.
    for (const first of [FEW_MEMBERS, MAX_MEMBERS]) {
      const active = await readRow(
        db,
        sql`select 1 as one from ${rowsOf(tenantId, 'users')} and active is not false
          and id in (select member_id from ${members} order by member_id limit ${first}) limit 1`,
      )
      if (active !== null) return true
    }
    const counted = await readRow<{ readonly count: number }>(
      db,
      sql`select count(*) as count from (select 1 as one from ${members} limit ${left + 1}) as counted`,
    )
    left -= counted?.count ?? 0
    if (left < 0) return true
    const nested = await readRows<{ readonly id: string }>(
      db,
      sql`select member_id as id from ${members} and member_type = 'Group' order by member_id limit ${MAX_GROUPS}`,
    )
    for (const { id } of nested) seen.add(id)
    if (seen.size > MAX_GROUPS) return true
  }
  return false
}

/** Finds the protected groups that contain one of the resources, or are one of them. */
async function groupsWith(
  db: Database,
  tenantId: string,
  { protectedGroups, left, users }: Losses,
): Promise<ReadonlySet<string>> {
  const found = new Set(left.filter((id) => protectedGroups.includes(id)))
  const seen = new Set([...left, ...users])
  let members = [...seen]
  for (let level = 0; level < MAX_LEVELS && members.length > 0; level += 1) {
    const parents: string[] = []
    for (const some of chunkRows(members)) {
      const memberships = sql`${rowsOf(tenantId, 'group_members')} and member_id in (${bindList(some)})`
      const direct = await readRows<{ readonly id: string }>(
        db,
        sql`select distinct group_id as id from ${memberships} and group_id in (${bindList(protectedGroups)})`,
      )
      for (const { id } of direct) found.add(id)
      const others = await readRows<{ readonly id: string }>(
        db,
        sql`select distinct group_id as id from ${memberships} limit ${MAX_GROUPS}`,
      )
      for (const { id } of others) if (!seen.has(id)) parents.push(id)
    }
    members = [...new Set(parents)].slice(0, MAX_GROUPS)
    for (const id of members) seen.add(id)
  }
  return found
}

const FEW_MEMBERS = 100
const MAX_MEMBERS = 10_000
const MAX_GROUPS = 100
const MAX_LEVELS = 5
