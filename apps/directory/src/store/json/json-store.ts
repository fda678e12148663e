import { type Scim, ScimError, version } from '@plumbline/scim'
import type { View } from '@plumbline/scim/endpoint'
import { getTableName, rawSql } from '@remix-run/data-table'
import { createId } from '../../ids.ts'
import { columnValues, filterColumns, namesOfColumns, sortColumns } from '../attribute-columns.ts'
import {
  createExtensionColumn,
  EXTENSIONS_SIZE,
  type ExtensionColumn,
  requireKnownExtensions,
} from '../extensions/extension-column.ts'
import { mentions } from '../list/filters.ts'
import {
  compileShown,
  type ListedPage,
  type Listing,
  type Projection,
  type ResourceView,
  type WireResource,
} from '../list/list.ts'
import { listPage } from '../list/page-by-index.ts'
import type { Replacement, ResourceStore } from '../resource-store.ts'
import { keyOf, lockForUpdate, type NewResource, type TenantScope } from '../scope.ts'
import { sha256 } from '../sha256.ts'
import { MOST_IN_RESOURCE } from '../sizes.ts'
import { readRows } from '../tables.ts'
import { indexedAttributes } from '../values/indexed-attributes.ts'
import { narrowByValue } from '../values/narrow-by-value.ts'
import type { ValueTables } from '../values/translate-values.ts'
import { insertValues, updateValues } from '../values/value-table.ts'
import type { JsonResources, JsonRow } from './json-resources.ts'
import { type ExtendedResources, sizeOfRow, viewOf, wireOf, withComputed } from './json-views.ts'

/** A store that can also insert many resources, as `npm run seed` does. */
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
    create: (scope, content) => create(scope, type, storedContent(type, content)),
    read: (scope, id, projection) => read(scope, type, id, projection),
    readForUpdate: (scope, id, view) => readForUpdate(scope, type, id, view),
    replace: (scope, id, content, request) =>
      replace(scope, type, id, storedContent(type, content), request),
    delete: (scope, id) => remove(scope, type, id),
    list: (scope, query) => list(scope, type, query),
  }
}

/** The statements and the listing of a type, which are built once. */
interface Prepared extends ExtendedResources {
  readonly tableName: string
  readonly byId: string
  /** Also reads the columns that are only for filters, so that a change writes only those that differ. */
  readonly byIdWithColumns: string
  readonly column: ExtensionColumn | null
  readonly listing: Listing<JsonRow>
  /** Whether a client wants the computed attribute, which needs more statements. */
  readonly isComputedShown: (projection: Projection) => boolean
  /** The index of multi-valued attributes; null without one. */
  readonly index: ValueTables | null
  /** The rows of resources that were read for an update. */
  readonly rows: WeakMap<WireResource, { row: JsonRow; values: readonly WireResource[] }>
}

function prepareType(resources: JsonResources): Prepared {
  const { name, definitions, table, columns, sorted, computed, values = null } = resources
  const tableName = getTableName(table)
  const sortedColumns = Object.values(sorted)
  const column = createExtensionColumn(name, resources.extensions ?? [])
  const documents = ['resource', ...(column === null ? [] : ['extensions'])]
  const columnNames = [
    'id',
    ...sortedColumns,
    ...documents,
    'version',
    'created_at',
    'last_modified',
  ]
  const select = `select ${columnNames.join(', ')} from ${tableName}`
  const all = [...new Set([...columnNames, 'extensions', ...namesOfColumns(columns)])].join(', ')
  const filtered = filterColumns(columns)
  // For other definitions, such as those of a tenant, the index is made of them.
  const attributes = indexedAttributes(definitions)
  const index =
    values === null ? null : { resources: tableName, columns: filtered, values, attributes }
  const type: Prepared = {
    ...resources,
    tableName,
    column,
    index,
    byId: `${select} ${BY_ID}`,
    byIdWithColumns: `select ${all} from ${tableName} ${BY_ID}`,
    rows: new WeakMap(),
    isComputedShown: computed ? compileShown(computed.name, definitions) : () => false,
    listing: {
      type: name,
      table,
      read: columnNames,
      large: 'resource',
      ...(column === null ? {} : { sizeSql: `octet_length(resource) + ${EXTENSIONS_SIZE}` }),
      sizeOf: sizeOfRow,
      select,
      definitions,
      columns: filtered,
      sortColumns: sortColumns(sorted),
      narrow: async (scope, residual) =>
        index
          ? await narrowByValue(scope, residual, index)
          : { where: null, condition: null, residual },
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

function storedContent({ omitted }: Prepared, content: WireResource): WireResource {
  if (!omitted.some((name) => Object.hasOwn(content, name))) return content
  return Object.fromEntries(Object.entries(content).filter(([name]) => !omitted.includes(name)))
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
  { table, index }: Prepared,
  made: readonly NewResource<WireResource>[],
  rows: readonly JsonRow[],
): Promise<void> {
  await scope.db.createMany(table, [...rows])
  if (index) await insertValues(scope, index, made)
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
    computed && type.isComputedShown(projection) ? await computed.readOne(scope, id) : []
  return viewOf(row, scope, type, values, projection)
}

async function readForUpdate(
  scope: TenantScope,
  type: Prepared,
  id: string,
  view: View,
): Promise<WireResource> {
  await lockForUpdate(scope, type.tableName, id)
  const row = await rowById(scope, type, id, type.byIdWithColumns)
  const { computed, column } = type
  requireKnownExtensions(column, row)
  const values = computed && view.needs(computed.name) ? await computed.readOne(scope, id) : []
  const wire = wireOf(row, scope, type, values)
  type.rows.set(wire, { row, values })
  return wire
}

async function replace(
  scope: TenantScope,
  type: Prepared,
  id: string,
  content: WireResource,
  { current, view }: Replacement,
): Promise<ResourceView> {
  const read = type.rows.get(current)
  if (read === undefined) throw new TypeError('the resource was not read for an update')
  const { row } = read
  const values = type.isComputedShown(view) ? read.values : []
  const changed = await columnsOf(type, id, content)
  // RFC 7644 §3.5.2.1: a request without effect does not change lastModified.
  if (changed.version === row.version) return viewOf(row, scope, type, values, view)
  const last_modified = Math.max(scope.now, row.last_modified)
  const written = withoutStored({ ...changed, last_modified }, row)
  await scope.db.updateMany(type.table, written, { where: keyOf(scope, id) })
  if (type.index) await updateValues(scope, type.index, { id, before: current, after: content })
  return viewOf({ ...row, ...written }, scope, type, values, view)
}

/**
 * The columns that differ from those of a row. SQLite rewrites the entry of a column in an index if an update
 * names the column, even with the same value, and that is a page to write for each index.
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

async function remove(scope: TenantScope, type: Prepared, id: string): Promise<void> {
  await lockForUpdate(scope, type.tableName, id, { isLeaving: true })
  await rowById(scope, type, id)
  await type.leave?.(scope, id)
  await scope.db.deleteMany(type.table, { where: keyOf(scope, id) })
}

async function list(
  scope: TenantScope,
  type: Prepared,
  query: Scim.ListQuery,
): Promise<ListedPage<ResourceView>> {
  return await listPage(scope, query, type.listing, async (rows) => {
    const found = await withComputed(scope, type, rows, type.isComputedShown(query))
    return found.map(({ row, values }) => viewOf(row, scope, type, values, query))
  })
}

async function rowById(
  { db, tenantId }: TenantScope,
  type: Prepared,
  id: string,
  statement = type.byId,
): Promise<JsonRow> {
  // A statement by hand: each request reads a resource, and building the query would double that time.
  const [row] = await readRows<JsonRow>(db, rawSql(statement, [tenantId, id]))
  if (row === undefined) throw new ScimError(404, `${type.name.toLowerCase()} ${id} not found`)
  return row
}

/** The columns of a resource except those of its key, which never changes. */
async function columnsOf({ name, columns, column }: Prepared, id: string, content: WireResource) {
  const { rest, extensions } = column?.split(content) ?? { rest: content, extensions: null }
  return {
    ...columnValues(columns, content),
    resource: storedJson(name, { schemas: rest.schemas, id, ...rest }),
    ...(column === null ? {} : { extensions }),
    version: await version({ id, ...content }, { digest }),
  }
}

/** The digest that `version` computes by default, on this thread: the way to another thread takes longer. */
function digest(text: string): string {
  return sha256(text).slice(0, 32)
}

/** RFC 7644 §3.12: a resource that is too large is `413`. A PATCH can make it larger than any body. */
function storedJson(name: string, resource: WireResource): string {
  const text = JSON.stringify(resource)
  if (Buffer.byteLength(text) <= MOST_IN_RESOURCE) return text
  const limit = `${MOST_IN_RESOURCE / 2 ** 20} MiB`
  throw new ScimError(413, `the ${name.toLowerCase()} would be larger than ${limit}`)
}

const BY_ID = 'where tenant_id = ? and id = ?'
