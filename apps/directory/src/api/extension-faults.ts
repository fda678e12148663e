import type { Discovery } from '@plumbline/scim/discovery'

/** A reason for which a schema is not valid, and its place in the body. */
export interface Fault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** The faults of the URN of a new schema. It must be distinct from those of other schemas, also as part of a path. */
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
  if (other.toLowerCase() === urn.toLowerCase()) {
    return [{ path, message: `the schema ${other} already exists` }]
  }
  // The path of an attribute is the URN of its schema, a colon and its name.
  return [{ path, message: `must not be a part of ${other}, nor the opposite` }]
}

/**
 * The faults of the attributes of a schema (RFC 7643 §2, §7).
 *
 * @param taken the names of the attributes of the core schema
 */
export function checkAttributes(
  attributes: readonly Discovery.Attribute[],
  taken: readonly string[],
): readonly Fault[] {
  const count = attributes.reduce(
    (sum, { subAttributes = [] }) => sum + 1 + subAttributes.length,
    0,
  )
  if (count > MOST_ATTRIBUTES) {
    const message = `must not have more than ${MOST_ATTRIBUTES} attributes and sub-attributes`
    return [{ path: ['attributes'], message }]
  }
  const reserved = new Set([...COMMON, ...taken].map((name) => name.toLowerCase()))
  return attributes
    .flatMap((attribute, at) => {
      const { name, subAttributes } = attribute
      const found = [
        ...checkOne(attribute, NAME),
        ...(reserved.has(name.toLowerCase())
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

/** The faults of an attribute or a sub-attribute. */
function* checkOne(
  { name, type, ...attribute }: Discovery.Attribute,
  pattern: RegExp,
): Generator<Fault> {
  if (!pattern.test(name)) {
    yield fault('name', 'must start with a letter, and have letters, digits, "$", "-" and "_"')
  } else if (FORBIDDEN.has(name.toLowerCase())) {
    yield fault('name', 'is not supported as a name')
  }
  if (attribute.uniqueness !== undefined && attribute.uniqueness !== 'none') {
    yield fault('uniqueness', 'must be none: unique custom attributes are not supported')
  }
  if (attribute.mutability === 'readOnly') {
    yield fault('mutability', 'must not be readOnly: no client could set the attribute')
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

/** RFC 7643 §2.4: the meaning of the default sub-attributes is fixed. */
function* checkPart({ name, type, multiValued = false }: Discovery.Attribute): Generator<Fault> {
  if (multiValued) yield fault('multiValued', 'must be false for a sub-attribute')
  const wanted = DEFAULT_TYPES.get(name.toLowerCase())
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
    const key = name.toLowerCase()
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
  const [one, other] = [a.toLowerCase(), b.toLowerCase()]
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

/** RFC 8141 §2, with the characters that paths of SCIM allow in a URN. */
const URN = /^urn:[a-z0-9][a-z0-9-]{1,31}(?::[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)+$/i
/** RFC 7643 §10.2 and RFC 7644 §8.2: the schemas of the core, and those of messages. */
const RESERVED = /^urn:ietf:params:scim:(?:schemas:core|api)(?::|$)/i
// RFC 7643 §2.1: ATTRNAME = ALPHA *(nameChar); nameChar = "$" / "-" / "_" / DIGIT / ALPHA
const NAME = /^[a-z][a-z0-9$_-]*$/i
/** RFC 7643 §2.4 names a sub-attribute `$ref`. */
const PART_NAME = /^(?:[a-z][a-z0-9$_-]*|\$ref)$/i
/** The common attributes of RFC 7643 §3.1. */
const COMMON = ['schemas', 'id', 'externalId', 'meta']
/** Names that programs in JavaScript may confuse with members of every object. */
const FORBIDDEN: ReadonlySet<string> = new Set(['constructor', 'prototype'])
const DEFAULT_TYPES: ReadonlyMap<string, Discovery.AttributeType> = new Map([
  ['primary', 'boolean'],
  ['type', 'string'],
  ['display', 'string'],
  ['$ref', 'reference'],
])
/** Each request may have to visit all attributes of the tenant's schemas. */
const MOST_ATTRIBUTES = 100
