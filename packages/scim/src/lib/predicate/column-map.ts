import { memoize } from '@plumbline/base'
import { GROUP_SCHEMA, USER_SCHEMA } from '../constants.ts'
import { findNode } from '../filter/find-attributes.ts'
import type { AttributePath } from '../path/attribute-path.ts'
import { stringifyPath } from '../path/stringify-path.ts'
import { significantPart } from '../schema/attribute-index.ts'
import type { AttributeType } from '../schema/types.ts'
import { fold } from '../values/fold.ts'
import type {
  Column,
  ElementTable,
  IndexedColumnMap,
  NamedColumn,
  SqlColumnEntry,
  ValueRows,
} from './columns.ts'
import { KNOWN } from './known.ts'
import type { Join } from './predicate.ts'

/** Where a multi-valued attribute's values are. */
export interface ElementSource {
  /** The table with a row for each value; null if the resource's own columns contain one value. */
  readonly join: Join | null
  /** The columns by sub-attribute, folded. */
  readonly columns: ReadonlyMap<string, Column>
  /** The value's attribute–key rows; null if each value is a single row. */
  readonly rows: ElementRows | null
}

/** The index rows for an attribute's values. */
export interface ElementRows {
  readonly entry: ValueRows
  /** A resource's rows. */
  readonly join: Join
  /** The rows of one value. */
  readonly self: Join
}

/** Finds columns by path. */
export interface Columns {
  column(path: AttributePath): Column | undefined
  /** Returns a multi-valued attribute's sources, ignoring the path's sub-attribute. */
  elements(path: AttributePath): readonly ElementSource[] | undefined
}

/** Prepares a map once. The same map always returns the same lookup. */
export const prepareColumns: (map: IndexedColumnMap) => Columns = memoize(resolveEntries)

function resolveEntries(map: IndexedColumnMap): Columns {
  const columns = new Map<string, Column>()
  const elements = new Map<string, ElementSource[]>()
  const inline = new Map<string, Map<string, Column>>()
  const addSource = (attribute: string, source: ElementSource): void => {
    elements.set(attribute, [...(elements.get(attribute) ?? []), source])
  }
  for (const [path, entry] of Object.entries(map)) {
    const key = normalizePath(path)
    const [, attribute = '', type = '', name] = INLINE.exec(key) ?? []
    if (typeof entry === 'object' && 'table' in entry) addSource(key, resolveTable(entry, path))
    // An index has all values, so other paths into this attribute add nothing.
    else if (typeof entry === 'object' && 'rows' in entry) elements.set(key, [resolveRows(entry)])
    else if (name === undefined) columns.set(key, resolveEntry(entry, path))
    else {
      const element = `${attribute}[${type}]`
      const known = inline.get(element) ?? new Map([['type', { kind: 'constant', value: type }]])
      if (!inline.has(element)) addSource(attribute, { join: null, columns: known, rows: null })
      inline.set(element, known.set(name, resolveEntry(entry, `${attribute}.${name}`)))
    }
  }
  return {
    column: (path) => columns.get(normalizePath(stringifyPath(path))),
    elements: (path) => elements.get(normalizePath(stringifyPath({ ...path, subAttribute: null }))),
  }
}

function resolveTable(entry: ElementTable, path: string): ElementSource {
  const { table, on, indexed = [] } = entry
  const resolved = Object.entries(entry.columns).map(
    ([name, column]) => [fold(name), resolveEntry(column, `${path}.${name}`)] as const,
  )
  const columns = new Map(resolved)
  const names = indexed.flatMap((part) => columns.get(fold(part))?.name ?? [])
  return { join: { table, on: Object.entries(on), indexed: names }, columns, rows: null }
}

function resolveRows(entry: ValueRows): ElementSource {
  const { rows: table, on, columns, parts, keys } = entry
  const owned = Object.entries(on)
  const same = [...owned.map(([name]) => name), columns.position].map(
    (name) => [name, name] as const,
  )
  const self: Join = { table, on: same, plan: 'for each row' }
  const join: Join = { table, on: owned, plan: 'for values' }
  const resolved = Object.entries(parts).map(([name, part]): readonly [string, Column] => {
    const { column, kind } = part
    if (column === undefined) return [fold(name), { kind: 'part', part, join: self, columns, keys }]
    if (kind === 'boolean') return [fold(name), { kind, name: column }]
    return [fold(name), { kind: 'partKey', name: column, part, keys }]
  })
  return { join, columns: new Map(resolved), rows: { entry, join, self } }
}

/** Resolves an entry to a column, using the attribute's type in RFC 7643. */
export function resolveEntry(entry: SqlColumnEntry, path: string): NamedColumn {
  if (typeof entry === 'string') return { kind: 'exact', name: entry, type: findType(path) }
  const name = entry.column
  if ('key' in entry) return { kind: 'key', name, type: entry.key }
  if ('folded' in entry && entry.folded) return { kind: 'folded', name }
  if (!('type' in entry && entry.type)) {
    const kind = 'caseExact' in entry && entry.caseExact === false ? 'ilike' : 'exact'
    return { kind, name, type: findType(path) ?? 'string' }
  }
  const { type, format = 'milliseconds' } = entry
  return type === 'dateTime' ? { kind: type, name, format } : { kind: type, name }
}

/** Returns an attribute's type in RFC 7643; null if another schema defines it. */
function findType(path: string): AttributeType | null {
  const node = findNode(path, KNOWN)
  const type = node?.kind === 'attribute' ? significantPart(node).type : 'complex'
  return type === 'complex' ? null : type
}

/** RFC 7644 §3.10: the core schema's URN may be omitted. */
function normalizePath(path: string): string {
  const key = fold(path)
  const core = CORE.find((urn) => key.startsWith(urn))
  return core === undefined ? key : key.slice(core.length)
}

const CORE = [USER_SCHEMA, GROUP_SCHEMA].map((urn) => `${fold(urn)}:`)
/** `emails[work].value`, folded. */
const INLINE = /^([^[]+)\[([^\]]+)\]\.([^.\]]+)$/
