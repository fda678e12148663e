import { fold } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'

/** Why a schema is not valid, and where in the body. */
export interface Fault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Checks a new schema's URN. It must differ from other schemas' URNs, and neither may be the start of the other. */
export function checkUrn(urn: string, others: readonly string[]): readonly Fault[] {
  const path = ['id']
  if (!URN.test(urn)) {
    return [{ path, message: 'must be a URN of letters, digits, ".", "_", "-" and ":"' }]
  }
  if (RESERVED.test(urn)) {
    return [{ path, message: 'must not be a URN that RFC 7643 reserves for core schemas' }]
  }
  const other = others.find((one) => overlaps(urn, one))
  if (other === undefined) return []
  if (fold(other) === fold(urn)) {
    return [{ path, message: `the schema ${other} already exists` }]
  }
  // An attribute's path is the schema's URN, a colon and the attribute's name.
  return [{ path, message: `must not be a part of ${other}, nor the opposite` }]
}

/**
 * Checks a schema's attributes (RFC 7643 §2, §7) and returns the faults.
 *
 * @param taken the core schema's attribute names
 */
export function checkAttributes(
  attributes: readonly Discovery.Attribute[],
  taken: readonly string[],
): readonly Fault[] {
  const count = attributes.reduce(
    (sum, { subAttributes = [] }) => sum + 1 + subAttributes.length,
    0,
  )
  if (count > MAX_ATTRIBUTES) {
    const message = `must not have more than ${MAX_ATTRIBUTES} attributes and sub-attributes`
    return [{ path: ['attributes'], message }]
  }
  const reserved = new Set([...COMMON, ...taken].map((name) => fold(name)))
  return attributes
    .flatMap((attribute, at) => {
      const { name, subAttributes } = attribute
      const found = [
        ...checkOne(attribute, NAME),
        ...(reserved.has(fold(name))
          ? [
              {
                path: ['name'],
                message: 'is the name of a core attribute',
              },
            ]
          : []),
        ...checkSubAttributes(attribute),
        ...(subAttributes ?? []).flatMap((part, index) =>
          within(['subAttributes', index], [...checkOne(part, PART_NAME), ...checkPart(part)]),
        ),
        ...checkDistinct(subAttributes ?? [], ['subAttributes']),
      ]
      return within(['attributes', at], found)
    })
    .concat(checkDistinct(attributes, ['attributes']))
}

/** Checks an attribute or a sub-attribute. */
function* checkOne(
  { name, type, ...attribute }: Discovery.Attribute,
  pattern: RegExp,
): Generator<Fault> {
  if (!pattern.test(name)) {
    yield fault('name', 'must start with a letter, and have letters, digits, "$", "-" and "_"')
  } else if (NOT_PART_NAMES.test(name)) {
    yield fault('name', 'is not supported as a name')
  }
  if (attribute.mutability === 'writeOnly' && !['never', undefined].includes(attribute.returned)) {
    yield fault('returned', 'must be never for a writeOnly attribute')
  }
  if (attribute.canonicalValues !== undefined && type !== 'string') {
    yield fault('canonicalValues', 'must be absent unless the type is string')
  }
  const { referenceTypes = [] } = attribute
  if (type === 'reference' && referenceTypes.length === 0) {
    yield fault('referenceTypes', 'must be present for the type reference')
  }
  if (type !== 'reference' && referenceTypes.length > 0) {
    yield fault('referenceTypes', 'must be absent unless the type is reference')
  }
}

/** RFC 7643 §2.3.8: only a complex attribute has sub-attributes. */
function* checkSubAttributes({ type, subAttributes = [] }: Discovery.Attribute): Generator<Fault> {
  if (type === 'complex' && subAttributes.length === 0) {
    yield fault('subAttributes', 'must not be empty for the type complex')
  }
  if (type !== 'complex' && subAttributes.length > 0) {
    yield fault('subAttributes', 'must be absent unless the type is complex')
  }
}

/** RFC 7643 §2.4: default sub-attributes have a fixed meaning. */
function* checkPart({ name, type }: Discovery.Attribute): Generator<Fault> {
  const wanted = DEFAULT_TYPES.get(fold(name))
  if (wanted !== undefined && type !== wanted) {
    yield fault('type', `must be ${wanted} for a sub-attribute with this name (RFC 7643 §2.4)`)
  }
}

/** Names match in any letter case. */
function checkDistinct(
  attributes: readonly Discovery.Attribute[],
  path: readonly (string | number)[],
): readonly Fault[] {
  const seen = new Set<string>()
  return attributes.flatMap(({ name }, at) => {
    const key = fold(name)
    if (!seen.has(key)) {
      seen.add(key)
      return []
    }
    return [
      { path: [...path, at, 'name'], message: 'is duplicated, perhaps in another letter case' },
    ]
  })
}

function overlaps(a: string, b: string): boolean {
  const [one, other] = [fold(a), fold(b)]
  return one === other || isPart(one, other) || isPart(other, one)
}

/** Whether a URN followed by a separator starts another one. Entra ID also writes a dot before an attribute. */
function isPart(part: string, whole: string): boolean {
  return whole.startsWith(`${part}:`) || whole.startsWith(`${part}.`)
}

function fault(name: string, message: string): Fault {
  return { path: [name], message }
}

function within(path: readonly (string | number)[], faults: Iterable<Fault>): readonly Fault[] {
  return [...faults].map((one) => ({ ...one, path: [...path, ...one.path] }))
}

/** RFC 8141 §2, limited to the characters allowed for URNs in SCIM paths. Written without flags, for the document. */
export const URN =
  /^[Uu][Rr][Nn]:[A-Za-z0-9][A-Za-z0-9-]{1,31}(?::[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)+$/
/** RFC 7643 §10.2 and RFC 7644 §8.2: core schemas and message schemas. */
export const RESERVED: RegExp = new RegExp(
  `^${['urn:ietf:params:scim:schemas:core', 'urn:ietf:params:scim:api'].map(inAnyCase).join('(?::|$)|^')}(?::|$)`,
)
// RFC 7643 §2.1: ATTRNAME = ALPHA *(nameChar); nameChar = "$" / "-" / "_" / DIGIT / ALPHA
export const NAME = /^[A-Za-z][A-Za-z0-9$_-]*$/
/** RFC 7643 §2.4 names a sub-attribute `$ref`. */
export const PART_NAME = /^(?:[A-Za-z][A-Za-z0-9$_-]*|\$[Rr][Ee][Ff])$/
/** Common attributes (RFC 7643 §3.1). */
const COMMON = ['schemas', 'id', 'externalId', 'meta']
/** Names easily confused with members that every JavaScript object has. */
const FORBIDDEN = ['constructor', 'prototype']
/** Forbidden names for attributes and sub-attributes. */
export const NOT_NAMES: RegExp = namesInAnyCase([...COMMON, ...FORBIDDEN])
export const NOT_PART_NAMES: RegExp = namesInAnyCase(FORBIDDEN)

function namesInAnyCase(names: readonly string[]): RegExp {
  return new RegExp(`^(?:${names.map(inAnyCase).join('|')})$`)
}

/** Returns a pattern without flags that matches a name in any letter case. */
export function inAnyCase(text: string): string {
  return text
    .replaceAll('$', '\\$')
    .replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`)
}

/** Types for the default sub-attributes (RFC 7643 §2.4), keyed by lower-case name. */
export const DEFAULT_TYPES: ReadonlyMap<string, Discovery.AttributeType> = new Map([
  ['primary', 'boolean'],
  ['type', 'string'],
  ['display', 'string'],
  ['$ref', 'reference'],
])
/** Each request may have to visit all attributes in the tenant's schemas. */
const MAX_ATTRIBUTES = 100
