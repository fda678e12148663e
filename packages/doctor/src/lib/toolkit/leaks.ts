import { USER_SCHEMA } from '@plumbline/scim'
import type { Received } from '../http/exchange.ts'
import { isAssigned, isJsonObject, type JsonObject, objectsOf, stringsOf } from '../json.ts'
import type { Attribute, ExaminedType } from '../model/types.ts'

/** A response value a server must never return. */
export interface Leak {
  /** The request, such as `PUT /Users/1`. */
  readonly request: string
  /** The attribute's path, such as `password`. */
  readonly path: string
}

/** Returns a function that adds a response's leaks to a list. */
export function leakFinder(
  types: readonly ExaminedType[],
  base: string,
  leaks: Leak[],
): (received: Received) => void {
  const guarded = types.map(withHiddenOnly)
  return (received) => {
    if (leaks.length < MAX_LEAKS) leaks.push(...findLeaks(guarded, base, received))
  }
}

/** The type without the attributes that responses may have, because each response is searched for the others. */
function withHiddenOnly(type: ExaminedType): ExaminedType {
  const definitions = Object.entries(type.definitions).map(([urn, definition]) => {
    const { attributes } = definition
    // RFC 7643 §4.1.1: a password is never returned, whatever the schema says.
    const all = urn === USER_SCHEMA ? [...attributes.filter(isOther), PASSWORD] : attributes
    return [urn, { ...definition, attributes: hiddenOf(all) }]
  })
  return { ...type, definitions: Object.fromEntries(definitions) }
}

/** The attributes that are hidden, or have hidden parts. */
function hiddenOf(attributes: readonly Attribute[]): readonly Attribute[] {
  return attributes.flatMap((attribute): readonly Attribute[] => {
    if (isHidden(attribute)) return [attribute]
    const subAttributes = hiddenOf(attribute.subAttributes ?? [])
    return subAttributes.length === 0 ? [] : [{ ...attribute, subAttributes }]
  })
}

/** Finds attributes with `returned: never`, and write-only ones, in a response's resources. */
function findLeaks(
  types: readonly ExaminedType[],
  base: string,
  { body, request, status, url }: Received,
): readonly Leak[] {
  if (status >= 300) return []
  const place = url.startsWith(base) ? url.slice(base.length) : url
  const paths = new Set<string>()
  for (const resource of resourcesIn(body)) {
    const type = typeOf(types, resource, place)
    if (type === undefined) continue
    for (const path of hiddenIn(type, resource)) paths.add(path)
  }
  return [...paths].map((path) => ({ request, path }))
}

/** Returns the response's resource, or the resources in a list or in bulk operations. */
function resourcesIn(body: JsonObject): readonly JsonObject[] {
  if (body.Resources !== undefined) return objectsOf(body.Resources)
  if (body.Operations === undefined) return [body]
  return objectsOf(body.Operations).flatMap(({ response }) => objectsOf([response]))
}

/** Finds the type the resource names; otherwise the endpoint's type. */
function typeOf(
  types: readonly ExaminedType[],
  { schemas }: JsonObject,
  place: string,
): ExaminedType | undefined {
  const names = stringsOf(schemas)
  return (
    types.find(({ schema }) => names.includes(schema)) ??
    types.find(({ endpoint }) => `${place.split('?')[0]}/`.startsWith(`${endpoint}/`))
  )
}

function hiddenIn({ definitions, schema }: ExaminedType, resource: JsonObject): readonly string[] {
  return Object.entries(definitions).flatMap(([urn, { attributes }]) => {
    const isCore = urn === schema
    const holder = isCore ? resource : resource[urn]
    if (!isJsonObject(holder)) return []
    return pathsIn(attributes, holder).map((path) => (isCore ? path : `${urn}:${path}`))
  })
}

/** The paths of the attributes that have a value. */
function pathsIn(attributes: readonly Attribute[], holder: JsonObject): readonly string[] {
  if (attributes.length === 0) return []
  const names = Object.keys(holder)
  return attributes.flatMap((attribute): readonly string[] => {
    // RFC 7643 §2.1: names ignore letter case.
    const name = names.find((one) => one.toLowerCase() === attribute.name.toLowerCase())
    const value = name === undefined ? undefined : holder[name]
    if (!isAssigned(value)) return []
    if (isHidden(attribute)) return [attribute.name]
    const parts = attribute.subAttributes ?? []
    const hidden = [value].flat().flatMap((one) => (isJsonObject(one) ? pathsIn(parts, one) : []))
    return hidden.map((part) => `${attribute.name}.${part}`)
  })
}

function isHidden({ returned, mutability }: Attribute): boolean {
  return returned === 'never' || mutability === 'writeOnly'
}

function isOther({ name }: Attribute): boolean {
  return name !== PASSWORD.name
}

/** If a server returns a password, most responses have it. */
const MAX_LEAKS = 1_000

const PASSWORD: Attribute = {
  name: 'password',
  type: 'string',
  mutability: 'writeOnly',
  returned: 'never',
}
