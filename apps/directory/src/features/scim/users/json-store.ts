import { type Scim, ScimError } from '@plumbline/scim'
import type { View } from '@plumbline/scim/endpoint'
import { raw, sql } from '@plumbline/scim/internal'
import {
  execAll,
  insertRows as insertInto,
  readRows,
  updateRows,
} from '../../../kernel/store/database.ts'
import { MAX_RESOURCE_BYTES } from '../../../kernel/store/sizes.ts'
import { columnValues } from '../attribute-columns.ts'
import { requireKnownExtensions } from '../extension-column.ts'
import type { ListedPage, Projection, ResourceView, WireResource } from '../list/list.ts'
import { listPage } from '../list/page-by-index.ts'
import type { Lock, Replacement, ResourceStore } from '../resource-store.ts'
import { identityOf, keyOf, lockForUpdate, type NewResource, type TenantScope } from '../scope.ts'
import { createTag } from '../tags.ts'
import { ownerOf } from '../value-index/value-index.ts'
import type { JsonResources, JsonRow } from './json-resources.ts'
import { viewOf, wireOf, withComputed } from './json-views.ts'
import { type PreparedType, prepareType } from './prepare-type.ts'
import { hasSameContent } from './same-content.ts'

/** A store that can also insert many resources, as `npm run seed` does. */
export interface JsonStore extends ResourceStore {
  /** Stores resources with given ids and times. */
  insert(scope: TenantScope, made: readonly NewResource<WireResource>[]): Promise<void>
}

/** Creates a store for resources stored as JSON. */
export function createJsonStore(resources: JsonResources): JsonStore {
  const type = prepareType(resources)
  return {
    isLarge: () => false,
    insert: (scope, made) => insert(scope, type, made),
    create: (scope, content) => create(scope, type, storedContent(type, content)),
    read: (scope, id, projection) => read(scope, type, id, projection),
    readForUpdate: (scope, ...rest) => readForUpdate(scope, type, ...rest),
    replace: (scope, id, content, request) =>
      replace(scope, type, id, storedContent(type, content), request),
    delete: (scope, id) => remove(scope, type, id),
    list: (scope, query) => list(scope, type, query),
  }
}

function storedContent({ omitted }: PreparedType, content: WireResource): WireResource {
  if (!omitted.some((name) => Object.hasOwn(content, name))) return content
  return Object.fromEntries(Object.entries(content).filter(([name]) => !omitted.includes(name)))
}

async function create(
  scope: TenantScope,
  type: PreparedType,
  content: WireResource,
): Promise<WireResource> {
  const made = { ...identityOf(scope), resource: content }
  const row = rowFor(scope, type, made)
  await insertRows(scope, type, [made], [row])
  return wireOf(row, scope, type, [])
}

async function insert(
  scope: TenantScope,
  type: PreparedType,
  made: readonly NewResource<WireResource>[],
): Promise<void> {
  await insertRows(
    scope,
    type,
    made,
    made.map((one) => rowFor(scope, type, one)),
  )
}

async function insertRows(
  scope: TenantScope,
  { table, index }: PreparedType,
  made: readonly NewResource<WireResource>[],
  rows: readonly JsonRow[],
): Promise<void> {
  await insertInto(scope.db, table, rows)
  if (index === undefined) return
  const owned = made.map(({ id, resource }) => ({ owner: ownerOf(scope, id), resource }))
  await execAll(scope.db, index.insert(owned, scope.dialect.name))
}

function rowFor(
  { tenantId }: TenantScope,
  type: PreparedType,
  { id, at, lastModified = at, version = createTag(), resource }: NewResource<WireResource>,
): JsonRow {
  const columns = { ...columnsOf(type, id, resource), version }
  const row = { ...columns, tenant_id: tenantId, id, created_at: at, last_modified: lastModified }
  return row
}

async function read(
  scope: TenantScope,
  type: PreparedType,
  id: string,
  projection: Projection,
): Promise<ResourceView> {
  const { computed } = type
  const isShown = computed !== undefined && type.isComputedShown(projection)
  const row = await rowById(scope, type, id, isShown ? type.byIdWithFirst : type.byId)
  const values = isShown ? await computed.readOne(scope, row) : []
  return viewOf(row, scope, type, values, projection)
}

async function readForUpdate(
  scope: TenantScope,
  type: PreparedType,
  id: string,
  view: View,
  lock?: Lock,
): Promise<WireResource> {
  await lockForUpdate(scope, type.tableName, id, lock)
  const row = await rowById(scope, type, id, type.byIdWithColumns)
  const { computed, column } = type
  requireKnownExtensions(column, row)
  const values = computed && view.needs(computed.name) ? await computed.readOne(scope, row) : []
  const wire = wireOf(row, scope, type, values)
  type.rows.set(wire, { row, values })
  return wire
}

async function replace(
  scope: TenantScope,
  type: PreparedType,
  id: string,
  content: WireResource,
  { current, view }: Replacement,
): Promise<ResourceView> {
  const read = type.rows.get(current)
  if (read === undefined) throw new TypeError('the resource was not read for an update')
  const { row } = read
  const values = type.isComputedShown(view) ? read.values : []
  const changed = columnsOf(type, id, content)
  // RFC 7644 §3.5.2.1: a request without effect does not change lastModified.
  if (await hasSameContent(row, changed)) return viewOf(row, scope, type, values, view)
  const last_modified = Math.max(scope.now, row.last_modified)
  const written = withoutStored({ ...changed, version: createTag(), last_modified }, row)
  await updateRows(scope.db, type.table, written, keyOf(scope, id))
  const change = { owner: ownerOf(scope, id), before: current, after: content }
  await execAll(scope.db, type.index?.update(change, scope.dialect.name) ?? [])
  return viewOf({ ...row, ...written }, scope, type, values, view)
}

/**
 * Returns the columns that differ from a row's. If an update names a column, even with the same value, SQLite rewrites
 * the column's entry in each index, which costs one written page per index.
 */
function withoutStored<Columns extends object>(columns: Columns, row: object): Partial<Columns> {
  const stored = new Map<string, unknown>(Object.entries(row))
  const changed = { ...columns }
  for (const name in columns) {
    const { [name]: value } = columns
    // SQLite stores a boolean as a number.
    const isStored = typeof value === 'boolean' && typeof stored.get(name) === 'number'
    if (stored.get(name) === (isStored ? Number(value) : value)) delete changed[name]
  }
  return changed
}

async function remove(scope: TenantScope, type: PreparedType, id: string): Promise<void> {
  await lockForUpdate(scope, type.tableName, id, { isLeaving: true })
  await rowById(scope, type, id, type.byId)
  await type.leave?.(scope, id)
  await scope.db.exec(sql`delete from ${raw(type.table)} where ${keyOf(scope, id)}`)
}

async function list(
  scope: TenantScope,
  type: PreparedType,
  query: Scim.ListQuery,
): Promise<ListedPage<ResourceView>> {
  const isShown = type.isComputedShown(query)
  const listing = isShown ? type.listingWithFirst : type.listing
  return await listPage(scope, query, listing, async (rows) => {
    const found = await withComputed(scope, type, rows, isShown)
    return found.map(({ row, values }) => viewOf(row, scope, type, values, query))
  })
}

async function rowById(
  scope: TenantScope,
  type: PreparedType,
  id: string,
  select: PreparedType['byId'],
): Promise<JsonRow> {
  // A hand-written statement: each request reads a resource, and building the query would double that time.
  const [row] = await readRows<JsonRow>(scope.db, select(scope, id))
  if (row === undefined) throw new ScimError(404, `${type.name.toLowerCase()} ${id} not found`)
  return row
}

/** Returns a resource's columns with its content. */
function columnsOf({ name, columns, column }: PreparedType, id: string, content: WireResource) {
  const { rest, extensions } = column?.split(content) ?? { rest: content, extensions: null }
  return {
    ...columnValues(columns, content),
    resource: storedJson(name, { schemas: rest.schemas, id, ...rest }),
    ...(column === null ? {} : { extensions }),
  }
}

/** RFC 7644 §3.12: an oversized resource is `413`. A PATCH can make it larger than any body. */
function storedJson(name: string, resource: WireResource): string {
  const text = JSON.stringify(resource)
  if (Buffer.byteLength(text) <= MAX_RESOURCE_BYTES) return text
  const limit = `${MAX_RESOURCE_BYTES / 2 ** 20} MiB`
  throw new ScimError(413, `the ${name.toLowerCase()} would be larger than ${limit}`)
}
