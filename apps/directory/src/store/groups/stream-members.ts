import { type Scim, stringifyWithList } from '@plumbline/scim'
import { listGroupsAs, rowById, wireOf } from '../groups.ts'
import type { WireResource } from '../list/list.ts'
import type { ListedPage } from '../list/page-by-index.ts'
import type { TenantScope } from '../scope.ts'
import { MOST_IN_GROUP, MOST_IN_PAGE, tooLarge } from '../sizes.ts'
import { eachMemberPage } from './members.ts'

/** Projects a group, or a group with some of its members, to the attributes that the client wants. */
type Show = (wire: WireResource) => WireResource

/** Options for reading a group in pieces. */
export interface PiecesOptions {
  /** Whether the client wants the members of this version of the group. */
  readonly isWanted: (wire: WireResource) => boolean
  readonly show: Show
}

/** A group without its members, and its JSON with them; null if the members are not wanted. */
export interface GroupInPieces {
  readonly wire: WireResource
  readonly pieces: readonly string[] | null
}

/**
 * Reads a group as pieces of JSON, so that its members are never in memory as objects all together. The
 * pieces are null if the members are not wanted.
 */
export async function readGroupInPieces(
  scope: TenantScope,
  id: string,
  { isWanted, show }: PiecesOptions,
): Promise<GroupInPieces> {
  const wire = wireOf(await rowById(scope, id), scope, [])
  return { wire, pieces: isWanted(wire) ? await piecesOf(scope, wire, show) : null }
}

/** One page of groups, each as JSON with its members. */
export async function listGroupsInPieces(
  scope: TenantScope,
  query: Scim.ListQuery,
  show: Show,
): Promise<ListedPage<string>> {
  return await listGroupsAs(scope, query, async (rows) => {
    const groups: string[] = []
    let left = MOST_IN_PAGE
    for (const row of rows) {
      const wire = wireOf(row, scope, [])
      const text = (await piecesOf(scope, wire, show)).join('')
      left -= text.length
      if (left < 0 && groups.length > 0) return groups
      groups.push(text)
    }
    return groups
  })
}

/** The JSON of a group, at most 64 MiB. */
async function piecesOf(
  scope: TenantScope,
  wire: WireResource,
  show: Show,
): Promise<readonly string[]> {
  const lists: string[] = []
  let left = MOST_IN_GROUP
  await eachMemberPage(scope, String(wire.id), (members) => {
    const { members: shown = [] } = show({ ...wire, members })
    const list = JSON.stringify(shown)
    left -= list.length
    if (left < 0) throw tooLarge('the group with its members', MOST_IN_GROUP)
    if (list !== '[]') lists.push(list)
  })
  const group = show(wire)
  return lists.length === 0 ? [JSON.stringify(group)] : stringifyWithList(group, 'members', lists)
}
