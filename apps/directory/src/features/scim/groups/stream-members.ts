import { project } from '@plumbline/scim'
import { fitsWithin, stringifyWithList } from '@plumbline/scim/internal'
import { MAX_GROUP_BYTES, MAX_PAGE_BYTES, tooLarge } from '../../../kernel/store/sizes.ts'
import { JsonPieces, type Projection, type ResourceView, type WireResource } from '../list/list.ts'
import type { TenantScope } from '../scope.ts'
import type { GroupRow } from './group-rows.ts'
import { type GroupType, groupLocation, groupVersion, groupWire } from './group-rows.ts'
import { eachMemberPage } from './members.ts'

/**
 * Returns a group with its members as JSON pieces, at most 64 MiB, so the members are never all in memory as
 * objects.
 */
export async function viewWithMembers(
  scope: TenantScope,
  type: GroupType,
  row: GroupRow,
  projection: Projection,
): Promise<ResourceView> {
  const wire = groupWire(row, scope, type, [])
  const show = (group: WireResource) => project(group, projection, type.definitions)
  const lists: string[] = []
  let size = 0
  await eachMemberPage(scope, row.id, (members) => {
    // Only the members, because extensions may be large.
    const { members: shown } = show({ schemas: wire.schemas, id: wire.id, members })
    if (shown === undefined) return
    const list = JSON.stringify(shown)
    size += list.length
    if (size > MAX_GROUP_BYTES) throw tooLarge('the group with its members', MAX_GROUP_BYTES)
    lists.push(list)
  })
  const bare = show(wire)
  const pieces =
    lists.length === 0 ? [JSON.stringify(bare)] : stringifyWithList(bare, 'members', lists)
  const body = new JsonPieces(pieces)
  return {
    body,
    size: body.length,
    version: groupVersion(row),
    location: groupLocation(row, scope, type),
  }
}

/** As many of the first groups as fit into a page, with their members. */
export async function viewsWithMembers(
  scope: TenantScope,
  type: GroupType,
  rows: readonly GroupRow[],
  projection: Projection,
): Promise<readonly ResourceView[]> {
  const views: ResourceView[] = []
  const fits = fitsWithin(MAX_PAGE_BYTES)
  for (const row of rows) {
    const view = await viewWithMembers(scope, type, row, projection)
    if (!fits(view.size)) return views
    views.push(view)
  }
  return views
}
