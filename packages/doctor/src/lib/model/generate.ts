import { isJsonObject, type JsonObject, unlessEmpty } from '../json.ts'
import { type Field, isUnique, targetsOf } from './fields.ts'
import { type Attribute, type Definitions, isWritable } from './types.ts'

/** How complete a generated resource is. */
export type Extent =
  /** Every attribute a client may write. */
  | 'whole'
  /** The required attributes. */
  | 'minimal'
  /** A selection of attributes, which differs between resources. */
  | 'varied'

/** Options for `generateResource`. */
export interface SampleOptions {
  readonly extent: Extent
  /** Returns a resource id for an attribute that refers to one of these types. */
  readonly refer: (types: readonly string[]) => string
}

/** The resource type to sample. */
export interface Sampled {
  readonly definitions: Definitions
  readonly fields: readonly Field[]
}

/**
 * Generates a resource from the type's definitions: plausible values by type and name, in mixed letter case. Resources
 * with different numbers have different values in attributes that could be unique.
 */
export function generateResource(
  { definitions, fields }: Sampled,
  number: number,
  { extent, refer }: SampleOptions,
): Record<string, unknown> {
  const [core = ''] = Object.keys(definitions)
  const resource: Record<string, unknown> = {}
  const schemas = [core]
  for (const { parent, container, attribute, path } of fields) {
    if (parent !== null || !isWritable(attribute)) continue
    const seed = number + hash(path)
    if (!attribute.required && isOmitted(extent, attribute, seed)) continue
    const value = generateValue(attribute, { number, seed, extent, refer })
    if (value === undefined) continue
    if (container === null) resource[attribute.name] = value
    else if (isJsonObject(resource[container])) resource[container][attribute.name] = value
    else {
      schemas.push(container)
      resource[container] = { [attribute.name]: value }
    }
  }
  return { schemas, ...resource }
}

function isOmitted(extent: Extent, attribute: Attribute, seed: number): boolean {
  if (extent === 'minimal') return true
  // A member must be an existing resource, so a varied resource lacks members.
  return extent === 'varied' && (seed % 4 === 0 || targetsOf(attribute).length > 0)
}

interface Seed extends SampleOptions {
  readonly number: number
  /** Different for each attribute, so attributes do not all vary alike. */
  readonly seed: number
}

function generateValue(attribute: Attribute, seed: Seed): unknown {
  if (attribute.type !== 'complex') {
    if (!attribute.multiValued) return sampleValue(attribute, seed, null)
    return unlessEmpty([
      sampleValue(attribute, seed, attribute),
      sampleValue(attribute, { ...seed, number: seed.number + 40, seed: seed.seed + 1 }, attribute),
    ])
  }
  const targets = targetsOf(attribute)
  if (targets.length > 0) {
    const reference = { value: seed.refer(targets) }
    return attribute.multiValued ? [reference] : reference
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
  { number, seed, ...options }: Seed,
  at: number,
): object | undefined {
  const parts: Record<string, unknown> = {}
  const writable = attribute.subAttributes?.filter(isWritable) ?? []
  const required = writable.filter((part) => part.required)
  // Without required parts, all are set: a value without parts is unassigned (RFC 7643 §2.5).
  const isMinimal = options.extent === 'minimal' && required.length > 0
  for (const part of isMinimal ? required : writable) {
    const own = { ...options, number: number + 40 * at, seed: seed + at + hash(part.name) }
    if (part.name === 'primary') {
      if (at === 0) parts[part.name] = true
    } else if (part.name === 'type' && attribute.multiValued) {
      parts[part.name] = kindOf(part, at)
    } else if (part.type !== 'complex') {
      parts[part.name] = part.multiValued
        ? [sampleValue(part, own, attribute)]
        : sampleValue(part, own, attribute)
    }
  }
  return unlessEmpty(parts)
}

/** Returns the `type` for a list position: an attribute's values have different types. */
export function kindOf({ canonicalValues = [] }: Attribute, at: number): string {
  return canonicalValues[at % Math.max(canonicalValues.length, 1)] ?? ['work', 'home'][at % 2] ?? ''
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

/** The string with each letter in the other case. */
export function swapCase(text: string): string {
  return [...text]
    .map((letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )
    .join('')
}

/** A small number for a name, the same in every run. */
function hash(name: string): number {
  let sum = 0
  for (let at = 0; at < name.length; at += 1) sum = (sum * 7 + name.charCodeAt(at)) % 1009
  return sum
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
