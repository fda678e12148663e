import { project, RawJson } from '@plumbline/scim'
import type { ExtensionColumn } from '../extension-column.ts'
import type { Projection, ResourceView, WireResource } from '../list/list.ts'
import { type Meta, metaOf } from '../meta.ts'
import type { TenantScope } from '../scope.ts'
import { jsonOf, tagWithDigest } from '../tags.ts'
import type { JsonResources, JsonRow } from './json-resources.ts'

/** Resources with their extension column. */
export interface ExtendedResources extends JsonResources {
  readonly column?: ExtensionColumn | null
}

/** Returns the length of a row's JSON, in code units. */
export function sizeOfRow({ resource, extensions }: JsonRow): number {
  return resource.length + (extensions?.length ?? 0)
}

/** Returns as many of the first rows as fit into a page, each with its computed values if they are needed. */
export async function withComputed(
  scope: TenantScope,
  { computed }: JsonResources,
  rows: readonly JsonRow[],
  isNeeded: boolean,
): Promise<readonly { readonly row: JsonRow; readonly values: readonly WireResource[] }[]> {
  if (!isNeeded || computed === undefined) return rows.map((row) => ({ row, values: [] }))
  const holders = rows.map((row) => ({ id: row.id, first: row.first, size: sizeOfRow(row) }))
  const values = await computed.readMany(scope, holders)
  return rows.slice(0, values.length).map((row, at) => ({ row, values: values[at] ?? [] }))
}

/** Returns a resource with the attributes a client wants. */
export function viewOf(
  row: JsonRow,
  scope: TenantScope,
  type: ExtendedResources,
  values: readonly WireResource[],
  projection: Projection,
): ResourceView {
  const { computed } = type
  const version = computed ? tagWithDigest(row.version, computed.name, values) : row.version
  const meta = metaOf(type, row, { base: scope.base, version })
  // An extension may have attributes returned only on request, or never.
  const isPlain = !type.column || typeof row.extensions !== 'string'
  const isAll = projection.attributes === undefined && projection.excludedAttributes === undefined
  const body =
    isAll && isPlain
      ? wholeOf(row, type, values, meta)
      : project({ ...wireOf(row, scope, type, values), meta }, projection, type.definitions)
  const size = sizeOfRow(row) + values.length * (computed?.largest ?? 0)
  return { body, size, version, location: meta.location }
}

/** Returns the whole resource: the stored JSON is used unchanged, without parsing and serializing it again. */
function wholeOf(
  { resource }: JsonRow,
  { computed }: JsonResources,
  values: readonly WireResource[],
  meta: Meta,
): RawJson {
  if (computed === undefined || values.length === 0)
    return new RawJson(resource).withMembers({ meta })
  // A stored resource has members, such as its id.
  const whole = `${resource.slice(0, -1)},${JSON.stringify(computed.name)}:${jsonOf(values)}}`
  return new RawJson(whole).withMembers({ meta })
}

/** Converts a row to a wire resource. The version covers only the attributes clients write. */
export function wireOf(
  row: JsonRow,
  { base }: TenantScope,
  type: ExtendedResources,
  values: readonly WireResource[],
): WireResource {
  // Members are added to the parsed object: copying it would double the work.
  const parsed: WireResource = JSON.parse(row.resource)
  const wire = type.column?.merge(parsed, row.extensions) ?? parsed
  if (type.computed && values.length > 0) wire[type.computed.name] = values
  wire.meta = metaOf(type, row, { base, version: row.version })
  return wire
}
