import type { ColumnMap } from '@plumbline/scim/sql'
import { storable, storableFolded } from '../../kernel/store/column-text.ts'
import type { WireResource } from './list/list.ts'

/**
 * The columns with a copy of an attribute, for filters and sorting. Keyed by the attribute's path; an extension's
 * attribute by the URN.
 */
export type AttributeColumns = Readonly<
  Record<
    string,
    | string
    | { readonly column: string; readonly folded: true }
    | { readonly column: string; readonly type: 'boolean' }
  >
>

/** Returns the filterable columns: those for attributes, and those in every resource. */
export function filterColumns(columns: AttributeColumns): ColumnMap {
  const extensions = Object.entries(columns).filter(([path]) => path.startsWith('urn:'))
  // RFC 7644 §3.10: a filter may name an extension's attribute without the URN.
  const aliases = extensions.map(([path, entry]) => [nameIn(path), entry] as const)
  return { ...COMMON, ...columns, ...Object.fromEntries(aliases) }
}

const COMMON: ColumnMap = {
  id: 'id',
  'meta.created': { column: 'created_at', type: 'dateTime' },
  'meta.lastModified': { column: 'last_modified', type: 'dateTime' },
}

/** Returns the columns the database can sort by, keyed by attribute in lower case. They are never unassigned. */
export function sortColumns(
  required: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return {
    id: 'id',
    ...required,
    'meta.created': 'created_at',
    'meta.lastmodified': 'last_modified',
  }
}

/** The columns' names. */
export function namesOfColumns(columns: AttributeColumns): readonly string[] {
  return Object.values(columns).map((entry) => (typeof entry === 'string' ? entry : entry.column))
}

/** Returns a resource's column values. Throws a ScimError for a string that cannot be stored. */
export function columnValues(
  columns: AttributeColumns,
  resource: WireResource,
): Record<string, string | boolean | null> {
  return Object.fromEntries(
    Object.entries(columns).map(([path, entry]) => {
      const value = valueAt(path, resource)
      const name = nameIn(path)
      if (typeof entry === 'string') return [entry, storable(name, value)]
      if ('folded' in entry) return [entry.column, storableFolded(name, value)]
      return [entry.column, typeof value === 'boolean' ? value : null]
    }),
  )
}

function valueAt(path: string, resource: WireResource): unknown {
  if (path.startsWith('urn:')) return Object(resource[path.slice(0, endOfUrn(path))])[nameIn(path)]
  const [attribute = '', subAttribute] = path.split('.')
  const value = resource[attribute]
  return subAttribute === undefined ? value : Object(value)[subAttribute]
}

/** Returns an attribute's path without the schema URN. */
function nameIn(path: string): string {
  return path.startsWith('urn:') ? path.slice(endOfUrn(path) + 1) : path
}

function endOfUrn(path: string): number {
  return path.lastIndexOf(':')
}
