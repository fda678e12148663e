import { isJsonObject, type JsonObject, nameInReference, own } from '@plumbline/base'
import { COMPONENTS, referenceTo } from './component-name.ts'

/** A schema with alternatives, which is still being written. */
export type Union = Record<string, unknown>

/** Whether a schema has alternatives and all of them are named. */
export function isUnionOfNames(schema: JsonObject): boolean {
  return namesIn(schema) !== null
}

/**
 * Adds a discriminator to a union if all branches are named and require the same property, each with distinct values
 * (OpenAPI 3.1.1 §4.8.25).
 */
export function addDiscriminator(union: Union, schemaOf: (name: string) => unknown): void {
  const names = namesIn(union)
  if (names === null || Object.hasOwn(union, 'discriminator')) return
  const branches = names.map((name) => ({ name, schema: schemaOf(name) }))
  const [first] = branches
  const properties = own(first?.schema, 'properties')
  if (!isJsonObject(properties)) return
  for (const propertyName of Object.keys(properties)) {
    const mapping = buildMapping(propertyName, branches)
    if (mapping === null) continue
    union.discriminator = { propertyName, mapping }
    return
  }
}

interface Branch {
  readonly name: string
  readonly schema: unknown
}

/** Maps a property's values to branches; null if the property does not distinguish the branches. */
function buildMapping(
  property: string,
  branches: readonly Branch[],
): Record<string, string> | null {
  const mapping = new Map<string, string>()
  for (const { name, schema } of branches) {
    const values = tagsOf(schema, property)
    if (values.length === 0) return null
    for (const value of values) {
      if (typeof value !== 'string' || mapping.has(value)) return null
      mapping.set(value, referenceTo(name))
    }
  }
  return Object.fromEntries(mapping)
}

/** A required property's constants. */
function tagsOf(schema: unknown, property: string): readonly unknown[] {
  const required = own(schema, 'required')
  if (!Array.isArray(required) || !required.includes(property)) return []
  const tag = own(own(schema, 'properties'), property)
  if (!isJsonObject(tag)) return []
  if (Object.hasOwn(tag, 'const')) return [tag.const]
  return Array.isArray(tag.enum) ? tag.enum : []
}

/** The alternatives' names; null if there are fewer than two or one of them is not named. */
function namesIn({ anyOf, oneOf }: JsonObject): readonly string[] | null {
  if (anyOf !== undefined && oneOf !== undefined) return null
  const branches = anyOf ?? oneOf
  if (!Array.isArray(branches) || branches.length < 2) return null
  const names: string[] = []
  for (const branch of branches) {
    const reference = own(branch, '$ref')
    const name = typeof reference === 'string' ? nameInReference(reference, COMPONENTS) : null
    if (name === null || Object.keys(branch).length > 1) return null
    names.push(name)
  }
  return names
}
