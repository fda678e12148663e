import { type Database, rawSql } from '@remix-run/data-table'
import { readRows } from '../tables.ts'

/** A page of the members of a group. */
export interface MembersQuery {
  readonly tenantId: string
  readonly groupId: string
  /** Only members whose id is greater; all by default. */
  readonly after?: string | undefined
  /** How many members to read. */
  readonly count: number
}

/** A member of a group, with the name of its resource. */
export interface ListedMember {
  readonly id: string
  readonly type: string
  readonly display: string | null
  /** The userName of a user in lower case, or the displayName of a group; null if the resource has been deleted. */
  readonly name: string | null
}

/** Reads members of a group in the order of their ids; null if the group does not exist. Each page costs the same. */
export async function listMembers(
  db: Database,
  { tenantId, groupId, after = '', count }: MembersQuery,
): Promise<readonly ListedMember[] | null> {
  const group = 'select id from groups where tenant_id = ? and id = ?'
  if ((await readRows(db, rawSql(group, [tenantId, groupId]))).length === 0) return null
  return await readRows<ListedMember>(db, rawSql(PAGE, [tenantId, groupId, after, count]))
}

const PAGE = `
  select page.member_id as id, page.member_type as type, page.display as display,
    coalesce(users.user_name_key, groups.display_name) as name
  from (
    select tenant_id, member_id, member_type, display from group_members
    where tenant_id = ? and group_id = ? and member_id > ?
    order by member_id limit ?
  ) as page
  left join users on users.tenant_id = page.tenant_id and users.id = page.member_id
  left join groups on groups.tenant_id = page.tenant_id and groups.id = page.member_id
  order by page.member_id`
