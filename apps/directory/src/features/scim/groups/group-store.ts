import { project, type Scim } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import type { View } from '@plumbline/scim/endpoint'
import { fitsWithin, sql } from '@plumbline/scim/internal'
import type { ElementTable } from '@plumbline/scim/sql'
import { insertRows, updateRows } from '../../../kernel/store/database.ts'
import { MAX_PAGE_BYTES } from '../../../kernel/store/sizes.ts'
import { type AttributeColumns, filterColumns, sortColumns } from '../attribute-columns.ts'
import {
  createExtensionColumn,
  EXTENSIONS_SIZE,
  requireKnownExtensions,
} from '../extension-column.ts'
import { mentions } from '../list/filters.ts'
import {
  compileShown,
  type ListedPage,
  type Listing,
  type Projection,
  type ResourceView,
  type WireResource,
} from '../list/list.ts'
import { narrow } from '../list/narrow.ts'
import { listPage } from '../list/page-by-index.ts'
import type { Lock, ResourceStore } from '../resource-store.ts'
import { identityOf, keyOf, lockForUpdate, type NewResource, type TenantScope } from '../scope.ts'
import type { GroupRow } from './group-rows.ts'
import {
  GROUP_COLUMNS,
  type GroupType,
  groupColumns,
  groupLocation,
  groupRowById,
  groupVersion,
  groupWire,
  newGroupRow,
  restoredOf,
} from './group-rows.ts'
import {
  addMembers,
  changeMembers,
  type Member,
  memberWires,
  presentMembers,
  replaceMembers,
  sizeOfMembers,
} from './members.ts'
import { findHolders, leaveAllGroups } from './memberships.ts'
import { viewsWithMembers, viewWithMembers } from './stream-members.ts'
import { requireUniqueName } from './unique-names.ts'

/** Describes the directory's groups. */
export interface GroupResources extends Omit<GroupType, 'column'> {
  /** The definitions whose attributes are in the column `extensions`; none by default. */
  readonly extensions?: readonly Discovery.SchemaDefinition[]
  readonly columns: AttributeColumns
  /** The database's sort columns for required attributes, keyed by attribute in lower case. */
  readonly sorted: Readonly<Record<string, string>>
}

/** A store that can also insert groups without members, as `npm run seed` does. */
export interface GroupStore extends ResourceStore {
  /** Stores a group without members, with a given id and time. */
  insert(scope: TenantScope, made: NewResource<WireResource>): Promise<GroupRow>
}

/**
 * Creates the group store. Members are separate rows: they are read only if a client wants them, and changed
 * without reading the others.
 */
export function createGroupStore(resources: GroupResources): GroupStore {
  const column = createExtensionColumn(resources.name, resources.extensions ?? [])
  const type = { ...resources, column }
  const listing = listingOf(type)
  const isLarge = compileShown('members', type.definitions)
  const show = async (scope: TenantScope, row: GroupRow, projection: Projection) =>
    isLarge(projection)
      ? await viewWithMembers(scope, type, row, projection)
      : viewOf(row, scope, type, projection)
  return {
    isLarge,
    insert: (scope, made) => insert(scope, type, made),
    create: (scope, content) => create(scope, type, content),
    read: async (scope, id, projection, isWanted) => {
      const row = await groupRowById(scope, id)
      return isWanted(groupVersion(row))
        ? await show(scope, row, projection)
        : viewOf(row, scope, type, projection)
    },
    readForUpdate: (scope, ...rest) => readForUpdate(scope, type, ...rest),
    replace: async (scope, id, content, { current, view }) => {
      const row = await replace(scope, type, id, { current, content })
      return await show(scope, row, view)
    },
    delete: remove,
    findMembers: async (scope, id, values) => {
      const isMember = await presentMembers(scope, id, values)
      return values.filter(isMember)
    },
    findHolders,
    changeMembers: async (scope, id, plan, { current, resource }) => {
      const changed = await changeMembers(scope, id, plan)
      await writeRow(scope, type, rowOf(current), { content: resource, membersChanged: changed })
    },
    list: (scope, query) => list(scope, type, query, listing, isLarge(query)),
  }
}

/** Stores a new group with its members, who must exist. */
async function create(
  scope: TenantScope,
  type: GroupType,
  content: WireResource,
): Promise<WireResource> {
  const row = await insert(scope, type, { ...identityOf(scope), resource: content })
  await addMembers(scope, row.id, membersIn(content))
  return groupWire(row, scope, type, await memberWires(scope, row.id))
}

async function insert(
  scope: TenantScope,
  type: GroupType,
  made: NewResource<WireResource>,
): Promise<GroupRow> {
  const row = newGroupRow(scope, type, made)
  if (scope.rules.hasUniqueGroupNames) await requireUniqueName(scope, row)
  await insertRows(scope.db, 'groups', [row])
  return row
}

/** Locks a group until the transaction ends, and reads it; its members only if the write needs them. */
async function readForUpdate(
  scope: TenantScope,
  type: GroupType,
  id: string,
  view: View,
  lock?: Lock,
): Promise<WireResource> {
  const row = await lockedRow(scope, id, lock)
  requireKnownExtensions(type.column, row)
  const members = view.needs('members') ? await memberWires(scope, id) : []
  const wire = groupWire(row, scope, type, members)
  ROWS.set(wire, row)
  return wire
}

/** Replaces a group and its members. */
async function replace(
  scope: TenantScope,
  type: GroupType,
  id: string,
  { current, content }: { readonly current: WireResource; readonly content: WireResource },
): Promise<GroupRow> {
  const membersChanged = await replaceMembers(scope, id, membersIn(content))
  return await writeRow(scope, type, rowOf(current), { content, membersChanged })
}

/** Returns the row of a group read for an update. */
function rowOf(current: WireResource): GroupRow {
  const row = ROWS.get(current)
  if (row === undefined) throw new TypeError('the group was not read for an update')
  return row
}

/** Deletes a group, and removes it from the groups that contain it. */
async function remove(scope: TenantScope, id: string): Promise<void> {
  await lockedRow(scope, id, { isLeaving: true })
  await leaveAllGroups(scope, id)
  await scope.db.exec(sql`delete from groups where ${keyOf(scope, id)}`)
}

async function list(
  scope: TenantScope,
  type: GroupType,
  query: Scim.ListQuery,
  listing: Listing<GroupRow>,
  withMembers: boolean,
): Promise<ListedPage<ResourceView>> {
  return await listPage(scope, query, listing, async (rows) =>
    withMembers
      ? await viewsWithMembers(scope, type, rows, query)
      : rows.map((row) => viewOf(row, scope, type, query)),
  )
}

/** Locks a group until the transaction ends. */
async function lockedRow(scope: TenantScope, id: string, lock?: Lock): Promise<GroupRow> {
  await lockForUpdate(scope, 'groups', id, lock)
  return await groupRowById(scope, id)
}

/** A group's attributes after a change, and whether its members have changed. */
interface GroupChange {
  readonly content: WireResource
  readonly membersChanged: boolean
}

/** Writes a group's row and increments its revision, if the group or its members changed. */
async function writeRow(
  scope: TenantScope,
  type: GroupType,
  row: GroupRow,
  { content, membersChanged }: GroupChange,
): Promise<GroupRow> {
  const columns = groupColumns(type, content)
  const isSame =
    columns.display_name === row.display_name &&
    columns.external_id === row.external_id &&
    columns.extensions === row.extensions
  const restored = restoredOf(row, scope)
  if (isSame && !membersChanged && restored === undefined) return row
  const changed = {
    ...columns,
    revision: restored?.revision ?? row.revision + 1,
    last_modified: restored?.lastModified ?? Math.max(scope.now, row.last_modified),
  }
  // A PUT with the same name is not a rename: older groups may share a name.
  const isRenamed = columns.display_name_key !== row.display_name_key
  if (isRenamed && scope.rules.hasUniqueGroupNames) {
    await requireUniqueName(scope, { ...row, ...columns })
  }
  // Without the primary key: SQLite would search all members for references to the old key.
  await updateRows(scope.db, 'groups', changed, keyOf(scope, row.id))
  return { ...row, ...changed }
}

/** A group without its members. */
function viewOf(
  row: GroupRow,
  scope: TenantScope,
  type: GroupType,
  projection: Projection,
): ResourceView {
  const wire = groupWire(row, scope, type, [])
  const body = project(wire, projection, type.definitions)
  return {
    body,
    size: MAX_ROW_BYTES + (row.extensions?.length ?? 0),
    version: groupVersion(row),
    location: groupLocation(row, scope, type),
  }
}

/** Converts as many of the first rows as fit into a page to wire resources. */
async function wiresOf(
  scope: TenantScope,
  type: GroupType,
  rows: readonly GroupRow[],
  withMembers: boolean,
): Promise<WireResource[]> {
  if (!withMembers) return rows.map((row) => groupWire(row, scope, type, []))
  const wires: WireResource[] = []
  const fits = fitsWithin(MAX_PAGE_BYTES)
  for (const row of rows) {
    const members = await memberWires(scope, row.id)
    if (!fits(sizeOfMembers(members))) return wires
    wires.push(groupWire(row, scope, type, members))
  }
  return wires
}

/** Returns the members in a group's attributes. */
function membersIn({ members }: WireResource): readonly Member[] {
  return Array.isArray(members) ? members : []
}

function listingOf(type: GroupResources & GroupType): Listing<GroupRow> {
  const { name, definitions, sorted, column } = type
  const filtered = { columns: { ...filterColumns(type.columns), members: MEMBERS } }
  return {
    type: name,
    table: 'groups',
    read: GROUP_COLUMNS,
    // Without extensions, a page or search cannot contain enough groups for their sizes to matter.
    large: column === null ? null : 'extensions',
    sizeSql: EXTENSIONS_SIZE,
    sizeOf: ({ extensions }) => extensions?.length ?? 0,
    definitions,
    sortColumns: sortColumns(sorted),
    narrow: (scope, filter) => narrow(scope, filter, filtered),
    toWire: (scope, rows, filter) =>
      wiresOf(scope, type, rows, filter !== null && mentions(filter, 'members')),
  }
}

/** The table for filters on members. */
const MEMBERS: ElementTable = {
  table: 'group_members',
  on: { tenant_id: 'tenant_id', group_id: 'id' },
  columns: {
    value: { column: 'member_id', folded: true },
    type: { column: 'member_type', caseExact: false },
    display: { column: 'display', caseExact: false },
  },
  indexed: ['value'],
}
/** Maps a group read for an update to its row. */
const ROWS = new WeakMap<WireResource, GroupRow>()
/** The maximum length of a group's JSON without its members, in bytes. */
const MAX_ROW_BYTES = 8_000
