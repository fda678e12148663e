import { findNode } from '../../filter/find-attributes.ts'
import { resolveEntry } from '../../predicate/column-map.ts'
import type { SqlColumnEntry } from '../../predicate/columns.ts'
import { type AttributeNode, attributeIndex } from '../../schema/attribute-index.ts'
import type { Attribute, Definitions } from '../../schema/types.ts'
import { fold } from '../../values/fold.ts'
import { valueIndex } from '../value-index/value-index.ts'
import { narrowDefinitions } from './definitions.ts'
import { documentNodes } from './document.ts'
import type { Connection, Field, MapOptions, StoreMap, Values } from './fields.ts'
import { requireColumn, requireList, requirePart } from './fit.ts'
import type { AttributeEntry, CodedColumn, ValueTable } from './types.ts'

/** Prepares a store's attribute map. Throws a TypeError if it does not fit the definitions. */
export function prepareMap(options: MapOptions, tenant: string | null): StoreMap {
  const { definitions, attributes, id, document } = options
  const fields: Field[] = []
  const values: Values[] = []
  const idEntry: SqlColumnEntry = typeof id === 'string' ? { column: id } : id
  const columns: Record<string, SqlColumnEntry | ValueTable> = { id: idEntry }
  for (const [path, given] of Object.entries(attributes)) {
    const entry = assigned(given)
    const [, attribute = '', element = null, part = ''] = INLINE.exec(path) ?? []
    const node = findNode(
      element === null ? path : `${attribute}.${part}`,
      attributeIndex(definitions),
    )
    if (node?.kind !== 'attribute') throw new TypeError(`the definitions do not contain ${path}`)
    const place = { path, node, element }
    if (isTable(entry)) {
      requireList(place)
      const prepared = prepareValues(entry, node, { id, tenant })
      values.push(prepared)
      columns[path] = prepared.table
      continue
    }
    requireColumn(place, entry)
    const column = typeof entry === 'string' ? entry : entry.column
    const typed = typeEntry(entry, node)
    // If a document has the other elements, this column lacks some of the attribute's values.
    if (typed !== null && (element === null || document === undefined)) columns[path] = typed
    const codec = typed === null ? codecOf(entry) : resolveEntry(typed, path)
    const isActive = node.parent === null && node.name === 'active'
    const preset = typeof entry === 'object' ? entry.default : undefined
    const initial = preset ?? (isActive ? true : undefined)
    fields.push({ path, column, node, element, codec, default: preset, initial })
  }
  const narrowed = narrowDefinitions(options, { fields, values })
  const index = prepareIndex(options, narrowed, { fields, values }, tenant)
  return {
    definitions: narrowed,
    id: resolveEntry(idEntry, 'id'),
    fields,
    values,
    columns: { ...columns, ...index?.columns },
    document:
      document === undefined ? null : { column: document, nodes: documentNodes(narrowed, values) },
    index,
  }
}

/** Indexes the multi-valued attributes stored as JSON. Others have their own tables and columns to filter by. */
function prepareIndex(
  { index, id, document }: MapOptions,
  definitions: Definitions,
  { fields, values }: Pick<StoreMap, 'fields' | 'values'>,
  tenant: string | null,
): StoreMap['index'] {
  if (index === undefined) return null
  const inline = document === undefined ? fields.filter(({ element }) => element !== null) : []
  const others = [...values.map(({ node }) => node), ...inline.map(({ node }) => node.parent)]
  const indexed = Object.entries(definitions).map(([urn, definition]) => {
    const isIndexed = ({ name }: Attribute): boolean =>
      !others.some((node) => node?.name === name && node.schema.id === definition.id)
    return [urn, { ...definition, attributes: definition.attributes.filter(isIndexed) }] as const
  })
  const connection = connectionOf(index.on, index.table, { id, tenant })
  return { ...valueIndex(Object.fromEntries(indexed), index), ...connection }
}

/** An entry without undefined members, which a spread may leave. */
function assigned<Entry extends object | string>(entry: Entry): Entry {
  if (typeof entry === 'string') return entry
  const members = Object.entries(entry).filter(([, value]) => value !== undefined)
  return Object.fromEntries(members) as Entry
}

function isTable(entry: AttributeEntry): entry is ValueTable {
  return typeof entry === 'object' && 'table' in entry
}

function prepareValues(
  entry: ValueTable,
  node: AttributeNode,
  { id, tenant }: { readonly id: MapOptions['id']; readonly tenant: string | null },
): Values {
  const types = Object.entries(entry.columns).map(([name, given]) => {
    const part = node.subAttributes.get(fold(name)) ?? (name === 'value' ? node : undefined)
    if (part === undefined || (node.type === 'complex' && part === node)) {
      throw new TypeError(`the definitions do not contain ${node.name}.${name}`)
    }
    const column = assigned(given)
    requirePart({ path: `${node.name}.${name}`, node: part, element: null }, column)
    const name_ = part === node ? 'value' : part.name
    return [name_, typeEntry(column, part) ?? column] as const
  })
  return {
    node,
    table: { ...entry, columns: Object.fromEntries(types) },
    ...connectionOf(entry.on, node.name, { id, tenant }),
    columns: new Map(
      types.map(([name, column]) => [name, resolveEntry(column, `${node.name}.${name}`)]),
    ),
    order: orderOf(entry),
  }
}

function connectionOf(
  on: ValueTable['on'],
  name: string,
  { id, tenant }: { readonly id: MapOptions['id']; readonly tenant: string | null },
): Connection {
  const idColumn = typeof id === 'string' ? id : id.column
  const pairs = Object.entries(on)
  const key = pairs.find(([, own]) => own === idColumn)?.[0]
  const tenantColumn = pairs.find(([, own]) => own === tenant)?.[0] ?? null
  if (key === undefined || pairs.length !== (tenantColumn === null ? 1 : 2)) {
    throw new TypeError(`${name}: on must name the columns of the id and the tenant`)
  }
  return { key, tenantColumn }
}

function orderOf({ order }: ValueTable): Values['order'] {
  if (order === undefined) return null
  return typeof order === 'string'
    ? { column: order, isWritten: true }
    : { column: order.column, isWritten: false }
}

/** Adds the attribute's type to a column entry; null if filters cannot use the column. */
function typeEntry(entry: AttributeEntry, node: AttributeNode): SqlColumnEntry | null {
  if (typeof entry === 'string') return typeColumn(entry, node)
  if ('table' in entry || 'encode' in entry || ('type' in entry && entry.type === 'json'))
    return null
  const isPlain = !('key' in entry || 'folded' in entry || 'type' in entry || 'caseExact' in entry)
  return isPlain ? typeColumn(entry.column, node) : (entry as SqlColumnEntry)
}

function typeColumn(column: string, { type, caseExact }: AttributeNode): SqlColumnEntry {
  switch (type) {
    case 'boolean':
    case 'integer':
    case 'decimal':
      return { column, type }
    case 'dateTime':
      return { column, type, format: 'timestamp' }
    case 'string':
    case 'reference':
    case 'binary':
    case 'complex':
      return { column, caseExact }
  }
}

function codecOf(entry: AttributeEntry): CodedColumn | 'json' {
  return typeof entry === 'object' && 'encode' in entry ? entry : 'json'
}

/** `emails[work].value` */
const INLINE = /^(.+)\[([^\]]+)\]\.([^.\]]+)$/
