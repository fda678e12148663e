import { getTableName } from '@remix-run/data-table'
import { memoize } from '../../memoize.ts'
import { filterColumns, namesOfColumns, sortColumns } from '../attribute-columns.ts'
import {
  createExtensionColumn,
  EXTENSIONS_SIZE,
  type ExtensionColumn,
} from '../extensions/extension-column.ts'
import { mentions } from '../list/filters.ts'
import { compileShown, type Listing, type Projection, type WireResource } from '../list/list.ts'
import type { SqlDialect } from '../store.ts'
import { indexedAttributes } from '../values/indexed-attributes.ts'
import { narrowByValue } from '../values/narrow-by-value.ts'
import type { ValueTables } from '../values/translate-values.ts'
import type { JsonResources, JsonRow } from './json-resources.ts'
import { type ExtendedResources, sizeOfRow, wireOf, withComputed } from './json-views.ts'

/** The statements and the listing of a type, which are built once. */
export interface PreparedType extends ExtendedResources {
  readonly tableName: string
  readonly byId: string
  /** Also reads the first values of the computed attribute. */
  readonly byIdWithFirst: (dialect: SqlDialect) => string
  /** Also reads the columns that are only for filters, so that a change writes only those that differ. */
  readonly byIdWithColumns: string
  readonly column: ExtensionColumn | null
  readonly listing: Listing<JsonRow>
  /** Also reads the first values of the computed attribute. */
  readonly listingWithFirst: Listing<JsonRow>
  /** Whether a client wants the computed attribute, which needs more statements. */
  readonly isComputedShown: (projection: Projection) => boolean
  /** The index of multi-valued attributes; null without one. */
  readonly index: ValueTables | null
  /** The rows of resources that were read for an update. */
  readonly rows: WeakMap<WireResource, { row: JsonRow; values: readonly WireResource[] }>
}

/** Prepares a type. */
export function prepareType(resources: JsonResources): PreparedType {
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
  const read = columnNames.join(', ')
  const all = [...new Set([...columnNames, 'extensions', ...namesOfColumns(columns)])].join(', ')
  const select = (selected: string) => `select ${selected} from ${tableName} ${BY_ID}`
  const withFirst = memoize((dialect: SqlDialect) => {
    const columns = computed ? `${read}, ${computed.first(dialect)} as first` : read
    return { columns, byId: select(columns) }
  })
  const filtered = filterColumns(columns)
  // For other definitions, such as those of a tenant, the index is made of them.
  const attributes = indexedAttributes(definitions)
  const index =
    values === null ? null : { resources: tableName, columns: filtered, values, attributes }
  const listing: Listing<JsonRow> = {
    type: name,
    table,
    read,
    large: 'resource',
    ...(column === null ? {} : { sizeSql: `octet_length(resource) + ${EXTENSIONS_SIZE}` }),
    sizeOf: sizeOfRow,
    definitions,
    columns: filtered,
    sortColumns: sortColumns(sorted),
    narrow: async (scope, residual) =>
      index
        ? await narrowByValue(scope, residual, index)
        : { where: null, condition: null, residual },
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
    byIdWithFirst: (dialect) => withFirst.get(dialect).byId,
    byIdWithColumns: select(all),
    rows: new WeakMap(),
    isComputedShown: computed ? compileShown(computed.name, definitions) : () => false,
    listing,
    listingWithFirst: { ...listing, readFirst: (dialect) => withFirst.get(dialect).columns },
  }
  return type
}

const BY_ID = 'where tenant_id = ? and id = ?'
