import { isJsonObject } from '../json.ts'
import { fold } from '../values/fold.ts'
import { memberReader } from '../values/member.ts'
import { type AttributeIndex, attributeIndex, type SchemaNode } from './attribute-index.ts'
import type { Definitions } from './types.ts'

/**
 * The definitions with the core schema of `resource` first, so that one value can contain several resource
 * types (RFC 7643 §3: `schemas` lists the core schema). A resource that lists the first schema, or no schema
 * of the definitions, gets `definitions` itself. The same core schema always returns the same value.
 */
export function definitionsFor(definitions: Definitions, resource: object): Definitions {
  const index = attributeIndex(definitions)
  if (index.schemas.size === 1) return definitions
  const core = findCore(index, resource as Readonly<Record<string, unknown>>)
  return core === index.core ? definitions : reorder(core.id, definitions)
}

function findCore(
  { core, schemas }: AttributeIndex,
  resource: Readonly<Record<string, unknown>>,
): SchemaNode {
  const listed = readSchemas(resource)
  if (!Array.isArray(listed) || listed.includes(core.id)) return core
  const urns = new Set(listed.map((urn) => (typeof urn === 'string' ? fold(urn) : '')))
  if (urns.has(fold(core.id))) return core
  for (const [urn, schema] of schemas)
    if (urns.has(urn) && isCoreOf(schema, resource)) return schema
  return core
}

/** An extension keeps its attributes in a member of their own. A core schema has them in the resource. */
function isCoreOf(schema: SchemaNode, resource: Readonly<Record<string, unknown>>): boolean {
  if (isJsonObject(memberReader(schema.id)(resource))) return false
  return Object.keys(resource).some((name) => schema.attributes.has(fold(name)))
}

const readSchemas = memberReader('schemas')

const reordered = new WeakMap<Definitions, Map<string, Definitions>>()

function reorder(id: string, definitions: Definitions): Definitions {
  const byCore = reordered.get(definitions) ?? new Map<string, Definitions>()
  reordered.set(definitions, byCore)
  const known = byCore.get(id)
  if (known) return known
  const all = Object.values(definitions)
  const isCore = (one: { readonly id: string }): boolean => one.id === id
  const made = Object.fromEntries(
    [...all.filter(isCore), ...all.filter((one) => !isCore(one))].map((one) => [one.id, one]),
  )
  byCore.set(id, made)
  return made
}
