import { kindOf } from '@plumbline/base'
import type { WireResource } from '../../endpoint/options/store.ts'
import { isJsonObject, own } from '../../json.ts'
import type { AttributeNode } from '../../schema/attribute-index.ts'
import { cellOf, keyText } from '../cells.ts'
import { type Fragment, joinFragments } from '../fragment.ts'
import { decodeField, decodeInteger, decodeJson } from './decode.ts'
import { elementsOf, isOfType } from './elements.ts'
import type { Field } from './fields.ts'
import { isReturned, readNames } from './read-names.ts'
import type { Session } from './session.ts'
import type { SqlRow } from './types.ts'

/** Lists the columns needed to read a resource. */
export function selectedColumns({ options, map, column }: Session): Fragment {
  return joinFragments(readNames(map, options).map(column), ', ')
}

/** Converts a row to a resource, without the attributes in their own tables. */
export function resourceOf(session: Session, row: SqlRow): WireResource {
  const { options, map, hooks } = session
  const resource: WireResource = { id: idOf(session, row), ...readDocument(session, row) }
  const elements = new Map<string, WireResource>()
  for (const field of map.fields) {
    if (!isReturned(field)) continue
    const value = decodeField(field, cellOf(row, field.column), options.table)
    if (value === undefined) continue
    if (field.element === null) write(resource, field.node, value)
    else addToElement(resource, elements, field, value)
  }
  const version = versionOf(session, row)
  if (version !== null) resource.meta = { ...Object(resource.meta), version }
  if (hooks.read === undefined) return resource
  for (const name of options.select ?? []) cellOf(row, name)
  return { ...resource, ...hooks.read(row) }
}

/** Returns a row's entity tag; null without a version column. A row that is older than the column has version 0. */
export function versionOf({ options }: Session, row: SqlRow): string | null {
  const { table, version } = options
  if (version === undefined) return null
  return `W/"${decodeInteger(cellOf(row, version) ?? 0, `${table}.${version}`)}"`
}

/** Reads the attributes in a row's document. */
function readDocument({ map: { document }, options }: Session, row: SqlRow): WireResource {
  if (document === null) return {}
  const place = `${options.table}.${document.column}`
  const content = decodeJson(cellOf(row, document.column), place) ?? {}
  if (isJsonObject(content)) return content
  throw new TypeError(`${place} contains ${kindOf(content)}, but a document is a JSON object`)
}

/** Returns a resource's value for a field; undefined if it is unassigned. */
export function valueAt(resource: WireResource, { node, element }: Field): unknown {
  const { container } = node.schema
  const holder = container === null ? resource : own(resource, container)
  if (!isJsonObject(holder)) return undefined
  if (node.parent === null) return own(holder, node.name) ?? undefined
  const parent = own(holder, node.parent.name)
  const part = element === null ? parent : elementsOf(parent).find((one) => isOfType(one, element))
  return isJsonObject(part) ? (own(part, node.name) ?? undefined) : undefined
}

function addToElement(
  resource: WireResource,
  elements: Map<string, WireResource>,
  { node, element: type }: Field,
  value: unknown,
): void {
  if (node.parent === null) return
  const key = `${node.schema.id}:${node.parent.name}[${type}]`
  const before = elementsOf(read(resource, node.parent))
  // The document contains the element's other parts.
  const known = elements.get(key) ?? before.find((one) => isOfType(one, String(type)))
  const element = known ?? { type }
  elements.set(key, element)
  element[node.name] = value
  if (known === undefined) write(resource, node.parent, [...before, element])
}

function read(resource: WireResource, { schema, name }: AttributeNode): unknown {
  const holder = schema.container === null ? resource : own(resource, schema.container)
  return isJsonObject(holder) ? own(holder, name) : undefined
}

/** Assigns an attribute. The names come from the definitions. */
export function write(resource: WireResource, node: AttributeNode, value: unknown): void {
  const { schema, parent, name } = node
  const steps = [schema.container, parent?.name].filter((step) => step != null)
  let holder = resource
  for (const step of steps) {
    const inner = own(holder, step)
    const next: WireResource = isJsonObject(inner) ? inner : {}
    holder[step] = next
    holder = next
  }
  holder[name] = value
}

/** Returns a row's id. */
export function idOf({ map, options }: Session, row: SqlRow): string {
  return keyText(cellOf(row, map.id.name), `${options.table}.${map.id.name}`)
}
