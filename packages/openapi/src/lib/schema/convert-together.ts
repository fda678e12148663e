import {
  DEFINITIONS,
  isJsonObject,
  type JsonObject,
  memoize,
  nameInReference,
  setOwn,
} from '@plumbline/base'
import type { Schema } from './standard-schema.ts'
import { type Converted, convert, convertSameSides } from './to-json-schema.ts'
import { someSchema } from './walk.ts'
import { findZodVersion, isZodName, isZodObject, type ZodObject, type ZodVersion } from './zod.ts'
import { createSideFinder } from './zod-sides.ts'

/**
 * Converts a document's zod schemas in one call, so a named schema is converted once, not once for each containing
 * schema. Omits schemas that `convert` might convert differently, such as those with a nameless recursive part. If one
 * schema cannot be converted, all are omitted.
 *
 * This package does not import zod. The call converts an object with the schemas as properties, created with the
 * public `clone` method of one schema.
 */
export function convertTogether(schemas: Iterable<Schema>): ReadonlyMap<Schema, JsonObject> {
  const converted = new Map<Schema, JsonObject>()
  for (const group of groupByVersion(schemas)) {
    const host = group.find(isZodObject)
    if (host === undefined || group.length < 2) continue
    const hasSameSides = createSideFinder()
    const same = new Set(group.filter(hasSameSides))
    const others = group.filter((schema) => !same.has(schema))
    convertGroup(host, [...same], convertSameSides, converted)
    convertGroup(host, others, convert, converted)
  }
  return converted
}

/** Groups zod schemas by the zod copy that made them: each copy has its own name registry. */
function groupByVersion(schemas: Iterable<Schema>): Iterable<readonly Schema[]> {
  const groups = new Map<unknown, Schema[]>()
  for (const schema of new Set(schemas)) {
    const version = findZodVersion(schema)
    if (version === null || !isSupported(version)) continue
    const group = groups.get(version)
    if (group) group.push(schema)
    else groups.set(version, [schema])
  }
  return groups.values()
}

/** Before version 4.5, zod wrote a named schema differently if it was converted separately. */
function isSupported({ major, minor }: ZodVersion): boolean {
  return major === 4 && minor >= 5
}

function convertGroup(
  host: ZodObject,
  group: readonly Schema[],
  convertAll: (schema: Schema) => Converted,
  converted: Map<Schema, JsonObject>,
): void {
  // The keys are indices, which engines store like a list.
  const shape = { ...group }
  // zod rejects two schemas with one name, so the group is not converted.
  const { value } = convertAll(host.clone({ type: 'object', shape }))
  if (value === undefined || value.inexact.length > 0) return
  const { properties, $defs = {} } = value.json
  if (!isJsonObject(properties) || !isJsonObject($defs)) return
  const findDefinitions = createFinder($defs)
  for (const [at, schema] of group.entries()) {
    const json = properties[at]
    const used = isJsonObject(json) ? findDefinitions(json) : null
    if (!isJsonObject(json) || used === null) continue
    if (used.size > 0) setOwn(json, '$defs', pick($defs, used))
    converted.set(schema, json)
  }
}

/** Finds the definitions a schema refers to; null if `convert` might write one differently. */
type FindDefinitions = (schema: JsonObject) => ReadonlySet<string> | null

function createFinder($defs: JsonObject): FindDefinitions {
  const named = new Map<string, JsonObject>()
  for (const [name, definition] of Object.entries($defs)) {
    if (isJsonObject(definition) && isNamedByKey(name, definition)) named.set(name, definition)
  }
  const referencesOf = memoize(findReferences)
  const findAll: FindDefinitions = (schema) => {
    const found = new Set<string>()
    // The list grows while it is read. A definition may refer to itself.
    const waiting = [schema]
    for (const next of waiting) {
      for (const reference of referencesOf(next)) {
        const name = nameInReference(reference, DEFINITIONS) ?? ''
        const definition = named.get(name)
        if (definition === undefined) return null
        if (!found.has(name)) waiting.push(definition)
        found.add(name)
      }
    }
    return found
  }
  // zod writes a cycle as it meets it: `convert` may meet it at another schema.
  const isRecursive = memoize((definition: JsonObject) =>
    [...(findAll(definition) ?? [])].some((name) => named.get(name) === definition),
  )
  return (schema) => {
    const found = findAll(schema)
    const definitions = [...(found ?? [])].flatMap((name): JsonObject[] => {
      const definition = named.get(name)
      return definition === undefined ? [] : [definition]
    })
    return definitions.some(isRecursive) ? null : found
  }
}

/**
 * Whether a key is the definition's only name. zod numbers a nameless recursive schema, and writes it differently
 * depending on the converted schema: `convert` starts with another one.
 */
function isNamedByKey(key: string, { id, $id }: JsonObject): boolean {
  return isZodName(key) && id === undefined && $id === undefined
}

function findReferences(schema: JsonObject): readonly string[] {
  const references: string[] = []
  someSchema(schema, ({ $ref }) => {
    if ($ref !== undefined) references.push(String($ref))
    return false
  })
  return references
}

function pick($defs: JsonObject, names: Iterable<string>): JsonObject {
  const picked: Record<string, unknown> = {}
  for (const name of names) setOwn(picked, name, $defs[name])
  return picked
}
