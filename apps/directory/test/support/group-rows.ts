import { chunkRows } from '@plumbline/scim/internal'
import type { TenantScope } from '../../src/features/scim/scope.ts'
import { insertRows } from '../../src/kernel/store/database.ts'

/** Stores groups directly, so that their names and members may be larger than a request. */
export async function storeGroups(
  { db, tenantId }: TenantScope,
  ids: readonly string[],
  display_name = 'g',
): Promise<void> {
  const common = { display_name, display_name_key: 'g', external_id: null, revision: 1 }
  const rows = ids.map((id) => ({
    ...common,
    tenant_id: tenantId,
    id,
    created_at: 0,
    last_modified: 0,
  }))
  for (const some of chunkRows(rows)) await insertRows(db, 'groups', some)
}

/** A member of a group to store. */
export interface Membership {
  readonly group: string
  readonly member: string
  readonly display?: string
}

/** Stores members directly; they need not exist. */
export async function storeMembers(
  { db, tenantId }: TenantScope,
  memberships: readonly Membership[],
): Promise<void> {
  const rows = memberships.map(({ group, member, display = null }) => ({
    tenant_id: tenantId,
    group_id: group,
    member_id: member,
    member_type: 'User',
    display,
  }))
  for (const some of chunkRows(rows)) await insertRows(db, 'group_members', some)
}

/** Ids of groups, in their order. */
export function groupIds(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `g${String(at).padStart(5, '0')}`)
}
