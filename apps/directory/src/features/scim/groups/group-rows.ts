import { GROUP_SCHEMA, ScimError } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import { raw, sql } from '@plumbline/scim/internal'
import { storable, storableFolded } from '../../../kernel/store/column-text.ts'
import { readRow } from '../../../kernel/store/database.ts'
import type { ExtensionColumn } from '../extension-column.ts'
import type { WireResource } from '../list/list.ts'
import { metaOf } from '../meta.ts'
import { keyOf, type NewResource, type Restored, type TenantScope } from '../scope.ts'

/** A group without its members. `revision` counts the changes; the entity tag is made from it. */
export interface GroupRow {
  readonly tenant_id: string
  readonly id: string
  readonly display_name: string
  readonly display_name_key: string
  readonly external_id: string | null
  readonly extensions: string | null
  readonly revision: number
  readonly created_at: number
  readonly last_modified: number
}

/** A group type: its name, its endpoint's path and its schema. */
export interface GroupType {
  readonly name: string
  readonly endpoint: string
  readonly definitions: Discovery.Definitions
  /** The column for registered extensions; none by default. */
  readonly column?: ExtensionColumn | null
}

/** The columns read for a group. */
export const GROUP_COLUMNS =
  'tenant_id, id, display_name, display_name_key, external_id, extensions, revision, created_at, last_modified'

/** Reads a group's row. Throws `404` if it does not exist. */
export async function groupRowById(scope: TenantScope, id: string): Promise<GroupRow> {
  const row = await readRow<GroupRow>(
    scope.db,
    sql`select ${raw(GROUP_COLUMNS)} from groups where ${keyOf(scope, id)}`,
  )
  if (row === null) throw new ScimError(404, `group ${id} not found`)
  return row
}

/** Builds a group's wire resource, with the given members. */
export function groupWire(
  row: GroupRow,
  { base }: TenantScope,
  type: GroupType,
  members: readonly WireResource[],
): WireResource {
  const group = {
    schemas: [GROUP_SCHEMA],
    id: row.id,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    displayName: row.display_name,
    ...(members.length === 0 ? {} : { members }),
    meta: metaOf(type, row, { base, version: groupVersion(row) }),
  }
  return type.column?.merge(group, row.extensions) ?? group
}

/** The entity tag. The revision is stored, not computed: a group may have a hundred thousand members. */
export function groupVersion({ revision }: GroupRow): string {
  return `W/"${revision}"`
}

/** Builds a new group's row. */
export function newGroupRow(
  { tenantId, restored }: Pick<TenantScope, 'tenantId' | 'restored'>,
  type: Pick<GroupType, 'column'>,
  { id, at, lastModified = at, resource }: NewResource<WireResource>,
): GroupRow {
  const revision = restored === undefined ? 1 : WITHOUT_MEMBERS
  const about = { tenant_id: tenantId, id, revision, created_at: at, last_modified: lastModified }
  return { ...about, ...groupColumns(type, resource) }
}

/** The identity of a group whose import goes on; undefined for other groups, which keep their own. */
export function restoredOf(
  { revision }: Pick<GroupRow, 'revision'>,
  { restored }: Pick<TenantScope, 'restored'>,
): Restored | undefined {
  return revision === WITHOUT_MEMBERS ? restored : undefined
}

/** The revision of an imported group whose members are not yet added. */
const WITHOUT_MEMBERS = 0

/** Returns a group's URL. */
export function groupLocation(
  row: GroupRow,
  { base }: TenantScope,
  { endpoint }: GroupType,
): string {
  return `${base}${endpoint}/${row.id}`
}

/** The group columns a client sets. */
export function groupColumns(
  { column }: Pick<GroupType, 'column'>,
  group: WireResource,
): Pick<GroupRow, 'display_name' | 'display_name_key' | 'external_id' | 'extensions'> {
  const { displayName, externalId } = group
  return {
    extensions: column?.split(group).extensions ?? null,
    display_name: String(displayName),
    display_name_key: storableFolded('displayName', displayName) ?? '',
    external_id: storable('externalId', externalId),
  }
}
