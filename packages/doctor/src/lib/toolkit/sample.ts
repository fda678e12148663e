import { GROUP_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import type { JsonObject } from '../json.ts'
import { plainValue } from '../model/generate.ts'
import { type Attribute, type ExaminedType, findAttribute, isWritable } from '../model/types.ts'

/** Returns a text no other resource contains, also for the user part of an address. */
export type Unique = () => string

/**
 * Builds a plausible resource from the type's schemas: the required attributes, and, as far as the server declares
 * them, the attributes most servers require for users and groups.
 */
export function sampleResource(type: ExaminedType, unique: Unique): JsonObject {
  const name = unique()
  const resource: JsonObject = {
    ...usualValues(type, name),
    ...requiredOf(type, type.schema, name),
  }
  const schemas = [type.schema]
  for (const { schema, required } of type.extensions) {
    const values = requiredOf(type, schema, name)
    if (!required && Object.keys(values).length === 0) continue
    schemas.push(schema)
    resource[schema] = values
  }
  return { schemas, ...resource }
}

/** The attributes a server expects in users and groups, even where the schema does not require them. */
function usualValues(type: ExaminedType, name: string): JsonObject {
  const usual: Readonly<Record<string, unknown>> = USUAL[type.schema]?.(name) ?? {}
  return declaredOf(type, usual)
}

/** Keeps the members the type declares as writable, with the sub-attributes it declares. */
export function declaredOf(type: ExaminedType, values: Readonly<JsonObject>): JsonObject {
  const entries = Object.entries(values).flatMap(([name, value]) => {
    if (name === 'externalId') return [[name, value]]
    const attribute = findAttribute(type, name)
    if (attribute === undefined || !isWritable(attribute)) return []
    return [[attribute.name, partsOf(attribute, value)]]
  })
  return Object.fromEntries(entries)
}

function partsOf(attribute: Attribute, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => partsOf(attribute, one))
  if (attribute.type !== 'complex' || typeof value !== 'object' || value === null) return value
  const declared = new Set(attribute.subAttributes?.map(({ name }) => name))
  return Object.fromEntries(Object.entries(value).filter(([name]) => declared.has(name)))
}

function requiredOf(
  { definitions, schema: core }: ExaminedType,
  schema: string,
  name: string,
): JsonObject {
  const attributes = definitions[schema]?.attributes ?? []
  const isUsual = (attribute: Attribute): boolean =>
    schema === core && Object.hasOwn(USUAL[core]?.(name) ?? {}, attribute.name)
  return Object.fromEntries(
    attributes
      .filter((attribute) => attribute.required && isWritable(attribute) && !isUsual(attribute))
      .map((attribute) => [attribute.name, plainValue(attribute, name)]),
  )
}

const USUAL: Readonly<Record<string, (name: string) => JsonObject>> = {
  [USER_SCHEMA]: (name) => ({
    userName: `${name}@example.com`,
    externalId: name,
    name: { givenName: 'Ada', familyName: 'Sample', formatted: 'Ada Sample' },
    displayName: `Ada Sample ${name}`,
    active: true,
    emails: [{ value: `${name}@example.com`, type: 'work', primary: true }],
  }),
  [GROUP_SCHEMA]: (name) => ({ displayName: name, externalId: name }),
}
