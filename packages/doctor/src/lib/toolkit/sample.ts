import { GROUP_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import { type JsonObject, unlessEmpty } from '../json.ts'
import {
  type Field,
  fieldsOf,
  isUnique,
  readAttribute,
  targetsOf,
  writeAttribute,
} from '../model/fields.ts'
import {
  type Attribute,
  type Definitions,
  type ExaminedType,
  findAttribute,
  isWritable,
} from '../model/types.ts'

/** Returns a text no other resource contains, also for the user part of an address. */
export type Unique = () => string

/**
 * Builds a plausible resource from the type's schemas: the required attributes, and, as far as the server declares
 * them, the attributes most servers require for users and groups.
 */
export function sampleResource(type: ExaminedType, unique: Unique): JsonObject {
  const tag = unique()
  let resource: JsonObject = {
    schemas: [type.schema],
    ...declaredOf(type, USUAL[type.schema]?.(tag) ?? {}),
  }
  for (const field of writableFields(type.definitions)) {
    if (!field.attribute.required || readAttribute(resource, field) !== undefined) continue
    resource = writeAttribute(resource, field, plainValue(field.attribute, tag))
  }
  for (const { schema, required } of type.extensions) {
    if (!required || Object.hasOwn(resource, schema)) continue
    resource = { ...resource, schemas: [resource.schemas, schema].flat(), [schema]: {} }
  }
  return resource
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

/** The attributes a client may write, without their parts. */
function writableFields(definitions: Definitions): readonly Field[] {
  return fieldsOf(definitions).filter(
    ({ parent, attribute }) => parent === null && isWritable(attribute),
  )
}

/**
 * Generates a value most servers store unchanged, with one element in each list, and only the usual parts of a complex
 * value. Strings are the tag, which makes them unique.
 */
export function plainValue(attribute: Attribute, tag: string): unknown {
  const one = attribute.type === 'complex' ? plainParts(attribute, tag) : plainOne(attribute, tag)
  return attribute.multiValued ? [one] : one
}

function plainParts({ subAttributes = [] }: Attribute, tag: string): JsonObject {
  const wanted = subAttributes.filter(
    (part) => isWritable(part) && (part.required || part.name === 'value' || part.name === 'type'),
  )
  return Object.fromEntries(wanted.map((part) => [part.name, plainValue(part, tag)]))
}

function plainOne(attribute: Attribute, tag: string): unknown {
  const { name, type, canonicalValues = [] } = attribute
  if (type === 'dateTime') return '2026-01-31T12:00:00Z'
  if (type === 'reference') return `https://example.com/${tag}`
  const isText = type === 'string' || type === 'complex'
  if (!isText || canonicalValues.length > 0) return sampleValue(attribute, PLAIN, null)
  return /mail/i.test(name) ? `${tag}@example.com` : tag
}

/** How complete a generated resource is. */
export type Extent =
  /** Every attribute a client may write. */
  | 'whole'
  /** The required attributes. */
  | 'minimal'
  /** A selection of attributes, which differs between resources. */
  | 'varied'

/** Which resource is generated. */
export interface Generated {
  /** Resources with different numbers have different values in attributes that could be unique. */
  readonly number: number
  readonly extent: Extent
}

/** Generates a resource with values for attributes, except references to other resources. */
export function generateResource(
  type: ExaminedType,
  unique: Unique,
  { number, extent }: Generated,
): JsonObject {
  const usual = sampleResource(type, unique)
  return {
    ...(extent !== 'minimal' && usual),
    ...generateValues(type.definitions, { number, extent }),
    ...identityOf(type, usual, extent),
  }
}

/** The members that are unique on the server, or contain the marker; in a minimal resource, only the required ones. */
function identityOf(
  { definitions, schema }: ExaminedType,
  usual: JsonObject,
  extent: Extent,
): JsonObject {
  const isWhole = extent !== 'minimal'
  const names = (definitions[schema]?.attributes ?? [])
    .filter((one) => one.required === true || (isWhole && isUnique(one)))
    .map(({ name }) => name)
  return Object.fromEntries(
    Object.entries(usual).filter(
      ([name]) => names.includes(name) || (isWhole && name === 'externalId'),
    ),
  )
}

/** Generates plausible values by type and name, in mixed letter case. */
export function generateValues(
  definitions: Definitions,
  { number, extent }: Generated,
): JsonObject {
  const [core = ''] = Object.keys(definitions)
  let resource: JsonObject = { schemas: [core] }
  for (const field of writableFields(definitions)) {
    const { attribute, path } = field
    if (targetsOf(attribute).length > 0 || attribute.name === 'password') continue
    const seed = number + hash(path)
    const isOmitted = extent === 'minimal' || (extent === 'varied' && seed % 4 === 0)
    if (isOmitted && !attribute.required) continue
    const value = generateValue(attribute, { number, seed, extent })
    if (value !== undefined) resource = writeAttribute(resource, field, value)
  }
  return resource
}

interface Seed extends Generated {
  /** Different for each attribute, so attributes do not all vary alike. */
  readonly seed: number
}

function generateValue(attribute: Attribute, seed: Seed): unknown {
  if (attribute.type !== 'complex') {
    if (!attribute.multiValued) return sampleValue(attribute, seed, null)
    const next = { number: seed.number + 40, seed: seed.seed + 1 }
    return [seed, next].map((one) => sampleValue(attribute, one, attribute))
  }
  if (!attribute.multiValued) return generateParts(attribute, seed, 0)
  const kinds = attribute.subAttributes?.find(({ name }) => name === 'type')?.canonicalValues ?? []
  const count = kinds.length === 1 || (seed.extent === 'varied' && seed.seed % 2 === 0) ? 1 : 2
  const elements = Array.from({ length: count }, (_, at) => generateParts(attribute, seed, at))
  return unlessEmpty(elements.filter((element) => element !== undefined))
}

/** Generates the complex value at a list position. */
function generateParts(
  attribute: Attribute,
  { number, seed, extent }: Seed,
  at: number,
): object | undefined {
  const parts: Record<string, unknown> = {}
  const writable = attribute.subAttributes?.filter(isWritable) ?? []
  const required = writable.filter((part) => part.required)
  // Without required parts, all are set: a value without parts is unassigned (RFC 7643 §2.5).
  const isMinimal = extent === 'minimal' && required.length > 0
  for (const part of isMinimal ? required : writable) {
    const own = { number: number + 40 * at, seed: seed + at + hash(part.name) }
    if (part.name === 'primary') {
      if (at === 0) parts[part.name] = true
    } else if (part.name === 'type' && attribute.multiValued) {
      parts[part.name] = kindOf(part, at)
    } else if (part.type !== 'complex') {
      const value = sampleValue(part, own, attribute)
      parts[part.name] = part.multiValued ? [value] : value
    }
  }
  return unlessEmpty(parts)
}

/** Returns the `type` for a list position: an attribute's values have different types. */
export function kindOf({ canonicalValues = [] }: Attribute, at: number): string {
  return canonicalValues[at % Math.max(canonicalValues.length, 1)] ?? ['work', 'home'][at % 2] ?? ''
}

/** Generates a value for a simple attribute. `list` is the multi-valued attribute around it. */
export function sampleValue(
  attribute: Attribute,
  { number, seed }: Pick<Seed, 'number' | 'seed'>,
  list: Attribute | null,
): unknown {
  const { name, type, canonicalValues = [] } = attribute
  switch (type) {
    case 'boolean':
      return seed % 2 === 0
    case 'integer':
      return ((seed * 7) % 50) - 10
    case 'decimal':
      return ((seed * 7) % 50) + 0.25
    case 'dateTime':
      return sampleInstant(seed)
    case 'binary':
      return `QUJD${String.fromCharCode(65 + (seed % 26))}UVG`
    case 'reference':
      return `https://example.com/${name}/${wordOf(seed)}/${number}`
    case 'string':
    case 'complex':
      if (canonicalValues.length > 0) return canonicalValues[seed % canonicalValues.length]
      return sampleString(attribute, number, seed, list)
  }
}

/** Instants in two offsets: as strings, they have another order. */
function sampleInstant(seed: number): string {
  const time = seed % 2 === 0 ? '20:00:00.123Z' : '04:00:00+10:00'
  return `2026-01-0${1 + (seed % 9)}T${time}`
}

function sampleString(
  attribute: Attribute,
  number: number,
  seed: number,
  list: Attribute | null,
): string {
  const { name } = attribute
  const place = `${list?.name ?? ''}.${name}`
  if (/mail/i.test(place) && name !== 'display') return `${wordOf(seed)}.${number}@Example.com`
  if (/phone/i.test(place) && name === 'value') return `+1 555 01${String(number).padStart(2, '0')}`
  const known = KNOWN[name]
  if (known !== undefined) return known[seed % known.length] ?? ''
  const isDistinct = isUnique(attribute) || attribute.required || name === 'externalId'
  return isDistinct || name === 'value' ? `${wordOf(seed)}.${number}` : `${wordOf(seed)} ${name}`
}

function wordOf(seed: number): string {
  return WORDS[seed % WORDS.length] ?? ''
}

/** A small number for a name, the same in every run. */
function hash(name: string): number {
  let sum = 0
  for (let at = 0; at < name.length; at += 1) sum = (sum * 7 + name.charCodeAt(at)) % 1009
  return sum
}

const USUAL: Readonly<Record<string, (tag: string) => JsonObject>> = {
  [USER_SCHEMA]: (tag) => ({
    userName: `${tag}@example.com`,
    externalId: tag,
    name: { givenName: 'Ada', familyName: 'Sample', formatted: 'Ada Sample' },
    displayName: `Ada Sample ${tag}`,
    active: true,
    emails: [{ value: `${tag}@example.com`, type: 'work', primary: true }],
  }),
  [GROUP_SCHEMA]: (tag) => ({ displayName: tag, externalId: tag }),
}

/** Generates true, a positive number and the first canonical value of six at most. */
const PLAIN = { number: 60, seed: 60 }

/** Sorting by code point orders these words differently than sorting without regard to letter case. */
const WORDS = ['bob', 'Ada', 'eve', 'Dan', 'chloe', 'Gus', 'finn', 'Ivy', 'hal']

/** Values a store may check against its own list. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  preferredLanguage: ['en-US', 'de-DE', 'fr-CA'],
  locale: ['en-US', 'de-DE', 'fr-CA'],
  timezone: ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo'],
  country: ['DE', 'US', 'JP'],
}
