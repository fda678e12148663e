import { type Result, unwrap } from '@plumbline/result'
import { project, RawJson, type Scim, ScimError, version } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import { applyPatch, type Patch } from '@plumbline/scim/patch'
import { type AnyTable, getTableName, rawSql } from '@remix-run/data-table'
import { createId } from '../ids.ts'
import {
  type AttributeColumns,
  columnValues,
  filterColumns,
  sortColumns,
} from './attribute-columns.ts'
import { mentions } from './list/filters.ts'
import {
  isShown,
  type ListedPage,
  type Listing,
  type Projection,
  type ResourceView,
  type WireResource,
} from './list/list.ts'
import { listPage } from './list/page-by-index.ts'
import { type Meta, metaOf } from './meta.ts'
import type { Precondition, ResourceStore } from './resource-store.ts'
import { keyOf, lockForUpdate, type NewResource, type TenantScope } from './scope.ts'
import { MOST_IN_RESOURCE } from './sizes.ts'
import { rowsAs } from './tables.ts'
import { tagWithDigest } from './tags.ts'

/** Resources that are stored as JSON, with copies of some attributes in columns. */
export interface JsonResources {
  readonly name: string
  readonly endpoint: string
  readonly definitions: Discovery.Definitions
  /** Has the columns `tenant_id`, `id`, `resource`, `version`, `created_at`, `last_modified` and those below. */
  readonly table: AnyTable
  readonly columns: AttributeColumns
  /** The columns of required attributes that the database sorts by, keyed by attribute in lower case. */
  readonly sorted: Readonly<Record<string, string>>
  /** Reads a patched resource: the attributes to store, without those that the server sets. */
  readonly parse: (resource: unknown) => Result<WireResource, ScimError>
  /** Rows of another table with copies of values, for filters; none by default. */
  readonly copies?: CopiedRows
  /** An attribute that is computed from other tables; none by default. */
  readonly computed?: ComputedAttribute
  /** Narrows a filter by other tables; by default, it does not. */
  readonly narrow?: Listing<JsonRow>['narrow']
  /** Removes a resource that is about to be deleted from the resources that refer to it. */
  readonly leave?: (scope: TenantScope, id: string) => Promise<void>
}

/** A row of the table, without the columns that are only for filters. */
export interface JsonRow {
  readonly id: string
  readonly resource: string
  readonly version: string
  /** Milliseconds since 1970. */
  readonly created_at: number
  readonly last_modified: number
}

/** Rows of another table with copies of values of a resource. */
export interface CopiedRows {
  insert(scope: TenantScope, made: readonly NewResource<WireResource>[]): Promise<void>
  delete(scope: TenantScope, id: string): Promise<void>
}

/** A multi-valued attribute that is computed from other tables, and that other requests change. */
export interface ComputedAttribute {
  readonly name: string
  /** The approximate maximum JSON of one value. */
  readonly largest: number
  readOne(scope: TenantScope, id: string): Promise<readonly WireResource[]>
  /** The values of as many of the first resources as fit into a page, and of at least one. */
  readMany(
    scope: TenantScope,
    holders: readonly { readonly id: string; readonly size: number }[],
  ): Promise<readonly (readonly WireResource[])[]>
}

export interface JsonStore extends ResourceStore {
  /** Stores resources with given ids and times. */
  insert(scope: TenantScope, made: readonly NewResource<WireResource>[]): Promise<void>
}

/** Creates the store of resources that are stored as JSON. */
export function createJsonStore(resources: JsonResources): JsonStore {
  const type = prepareType(resources)
  return {
    isLarge: () => false,
    insert: (scope, made) => insert(scope, type, made),
    create: (scope, content) => create(scope, type, content),
    read: (scope, id, projection) => read(scope, type, id, projection),
    replace: (scope, id, check, content) => change(scope, type, id, check, () => content),
    patch: (scope, id, check, operations) =>
      change(scope, type, id, check, (current) => patched(scope, type, current, operations)),
    delete: (scope, id, check) => remove(scope, type, id, check),
    list: (scope, query) => list(scope, type, query),
  }
}

/** The statements and the listing of a type, which are built once. */
interface Prepared extends JsonResources {
  readonly tableName: string
  readonly byId: string
  readonly listing: Listing<JsonRow>
}

function prepareType(resources: JsonResources): Prepared {
  const { name, definitions, table, columns, sorted, computed, narrow } = resources
  const tableName = getTableName(table)
  const sortedColumns = Object.values(sorted)
  const columnNames = ['id', ...sortedColumns, 'resource', 'version', 'created_at', 'last_modified']
  const select = `select ${columnNames.join(', ')} from ${tableName}`
  const type: Prepared = {
    ...resources,
    tableName,
    byId: `${select} where tenant_id = ? and id = ?`,
    listing: {
      type: name,
      table,
      read: columnNames,
      large: 'resource',
      sizeOf: ({ resource }) => resource.length,
      select,
      definitions,
      columns: filterColumns(columns),
      sortColumns: sortColumns(sorted),
      narrow: narrow ?? (async (_, filter) => ({ where: null, residual: filter })),
      toWire: async (scope, rows, filter) => {
        const isNeeded =
          computed !== undefined && filter !== null && mentions(filter, computed.name)
        const found = await withComputed(scope, type, rows, isNeeded)
        return found.map(({ row, values }) => wireOf(row, scope, type, values))
      },
    },
  }
  return type
}

async function create(
  scope: TenantScope,
  type: Prepared,
  content: WireResource,
): Promise<WireResource> {
  const { now } = scope
  const made = { id: createId(now), at: now, resource: content }
  const row = await rowFor(scope, type, made)
  await insertRows(scope, type, [made], [row])
  return wireOf(row, scope, type, [])
}

async function insert(
  scope: TenantScope,
  type: Prepared,
  made: readonly NewResource<WireResource>[],
): Promise<void> {
  const rows: JsonRow[] = []
  for (const one of made) rows.push(await rowFor(scope, type, one))
  await insertRows(scope, type, made, rows)
}

async function insertRows(
  scope: TenantScope,
  { table, copies }: Prepared,
  made: readonly NewResource<WireResource>[],
  rows: readonly JsonRow[],
): Promise<void> {
  await scope.db.createMany(table, [...rows])
  await copies?.insert(scope, made)
}

async function rowFor(
  { tenantId }: TenantScope,
  type: Prepared,
  { id, at, resource }: NewResource<WireResource>,
): Promise<JsonRow> {
  const columns = await columnsOf(type, id, resource)
  const row = { ...columns, tenant_id: tenantId, id, created_at: at, last_modified: at }
  return row
}

async function read(
  scope: TenantScope,
  type: Prepared,
  id: string,
  projection: Projection,
): Promise<ResourceView> {
  const { computed } = type
  const row = await rowById(scope, type, id)
  const values =
    computed && isComputedShown(type, projection) ? await computed.readOne(scope, id) : []
  return viewOf(row, scope, type, values, projection)
}

async function change(
  scope: TenantScope,
  type: Prepared,
  id: string,
  check: Precondition,
  next: (current: WireResource) => WireResource | null,
): Promise<WireResource> {
  await lockForUpdate(scope, type.tableName, id)
  const row = await rowById(scope, type, id)
  const values = type.computed ? await type.computed.readOne(scope, id) : []
  const current = wireOf(row, scope, type, values)
  check(row.version)
  const content = next(current)
  const changed = content === null ? null : await columnsOf(type, id, content)
  // RFC 7644 §3.5.2.1: a request without effect does not change lastModified.
  if (content === null || changed === null || changed.version === row.version) return current
  const last_modified = Math.max(scope.now, row.last_modified)
  const written = { ...changed, last_modified }
  await scope.db.updateMany(type.table, written, { where: keyOf(scope, id) })
  await type.copies?.delete(scope, id)
  await type.copies?.insert(scope, [{ id, at: last_modified, resource: content }])
  return wireOf({ ...row, ...written }, scope, type, values)
}

/** The attributes of a patched resource, or null if the operations change nothing. */
function patched(
  { rules, budget }: TenantScope,
  { definitions, parse }: Prepared,
  current: WireResource,
  operations: readonly Patch.Operation[],
): WireResource | null {
  const options = { definitions, tolerate: rules.tolerate, budget }
  const resource = unwrap(applyPatch(current, operations, options))
  return resource === current ? null : unwrap(parse(resource))
}

async function remove(
  scope: TenantScope,
  type: Prepared,
  id: string,
  check: Precondition,
): Promise<void> {
  await lockForUpdate(scope, type.tableName, id, { isLeaving: true })
  check((await rowById(scope, type, id)).version)
  await type.leave?.(scope, id)
  await scope.db.deleteMany(type.table, { where: keyOf(scope, id) })
}

async function list(
  scope: TenantScope,
  type: Prepared,
  query: Scim.ListQuery,
): Promise<ListedPage<ResourceView>> {
  return await listPage(scope, query, type.listing, async (rows) => {
    const found = await withComputed(scope, type, rows, isComputedShown(type, query))
    return found.map(({ row, values }) => viewOf(row, scope, type, values, query))
  })
}

async function rowById({ db, tenantId }: TenantScope, type: Prepared, id: string) {
  // A statement by hand: each request reads a resource, and building the query would double that time.
  const { rows = [] } = await db.exec(rawSql(type.byId, [tenantId, id]))
  const [row] = rowsAs<JsonRow>(rows)
  if (row === undefined) throw new ScimError(404, `${type.name.toLowerCase()} ${id} not found`)
  return row
}

function isComputedShown({ computed, definitions }: Prepared, projection: Projection): boolean {
  return computed !== undefined && isShown(computed.name, projection, definitions)
}

/** As many of the first rows as fit into a page, each with its computed values if they are needed. */
async function withComputed(
  scope: TenantScope,
  { computed }: Prepared,
  rows: readonly JsonRow[],
  isNeeded: boolean,
): Promise<readonly { readonly row: JsonRow; readonly values: readonly WireResource[] }[]> {
  if (!isNeeded || computed === undefined) return rows.map((row) => ({ row, values: [] }))
  const holders = rows.map(({ id, resource }) => ({ id, size: resource.length }))
  const values = await computed.readMany(scope, holders)
  return rows.slice(0, values.length).map((row, at) => ({ row, values: values[at] ?? [] }))
}

function viewOf(
  row: JsonRow,
  scope: TenantScope,
  type: Prepared,
  values: readonly WireResource[],
  projection: Projection,
): ResourceView {
  const version = tagWithDigest(row.version, values)
  const meta = metaOf(type, row, { base: scope.base, version })
  const isWhole = projection.attributes === undefined && projection.excludedAttributes === undefined
  const body = isWhole
    ? wholeOf(row, type, values, meta)
    : project(wireOf(row, scope, type, values), projection, type.definitions)
  const size = row.resource.length + values.length * (type.computed?.largest ?? 0)
  return { body, size, version, location: meta.location }
}

/** The whole resource: the stored JSON is used as it is, without parsing and serializing it again. */
function wholeOf(
  { resource }: JsonRow,
  { computed }: Prepared,
  values: readonly WireResource[],
  meta: Meta,
): RawJson {
  const members = computed && values.length > 0 ? { [computed.name]: values, meta } : { meta }
  return new RawJson(resource).withMembers(members)
}

function wireOf(
  row: JsonRow,
  { base }: TenantScope,
  type: Prepared,
  values: readonly WireResource[],
): WireResource {
  // Members are added to the parsed object: copying it would double the work.
  const wire: WireResource = JSON.parse(row.resource)
  if (type.computed && values.length > 0) wire[type.computed.name] = values
  wire.meta = metaOf(type, row, { base, version: tagWithDigest(row.version, values) })
  return wire
}

/** The columns of a resource except those of its key, which never changes. */
async function columnsOf({ name, columns }: Prepared, id: string, content: WireResource) {
  return {
    ...columnValues(columns, content),
    resource: storedJson(name, { schemas: content.schemas, id, ...content }),
    version: await version({ id, ...content }),
  }
}

/** RFC 7644 §3.12: a resource that is too large is `413`. A PATCH can make it larger than any body. */
function storedJson(name: string, resource: WireResource): string {
  const text = JSON.stringify(resource)
  if (Buffer.byteLength(text) <= MOST_IN_RESOURCE) return text
  const limit = `${MOST_IN_RESOURCE / 2 ** 20} MiB`
  throw new ScimError(413, `the ${name.toLowerCase()} would be larger than ${limit}`)
}
