import type { ValuePart } from '../../predicate/columns.ts'
import type { Attribute, AttributeType, Definitions } from '../../schema/types.ts'
import { fold } from '../../values/fold.ts'

/** A part of each value: a sub-attribute, or the value itself if the attribute is not complex. */
export interface IndexedPart extends ValuePart {
  /** The sub-attribute's name; empty for the value itself. */
  readonly name: string
  readonly column: 'type_key' | 'is_primary' | undefined
}

/** A multi-valued attribute with indexed values. */
export interface IndexedAttribute {
  readonly name: string
  /** The resource member with the schema's attributes: an extension's URN, or null for the core. */
  readonly container: string | null
  /** All its rows have an `attribute` from `start`, inclusive, to `end`, exclusive. */
  readonly start: string
  readonly end: string
  readonly isComplex: boolean
  /** Parts, keyed by lowercase name. A non-complex attribute has only the part `value`. */
  readonly parts: ReadonlyMap<string, IndexedPart>
  /** Whether every sub-attribute is indexed. */
  readonly isWhole: boolean
}

/** The indexed attributes. */
export interface IndexedAttributes {
  readonly all: readonly IndexedAttribute[]
  /** Attributes, keyed by the paths filters may use, in lower case. */
  readonly byPath: ReadonlyMap<string, IndexedAttribute>
}

/**
 * Finds the multi-valued attributes in the core schema and extensions. Dates and attributes that are computed or never
 * returned are not indexed: their filters run in memory.
 */
export function indexedAttributes(
  definitions: Definitions,
  hashName: (name: string) => string,
): IndexedAttributes {
  const names = new Map<string, IndexedAttribute | null>(COMMON.map((name) => [name, null]))
  const all: IndexedAttribute[] = []
  for (const [at, { id, attributes }] of Object.values(definitions).entries()) {
    for (const attribute of attributes) {
      const indexed = indexedAttribute(attribute, at === 0 ? null : id, hashName)
      if (indexed !== null) all.push(indexed)
      const name = fold(attribute.name)
      // RFC 7644 §3.10: a name without a URN belongs to the first schema that defines it.
      for (const path of [name, `${fold(id)}:${name}`]) {
        if (!names.has(path)) names.set(path, indexed)
      }
    }
  }
  const byPath = [...names].flatMap(([path, one]) => (one === null ? [] : [[path, one] as const]))
  return { all, byPath: new Map(byPath) }
}

function indexedAttribute(
  attribute: Attribute,
  container: string | null,
  hashName: (name: string) => string,
): IndexedAttribute | null {
  const { name, type, subAttributes = [] } = attribute
  if (!attribute.multiValued || attribute.mutability === 'readOnly' || isHidden(attribute)) {
    return null
  }
  const key = attributeKey(container === null ? name : `${container}:${name}`, hashName)
  const isComplex = type === 'complex'
  const elements = isComplex ? subAttributes : [{ ...attribute, name: '', multiValued: false }]
  const parts = new Map<string, IndexedPart>()
  for (const each of elements) {
    const part = indexedPart(each, key)
    if (part !== null) parts.set(isComplex ? fold(each.name) : 'value', part)
  }
  if (parts.size === 0) return null
  const [start, end] = [`${key}#`, `${key}$`]
  return { name, container, start, end, isComplex, parts, isWhole: parts.size === elements.length }
}

function isHidden({ mutability, returned }: Attribute): boolean {
  return mutability === 'writeOnly' || returned === 'never'
}

function indexedPart(attribute: Attribute, key: string): IndexedPart | null {
  const { name, type, multiValued, caseExact = false } = attribute
  const kind = KINDS[type]
  if (kind === null || multiValued || isHidden(attribute)) return null
  const path = `${key}#${fold(name)}`
  return {
    name,
    kind,
    // RFC 7643 §2.3.6: binary is case exact.
    caseExact: caseExact || type === 'binary',
    path,
    hashedPath: `${path}*`,
    column: columnOf(fold(name), kind),
  }
}

function columnOf(name: string, kind: IndexedPart['kind']): IndexedPart['column'] {
  if (name === 'type' && kind === 'text') return 'type_key'
  return name === 'primary' && kind === 'boolean' ? 'is_primary' : undefined
}

/** Returns an attribute's name for row paths, without the separator and within an index's length limit. */
function attributeKey(name: string, hashName: (name: string) => string): string {
  const folded = fold(name)
  return folded.length <= MAX_NAME_LENGTH && PLAIN.test(folded) ? folded : hashName(folded)
}

/** The key kind for each type; null if the type is not indexed. */
const KINDS: Readonly<Record<AttributeType, IndexedPart['kind'] | null>> = {
  string: 'text',
  reference: 'text',
  binary: 'text',
  boolean: 'boolean',
  integer: 'number',
  decimal: 'number',
  dateTime: null,
  complex: null,
}
/** RFC 7643 §3.1: attributes present on every resource. */
const COMMON = ['schemas', 'id', 'externalid', 'meta']
const MAX_NAME_LENGTH = 200
/** The characters in URNs and names, except those ending a name in a path. */
const PLAIN = /^[\w:./%-]+$/
