import type { JsonObject } from '../json.ts'
import { own, unlessEmpty } from '../json.ts'
import type { AttributeNode } from '../schema/attribute-index.ts'

/**
 * Writes the model members in `attributes` as wire members: `ref` becomes `$ref`, and a `Date` becomes an RFC 3339
 * string. Empty, write-only and never returned members are omitted.
 */
export function writeMembers(
  model: object,
  attributes: ReadonlyMap<string, AttributeNode>,
): JsonObject {
  const members: [string, unknown][] = []
  for (const node of attributes.values()) {
    if (node.returned === 'never') continue
    const value =
      own(model, node.name) ?? (isModelRef(node, attributes) ? own(model, 'ref') : undefined)
    const written = writeValue(value, node)
    if (written !== undefined) members.push([node.name, written])
  }
  return Object.fromEntries(members)
}

/** Writes a value without a definition: dates as strings, without empty values. */
export function writePlain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return unlessEmpty(value.map(writePlain).filter(isSomething))
  if (typeof value !== 'object' || value === null) return value ?? undefined
  const members = Object.entries(value).map(([name, part]) => [name, writePlain(part)])
  return unlessEmpty(Object.fromEntries(members.filter(([, part]) => isSomething(part))))
}

function writeValue(value: unknown, node: AttributeNode): unknown {
  if (!Array.isArray(value)) return writeSingle(value, node)
  return unlessEmpty(value.map((element) => writeSingle(element, node)).filter(isSomething))
}

function writeSingle(value: unknown, node: AttributeNode): unknown {
  if (node.type !== 'complex') return writePlain(value)
  if (typeof value !== 'object' || value === null) return undefined
  return unlessEmpty(writeMembers(value, node.subAttributes))
}

/** A model has `$ref` as `ref`, unless `ref` is defined itself. */
function isModelRef(
  { name }: AttributeNode,
  attributes: ReadonlyMap<string, AttributeNode>,
): boolean {
  return name === '$ref' && !attributes.has('ref')
}

function isSomething(value: unknown): boolean {
  return value !== undefined
}
