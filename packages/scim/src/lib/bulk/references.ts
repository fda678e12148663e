import { parsePatchPath } from '../filter/parse.ts'
import { stringifyPatchPath } from '../filter/stringify.ts'
import type { Expression } from '../filter/tree.ts'
import { isJsonObject, type JsonObject } from '../json.ts'
import { readTextValue } from '../patch/coerce.ts'
import {
  type AttributeIndex,
  type AttributeNode,
  resolveInBrackets,
  resolvePath,
  type SchemaNode,
} from '../schema/attribute-index.ts'
import { fold } from '../values/fold.ts'
import { memberReader } from '../values/member.ts'
import { isReference } from './reference-attributes.ts'

/** Returns the text in place of an id, or of a URL, that refers to a resource. */
export type MapReference = (text: string, place: { readonly isUrl: boolean }) => string

/**
 * Replaces the ids and URLs at references in a POST or PUT body, as the definitions declare them. The result shares
 * unchanged parts with the body.
 */
export function mapResource(
  resource: JsonObject,
  index: AttributeIndex,
  map: MapReference,
): JsonObject {
  return mapMembers(resource, (name, value) => mapMember(name, value, index, map))
}

/** Maps a resource's member: a core attribute, or a schema's attributes. */
export function mapMember(
  name: string,
  value: unknown,
  index: AttributeIndex,
  map: MapReference,
): unknown {
  const key = fold(name)
  const node = index.core.attributes.get(key)
  if (node !== undefined) return mapValue(value, node, map)
  const schema = schemaOf(name, index)
  return schema === null ? value : mapKeys(value, `${schema.id}:`, index, map)
}

/** Returns the schema whose attributes are in a member with this name (RFC 7643 §3.3), or null. */
export function schemaOf(name: string, { schemas }: AttributeIndex): SchemaNode | null {
  return schemas.get(fold(name)) ?? null
}

/** Maps a PATCH body: the operations' values, and the filters in their paths (RFC 7644 §3.5.2). */
export function mapPatch(body: JsonObject, index: AttributeIndex, map: MapReference): JsonObject {
  return mapMembers(body, (name, value) =>
    fold(name) === 'operations'
      ? mapElements(value, (operation) => mapOperation(operation, index, map))
      : value,
  )
}

function mapOperation(operation: unknown, index: AttributeIndex, map: MapReference): unknown {
  if (!isJsonObject(operation)) return operation
  const path = readPath(operation)
  return mapMembers(operation, (name, value) => {
    const key = fold(name)
    if (key === 'path' && typeof value === 'string') return mapPath(value, index, map)
    if (key !== 'value') return value
    return typeof path === 'string' && path !== ''
      ? mapTarget(value, targetOf(path, index), index, map)
      : mapKeys(readTextValue(value, null), '', index, map)
  })
}

const readPath = memberReader('path')

/** Maps an object with paths as keys, below a schema's prefix. */
function mapKeys(
  value: unknown,
  prefix: string,
  index: AttributeIndex,
  map: MapReference,
): unknown {
  if (!isJsonObject(value)) return value
  const isQualified = (key: string): boolean => fold(key).startsWith(fold(prefix))
  const pathOf = (key: string): string => (isQualified(key) ? key : `${prefix}${key}`)
  const mapped = mapMembers(value, (key, member) =>
    mapTarget(member, targetOf(pathOf(key), index), index, map),
  )
  if (!Object.keys(mapped).some((key) => key.includes('['))) return mapped
  const entries = Object.entries(mapped).map(([key, member]): [string, unknown] => {
    const path = mapPath(pathOf(key), index, map)
    return [path === pathOf(key) ? key : path, member]
  })
  return Object.fromEntries(entries)
}

type Target = AttributeNode | SchemaNode | null

/** Returns a path's target. Null for an unknown or malformed path, whose operation fails later. */
function targetOf(path: string, index: AttributeIndex): Target {
  const parsed = parsePatchPath(path)
  return parsed.status === 'success' ? resolvePath(index, parsed.data.attribute) : null
}

function mapTarget(
  value: unknown,
  target: Target,
  index: AttributeIndex,
  map: MapReference,
): unknown {
  if (target === null) return value
  return target.kind === 'schema'
    ? mapKeys(readTextValue(value, null), `${target.id}:`, index, map)
    : mapValue(readTextValue(value, target), target, map)
}

function mapValue(value: unknown, node: AttributeNode, map: MapReference): unknown {
  if (Array.isArray(value)) return mapElements(value, (element) => mapValue(element, node, map))
  if (typeof value === 'string') return mapText(value, node, map)
  if (!isJsonObject(value)) return value
  return mapMembers(value, (name, member) => {
    const part = node.subAttributes.get(fold(name))
    if (part !== undefined) return mapValue(member, part, map)
    // Deviation: Entra ID may wrap a single value in an object.
    return node.type !== 'complex' && fold(name) === 'value' ? mapValue(member, node, map) : member
  })
}

/** Deviation: a string in place of a complex value is its `value`. Entra ID sets a manager with its id only. */
function mapText(text: string, node: AttributeNode, map: MapReference): string {
  const target = node.type === 'complex' ? node.subAttributes.get('value') : node
  if (target === undefined || !isReference(target)) return text
  return map(text, { isUrl: target.type === 'reference' })
}

/** Maps an operation's path, such as `members[value eq "bulkId:a"]`. */
function mapPath(path: string, index: AttributeIndex, map: MapReference): string {
  if (!path.includes('[')) return path
  const parsed = parsePatchPath(path)
  if (parsed.status === 'failure' || parsed.data.filter === null) return path
  const { attribute, filter } = parsed.data
  const node = resolvePath(index, { ...attribute, subAttribute: null })
  if (node?.kind !== 'attribute') return path
  const mapped = mapFilter(filter, node, map)
  return mapped === filter ? path : stringifyPatchPath({ attribute, filter: mapped })
}

function mapFilter(filter: Expression, node: AttributeNode, map: MapReference): Expression {
  switch (filter.type) {
    case 'logical': {
      const operands = filter.operands.map((operand) => mapFilter(operand, node, map))
      const isSame = operands.every((operand, at) => operand === filter.operands[at])
      return isSame ? filter : { ...filter, operands }
    }
    case 'not': {
      const operand = mapFilter(filter.operand, node, map)
      return operand === filter.operand ? filter : { ...filter, operand }
    }
    case 'compare': {
      const part = resolveInBrackets(node, filter.path)
      if (part === null || typeof filter.value !== 'string') return filter
      const value = mapText(filter.value, part, map)
      return value === filter.value ? filter : { ...filter, value }
    }
    default:
      return filter
  }
}

/** Returns the same object if no member changes. */
function mapMembers(
  members: JsonObject,
  map: (name: string, member: unknown) => unknown,
): JsonObject {
  let isChanged = false
  const entries = Object.entries(members).map(([name, member]): [string, unknown] => {
    const mapped = map(name, member)
    isChanged ||= mapped !== member
    return [name, mapped]
  })
  return isChanged ? Object.fromEntries(entries) : members
}

/** Returns the same list if no element changes. */
function mapElements(value: unknown, map: (element: unknown) => unknown): unknown {
  if (!Array.isArray(value)) return value
  const mapped = value.map(map)
  return mapped.every((element, at) => element === value[at]) ? value : mapped
}
