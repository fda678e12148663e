import { sql } from '@plumbline/scim/internal'
import { type Database, readRows } from '../../../kernel/store/database.ts'
import { rowsOf } from '../../../kernel/store/tenant-rows.ts'

/** A page of a group's members. */
export interface MembersQuery {
  readonly tenantId: string
  readonly groupId: string
  /** Only members whose id is greater; all by default. */
  readonly after?: string | undefined
  /** How many members to read. */
  readonly count: number
}

/** A group member, with its resource's name. */
export interface ListedMember {
  readonly id: string
  readonly type: string
  readonly display: string | null
  /** A user's userName in lower case, or a group's displayName; null if the resource has been deleted. */
  readonly name: string | null
}

/** Reads a group's members, ordered by id; null if the group does not exist. Each page costs the same. */
export async function listMembers(
  db: Database,
  { tenantId, groupId, after = '', count }: MembersQuery,
): Promise<readonly ListedMember[] | null> {
  const group = sql`select id from ${rowsOf(tenantId, 'groups')} and id = ${groupId}`
  if ((await readRows(db, group)).length === 0) return null
  return await readRows<ListedMember>(
    db,
    sql`select member_id as id, member_type as type, display,
        coalesce(
          (select user_name_key from ${rowsOf(tenantId, 'users')} and users.id = member_id),
          (select display_name from ${rowsOf(tenantId, 'groups')} and groups.id = member_id)
        ) as name
      from ${rowsOf(tenantId, 'group_members')} and group_id = ${groupId} and member_id > ${after}
      order by member_id limit ${count}`,
  )
}
