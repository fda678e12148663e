import { memoize } from '@plumbline/base'
import { isJsonObject } from '../json.ts'
import { fold } from '../values/fold.ts'
import { memberReader } from '../values/member.ts'
import { type AttributeIndex, attributeIndex, type SchemaNode } from './attribute-index.ts'
import type { Definitions } from './types.ts'

/**
 * Returns the definitions with the core schema of `resource` first, so one value can contain several resource types
 * (RFC 7643 §3: `schemas` lists the core schema). Returns `definitions` itself if the resource lists the first schema
 * or no defined schema. The same core schema always returns the same value.
 */
export function definitionsFor(definitions: Definitions, resource: object): Definitions {
  const index = attributeIndex(definitions)
  if (index.schemas.size === 1 || listsFirst(index.core, resource)) return definitions
  const core = findCore(index, resource as Readonly<Record<string, unknown>>)
  return core === index.core ? definitions : reordered(definitions)(core)
}

/**
 * Returns whether a resource lists this schema first, as most do. A shortcut, because each filter asks this for each
 * resource.
 */
export function listsFirst({ id }: SchemaNode, resource: object): boolean {
  const { schemas } = resource as { readonly schemas?: unknown }
  return Array.isArray(schemas) && schemas[0] === id
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

/**
 * Returns whether a schema is the resource's core. Extensions keep their attributes in their own member, a core schema
 * in the resource itself.
 */
function isCoreOf(schema: SchemaNode, resource: Readonly<Record<string, unknown>>): boolean {
  if (isJsonObject(memberReader(schema.id)(resource))) return false
  return Object.keys(resource).some((name) => schema.attributes.has(fold(name)))
}

const readSchemas = memberReader('schemas')

/** Moves another core schema to the start of the definitions, once for each. */
const reordered = memoize((definitions: Definitions) =>
  memoize((core: SchemaNode): Definitions => {
    const all = Object.values(definitions)
    const isCore = ({ id }: { readonly id: string }): boolean => id === core.id
    const ordered = [...all.filter(isCore), ...all]
    return Object.fromEntries(ordered.map((one) => [one.id, one]))
  }),
)
