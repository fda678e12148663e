import { isJsonObject, type JsonObject, own } from '@plumbline/base'
import { followReference } from '../to-json-schema.ts'

/** An object's properties by name. */
type Properties = ReadonlyMap<string, JsonObject | boolean>

/** The properties an object schema names, including `allOf` and alternatives. */
export function propertiesOf(json: JsonObject): Properties {
  const { properties, $ref, allOf, anyOf, oneOf, propertyNames } = json
  const others = $ref ?? allOf ?? anyOf ?? oneOf ?? propertyNames
  // Most schemas name all their properties themselves.
  if (others === undefined && isJsonObject(properties)) {
    return new Map(Object.entries(properties).filter(isProperty))
  }
  return propertiesWithin(json, json, new Set())
}

function propertiesWithin(schema: unknown, root: JsonObject, entered: Set<unknown>): Properties {
  const parts = conjunctsOf(schema, root)
  const alternatives = parts.flatMap((part) => ALTERNATIVES.map((keyword) => own(part, keyword)))
  const named = alternatives.map((branches) => {
    // Entered once: a schema may be among its own alternatives.
    if (!Array.isArray(branches) || entered.has(branches)) return NO_PROPERTIES
    entered.add(branches)
    const each = branches.flatMap((branch) => [...propertiesWithin(branch, root, entered)])
    return groupProperties(each, 'anyOf')
  })
  return groupProperties(
    [...parts.flatMap(listProperties), ...named.flatMap((one) => [...one])],
    'allOf',
  )
}

/** Keywords for alternatives. */
export const ALTERNATIVES = ['anyOf', 'oneOf'] as const
const NO_PROPERTIES: Properties = new Map()

function isProperty(entry: [string, unknown]): entry is [string, JsonObject | boolean] {
  return isJsonObject(entry[1]) || typeof entry[1] === 'boolean'
}

/** Joins all schemas for each name into one schema. */
function groupProperties(
  listed: readonly (readonly [name: string, property: unknown])[],
  keyword: 'allOf' | 'anyOf',
): Properties {
  const found = new Map<string, (JsonObject | boolean)[]>()
  for (const [name, property] of listed) {
    if (!isJsonObject(property) && typeof property !== 'boolean') continue
    const known = found.get(name)
    if (known) known.push(property)
    else found.set(name, [property])
  }
  return new Map([...found].map(([name, all]) => [name, combineSchemas(all, keyword)]))
}

function combineSchemas(
  all: readonly (JsonObject | boolean)[],
  keyword: 'allOf' | 'anyOf',
): JsonObject | boolean {
  const [first = true, ...others] = all
  if (others.length === 0) return first
  const different = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
  return different.length === 1 ? first : { [keyword]: different }
}

/** JSON Schema Core §10.3.2: `propertyNames` lists a record's names. */
function listProperties({
  properties,
  propertyNames,
  additionalProperties = true,
}: JsonObject): readonly [name: string, property: unknown][] {
  const own = isJsonObject(properties) ? Object.entries(properties) : []
  const { enum: names, const: only } = isJsonObject(propertyNames) ? propertyNames : {}
  const others = (Array.isArray(names) ? names : [only]).filter(
    (name) => typeof name === 'string' && !own.some(([known]) => known === name),
  )
  return [...own, ...others.map((name): [string, unknown] => [name, additionalProperties])]
}

/** Writes an object schema once per alternative; empty if it has more than 32. */
export function alternativesOf(json: JsonObject): readonly JsonObject[] {
  const keyword = ALTERNATIVES.find((one) => Array.isArray(own(json, one)))
  if (keyword === undefined) return []
  const { [keyword]: branches, allOf, ...rest } = json
  const others = Array.isArray(allOf) ? allOf : []
  const each = Array.isArray(branches) && branches.length <= MAX_ALTERNATIVES ? branches : []
  return each.map((branch) => ({ ...rest, allOf: [...others, branch] }))
}

const MAX_ALTERNATIVES = 32

/** The schema for all properties an object schema does not name; null if it does not restrict them. */
export function othersOf(json: JsonObject): JsonObject | null {
  const listed = conjunctsOf(json, json).map(({ additionalProperties }) => additionalProperties)
  return listed.find(isJsonObject) ?? null
}

/** The required properties. */
export function requiredOf(json: JsonObject): ReadonlySet<string> {
  const parts = conjunctsOf(json, json)
  const names = parts.flatMap((part) => (Array.isArray(part.required) ? part.required : []))
  return new Set(names.filter((name) => typeof name === 'string'))
}

/** Whether a conversion's root is an object schema. */
export function isObjectSchema(json: JsonObject): boolean {
  return conjunctsOf(json, json).some(
    (part) => part.type === 'object' || isJsonObject(part.properties),
  )
}

/** A schema's own keywords and `allOf` keywords, to any depth. */
function conjunctsOf(schema: unknown, root: JsonObject): readonly JsonObject[] {
  if (isJsonObject(schema) && schema.$ref === undefined && schema.allOf === undefined)
    return [schema]
  const parts: JsonObject[] = []
  const waiting: unknown[] = [schema]
  while (waiting.length > 0 && parts.length < 1_000) {
    const next = waiting.shift()
    const part = isJsonObject(next) ? followReference(next, root) : null
    if (part === null || parts.includes(part)) continue
    parts.push(part)
    if (Array.isArray(part.allOf)) waiting.push(...part.allOf)
  }
  return parts
}
