import { type Fragment, raw, sql, type ValueIndex } from '@plumbline/scim/internal'
import { rowsOf } from '../../../kernel/store/tenant-rows.ts'
import { filterColumns, namesOfColumns, sortColumns } from '../attribute-columns.ts'
import {
  createExtensionColumn,
  EXTENSIONS_SIZE,
  type ExtensionColumn,
} from '../extension-column.ts'
import { mentions } from '../list/filters.ts'
import { compileShown, type Listing, type Projection, type WireResource } from '../list/list.ts'
import { narrow } from '../list/narrow.ts'
import type { TenantScope } from '../scope.ts'
import { createValueIndex } from '../value-index/value-index.ts'
import type { JsonResources, JsonRow } from './json-resources.ts'
import { type ExtendedResources, sizeOfRow, wireOf, withComputed } from './json-views.ts'

/** A type's statements and listing, built once. */
export interface PreparedType extends ExtendedResources {
  readonly tableName: string
  readonly byId: SelectById
  /** Also reads the computed attribute's first values. */
  readonly byIdWithFirst: SelectById
  /** Also reads the columns only filters use, so a change writes only those that differ. */
  readonly byIdWithColumns: SelectById
  readonly column: ExtensionColumn | null
  readonly listing: Listing<JsonRow>
  /** Also reads the computed attribute's first values. */
  readonly listingWithFirst: Listing<JsonRow>
  /** Whether a client wants the computed attribute, which needs more statements. */
  readonly isComputedShown: (projection: Projection) => boolean
  /** The index of multi-valued attributes; none without a table. */
  readonly index: ValueIndex | undefined
  /** The rows of resources read for an update. */
  readonly rows: WeakMap<WireResource, { row: JsonRow; values: readonly WireResource[] }>
}

/** Builds the statement to read a resource. */
type SelectById = (scope: TenantScope, id: string) => Fragment

/** Prepares a type. */
export function prepareType(resources: JsonResources): PreparedType {
  const { name, definitions, table, columns, sorted, computed, values = null } = resources
  const tableName = table
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
  const read = columnNames.join(', ')
  const all = [...new Set([...columnNames, 'extensions', ...namesOfColumns(columns)])].join(', ')
  const select = (selected: string): SelectById => {
    const columns = raw(selected)
    return (scope, id) => sql`select ${columns} from ${byId(scope, tableName, id)}`
  }
  // The index is built from the given definitions, such as a tenant's.
  const index = values === null ? undefined : createValueIndex(definitions, values)
  const filtered = { columns: { ...filterColumns(columns), ...index?.columns }, index }
  const listing: Listing<JsonRow> = {
    type: name,
    table,
    read,
    large: 'resource',
    ...(column === null ? {} : { sizeSql: `octet_length(resource) + ${EXTENSIONS_SIZE}` }),
    sizeOf: sizeOfRow,
    definitions,
    sortColumns: sortColumns(sorted),
    narrow: (scope, filter) => narrow(scope, filter, filtered),
    toWire: async (scope, rows, filter) => {
      const isNeeded = computed !== undefined && filter !== null && mentions(filter, computed.name)
      const found = await withComputed(scope, type, rows, isNeeded)
      return found.map(({ row, values }) => wireOf(row, scope, type, values))
    },
  }
  const type: PreparedType = {
    ...resources,
    tableName,
    column,
    index,
    byId: select(read),
    byIdWithFirst: (scope, id) => {
      if (computed === undefined) return type.byId(scope, id)
      const rows = byId(scope, tableName, id)
      return sql`select ${raw(read)}, ${computed.first(scope)} as first from ${rows}`
    },
    byIdWithColumns: select(all),
    rows: new WeakMap(),
    isComputedShown: computed ? compileShown(computed.name, definitions) : () => false,
    listing,
    listingWithFirst: computed ? { ...listing, first: computed.first } : listing,
  }
  return type
}

function byId({ tenantId }: TenantScope, table: string, id: string): Fragment {
  return sql`${rowsOf(tenantId, table)} and id = ${id}`
}
