import { isFailure, unwrap } from '@plumbline/result'
import { GROUP_SCHEMA, groupResource, parseGroup, type Scim, ScimError } from '@plumbline/scim'
import type { ColumnMap } from '@plumbline/scim/data-table'
import { GROUP_DEFINITION } from '@plumbline/scim/discovery'
import { compileFilter, type Filter } from '@plumbline/scim/filter'
import { applyPatch, type Patch, planMembership } from '@plumbline/scim/patch'
import type { TableRow } from '@remix-run/data-table'
import { createId } from '../ids.ts'
import { storable, storableFolded } from './column-text.ts'
import {
  addMembers,
  changeMembers,
  groupsThatHold,
  type Member,
  memberWires,
  presentMembers,
  replaceMembers,
  sizeOfMembers,
} from './groups/members.ts'
import { leaveAllGroups } from './groups/memberships.ts'
import { requireUniqueName } from './groups/unique-names.ts'
import { allOf, conjunctsOf, equalValue, mentions } from './list/filters.ts'
import {
  isShown,
  type Listing,
  type NarrowedFilter,
  type Projection,
  type Show,
  type WireResource,
} from './list/list.ts'
import { type ListedPage, listPage } from './list/page-by-index.ts'
import { metaOf } from './meta.ts'
import { type Condition, equals, oneOf, within } from './predicates.ts'
import { lockForUpdate, type NewResource, type TenantScope } from './scope.ts'
import { MOST_IN_PAGE } from './sizes.ts'
import { groups } from './tables.ts'

/** The schema of a group. */
export const GROUP_DEFINITIONS = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }

type Row = TableRow<typeof groups>
const READ = [
  ...(['tenant_id', 'id', 'display_name', 'display_name_key', 'external_id'] as const),
  ...(['revision', 'created_at', 'last_modified'] as const),
]

/** Stores a new group with its members, who must exist. */
export async function createGroup(scope: TenantScope, group: Scim.Group): Promise<WireResource> {
  const at = scope.now
  const row = await insertGroup(scope, { id: createId(at), at, resource: group })
  await addMembers(scope, row.id, membersOf(group))
  return wireOf(row, scope, await memberWires(scope, row.id))
}

/** Stores a group with a given id and time, without members. */
export async function insertGroup(
  scope: TenantScope,
  { id, at, resource }: NewResource<Scim.Group>,
): Promise<Row> {
  const { db, tenantId, rules } = scope
  const about = { tenant_id: tenantId, id, revision: 1, created_at: at, last_modified: at }
  const row: Row = { ...about, ...columnsOf(resource) }
  if (rules.hasUniqueGroupNames) await requireUniqueName(scope, row)
  await db.create(groups, row)
  return row
}

/** Replaces a group and its members. */
export async function replaceGroup(
  scope: TenantScope,
  id: string,
  check: (current: WireResource) => void,
  group: Scim.Group,
): Promise<WireResource> {
  await lockForUpdate(scope, 'groups', id)
  const row = await rowById(scope, id)
  check(wireOf(row, scope, []))
  const changed = await replaceMembers(scope, id, membersOf(group))
  const next = await writeRow(scope, row, group, changed)
  return wireOf(next, scope, await memberWires(scope, id))
}

/**
 * Applies a PATCH to a group. If the operations only add and remove members, the other members are not
 * read, so that the cost does not depend on the size of the group.
 */
export async function patchGroup(
  scope: TenantScope,
  id: string,
  check: (current: WireResource) => void,
  operations: readonly Patch.Operation[],
): Promise<void> {
  await lockForUpdate(scope, 'groups', id)
  const row = await rowById(scope, id)
  const bare = wireOf(row, scope, [])
  check(bare)
  const plan = planMembership(operations, { tolerate: scope.rules.tolerate })
  if (plan === null) {
    await patchWhole(scope, row, operations)
    return
  }
  if (!scope.rules.tolerate.includes('remove-missing')) {
    const isMember = await presentMembers(scope, id, plan.targets.flat())
    if (!plan.targets.every((target) => target.some(isMember))) {
      throw new ScimError(400, 'members: no value matches', { scimType: 'noTarget' })
    }
  }
  const group = patched(scope, bare, plan.rest, plan.positions)
  const changed = await changeMembers(scope, id, plan)
  await writeRow(scope, row, group, changed)
}

/** Deletes a group, and removes it from the groups that contain it. */
export async function deleteGroup(
  scope: TenantScope,
  id: string,
  check: (current: WireResource) => void,
): Promise<void> {
  await lockForUpdate(scope, 'groups', id, { isLeaving: true })
  check(wireOf(await rowById(scope, id), scope, []))
  await leaveAllGroups(scope, id)
  await scope.db.deleteMany(groups, { where: key(scope, id) })
}

/** One page of groups. */
export async function listGroups(
  scope: TenantScope,
  query: Scim.ListQuery,
): Promise<ListedPage<WireResource>> {
  return await listGroupsAs(scope, query, (rows) => wiresOf(scope, rows, wantsMembers(query)))
}

/** One page of groups, each written by `show`. */
export async function listGroupsAs<Resource>(
  scope: TenantScope,
  query: Scim.ListQuery,
  show: Show<Row, Resource>,
): Promise<ListedPage<Resource>> {
  return await listPage(scope, query, LISTING, show)
}

/** Returns whether a client wants the members of groups, which need extra queries. */
export function wantsMembers(projection: Projection): boolean {
  return isShown('members', projection, GROUP_DEFINITIONS)
}

/** Applies operations that need the whole group with its members. */
async function patchWhole(
  scope: TenantScope,
  row: Row,
  operations: readonly Patch.Operation[],
): Promise<void> {
  const whole = wireOf(row, scope, await memberWires(scope, row.id))
  const group = patched(scope, whole, operations)
  const changed = await replaceMembers(scope, row.id, membersOf(group))
  await writeRow(scope, row, group, changed)
}

function patched(
  scope: TenantScope,
  wire: WireResource,
  operations: readonly Patch.Operation[],
  positions?: readonly number[],
): Scim.Group {
  const { budget, rules } = scope
  const { tolerate } = rules
  const options = { definitions: GROUP_DEFINITIONS, tolerate, positions, budget }
  const result = applyPatch(wire, operations, options)
  if (isFailure(result)) throw result.error
  const group = parseGroup(result.data)
  if (isFailure(group)) throw group.error
  return group.data
}

/** Writes the row of a group and increments its revision, if the group or its members changed. */
async function writeRow(
  scope: TenantScope,
  row: Row,
  group: Scim.Group,
  membersChanged: boolean,
): Promise<Row> {
  const columns = columnsOf(group)
  const isSame =
    columns.display_name === row.display_name && columns.external_id === row.external_id
  if (isSame && !membersChanged) return row
  const changed = {
    ...columns,
    revision: row.revision + 1,
    last_modified: Math.max(scope.now, row.last_modified),
  }
  // A PUT with the same name is not a rename: older groups may share a name.
  const isRenamed = columns.display_name_key !== row.display_name_key
  if (isRenamed && scope.rules.hasUniqueGroupNames) {
    await requireUniqueName(scope, { ...row, ...columns })
  }
  // Without the primary key: SQLite would search all members for references to the old key.
  await scope.db.updateMany(groups, changed, { where: key(scope, row.id) })
  return { ...row, ...changed }
}

/** The row of a group. Throws `404` if it does not exist. */
export async function rowById(scope: TenantScope, id: string): Promise<Row> {
  const row = await scope.db.findOne(groups, { where: key(scope, id) })
  if (row === null) throw new ScimError(404, `group ${id} not found`)
  return row as Row
}

/** As many of the first rows as fit into a page, as wire resources. */
async function wiresOf(
  scope: TenantScope,
  rows: readonly Row[],
  withMembers: boolean,
): Promise<WireResource[]> {
  if (!withMembers) return rows.map((row) => wireOf(row, scope, []))
  const wires: WireResource[] = []
  let left = MOST_IN_PAGE
  for (const row of rows) {
    const members = await memberWires(scope, row.id)
    left -= sizeOfMembers(members)
    if (left < 0 && wires.length > 0) return wires
    wires.push(wireOf(row, scope, members))
  }
  return wires
}

/** A group as a wire resource, with the given members. */
export function wireOf(
  row: Row,
  { base }: TenantScope,
  memberList: readonly WireResource[],
): WireResource {
  return {
    schemas: [GROUP_SCHEMA],
    id: row.id,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    displayName: row.display_name,
    ...(memberList.length === 0 ? {} : { members: memberList }),
    // The revision is stored, not computed: a group may have a hundred thousand members.
    meta: metaOf('Group', row, { base, version: `W/"${row.revision}"` }),
  }
}

function columnsOf({ displayName, externalId }: Scim.Group) {
  return {
    display_name: displayName,
    display_name_key: storableFolded('displayName', displayName) ?? '',
    external_id: storable('externalId', externalId),
  }
}

/** The members of a group, as wire resources. */
function membersOf(group: Scim.Group): readonly Member[] {
  const { members: sent = [] } = groupResource(group) as { readonly members?: readonly Member[] }
  return sent
}

/** Narrows `members eq`, `members.value eq` and `members[value eq … and …]` to the groups of the member. */
async function narrowByMember(
  scope: TenantScope,
  filter: Filter.Expression,
): Promise<NarrowedFilter> {
  const left: Filter.Expression[] = []
  let ids: readonly string[] | null = null
  for (const conjunct of conjunctsOf(filter)) {
    const value = equalValue(conjunct, 'members')
    if (value === null) {
      left.push(conjunct)
      continue
    }
    // A value path may also test other sub-attributes of the member.
    const holds = unwrap(
      compileFilter(conjunct, { definitions: GROUP_DEFINITIONS, budget: scope.budget }),
    )
    const held = await groupsThatHold(scope, value)
    const before: readonly string[] = ids ?? [...held.keys()]
    ids = before.filter((id) => held.has(id) && holds({ members: [held.get(id)] }))
  }
  return { where: ids && oneOf('id', ids), residual: allOf(left) }
}

function key({ tenantId }: TenantScope, id: string): Condition {
  return within(tenantId, equals('id', id))
}

const COLUMNS: ColumnMap = {
  id: 'id',
  externalId: 'external_id',
  displayName: { column: 'display_name_key', folded: true },
  'meta.created': { column: 'created_at', type: 'dateTime' },
  'meta.lastModified': { column: 'last_modified', type: 'dateTime' },
}

const SORT_COLUMNS = {
  id: 'id',
  displayname: 'display_name_key',
  'meta.created': 'created_at',
  'meta.lastmodified': 'last_modified',
}

const LISTING: Listing<Row> = {
  type: 'Group',
  table: groups,
  read: READ,
  large: null,
  sizeOf: ({ display_name, external_id }) => display_name.length + (external_id?.length ?? 0),
  select: `select ${READ.join(', ')} from groups`,
  definitions: GROUP_DEFINITIONS,
  columns: COLUMNS,
  sortColumns: SORT_COLUMNS,
  narrow: narrowByMember,
  toWire: (scope, rows, filter) =>
    wiresOf(scope, rows, filter !== null && mentions(filter, 'members')),
}
