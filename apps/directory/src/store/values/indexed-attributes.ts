import type { Discovery } from '@plumbline/scim/discovery'
import type { Filter } from '@plumbline/scim/filter'
import { memoize } from '../../memoize.ts'
import { sha256 } from '../sha256.ts'

/** A part of each element of a multi-valued attribute: a sub-attribute, or the element itself if it is simple. */
export interface IndexedPart {
  /** The name of the sub-attribute; empty for the element itself. */
  readonly name: string
  readonly kind: 'text' | 'number' | 'boolean'
  /** Whether letter case matters. */
  readonly caseExact: boolean
  /** The path of its rows in the index. */
  readonly path: string
  /** The path of its rows whose keys contain a hash. */
  readonly hashedPath: string
  /** The column that each row of the element has; null for a part with rows of its own. */
  readonly column: 'type_key' | 'is_primary' | null
}

/** A multi-valued attribute whose elements are in the index. */
export interface IndexedAttribute {
  readonly name: string
  /** The member of a resource with the attributes of the schema: the URN of an extension, null for the core. */
  readonly container: string | null
  /** The paths of all rows of the attribute are from this, inclusive, to `end`, exclusive. */
  readonly start: string
  readonly end: string
  readonly isComplex: boolean
  /** By name in lower case; a simple attribute has the part `value`, which is the element itself. */
  readonly parts: ReadonlyMap<string, IndexedPart>
  /** Whether every sub-attribute is in the index. */
  readonly isWhole: boolean
}

/** The multi-valued attributes of a resource type that the index contains. */
export interface IndexedAttributes {
  readonly all: readonly IndexedAttribute[]
  find(path: Filter.AttributePath): IndexedAttribute | null
}

/**
 * The multi-valued attributes of definitions, of the core schema and of extensions, which are indexed. The same
 * definitions return the same value. Attributes that the server computes, and that are never returned, are not
 * indexed, nor are dates: filters by them run in memory.
 */
export const indexedAttributes: (definitions: Discovery.Definitions) => IndexedAttributes = (
  definitions,
) => prepared.get(definitions)

const prepared = memoize((definitions: Discovery.Definitions): IndexedAttributes => {
  const names = new Map<string, IndexedAttribute | null>(COMMON.map((name) => [name, null]))
  const all: IndexedAttribute[] = []
  for (const [at, { id, attributes }] of Object.values(definitions).entries()) {
    for (const attribute of attributes) {
      const made = indexedAttribute(attribute, at === 0 ? null : id)
      if (made !== null) all.push(made)
      const name = attribute.name.toLowerCase()
      // RFC 7644 §3.10: a name without a URN is that of the first schema that defines it.
      for (const path of [name, `${id.toLowerCase()}:${name}`]) {
        if (!names.has(path)) names.set(path, made)
      }
    }
  }
  return {
    all,
    find: ({ schema, attribute }) => {
      const name = schema === null ? attribute : `${schema}:${attribute}`
      return names.get(name.toLowerCase()) ?? null
    },
  }
})

function indexedAttribute(
  attribute: Discovery.Attribute,
  container: string | null,
): IndexedAttribute | null {
  const { name, type, subAttributes = [] } = attribute
  if (!attribute.multiValued || attribute.mutability === 'readOnly' || isHidden(attribute)) {
    return null
  }
  const key = attributeKey(container === null ? name : `${container}:${name}`)
  const isComplex = type === 'complex'
  const elements = isComplex ? subAttributes : [{ ...attribute, name: '', multiValued: false }]
  const parts = new Map<string, IndexedPart>()
  for (const each of elements) {
    const part = indexedPart(each, key)
    if (part !== null) parts.set(isComplex ? each.name.toLowerCase() : 'value', part)
  }
  if (parts.size === 0) return null
  const [start, end] = [`${key}#`, `${key}$`]
  return { name, container, start, end, isComplex, parts, isWhole: parts.size === elements.length }
}

function isHidden({ mutability, returned }: Discovery.Attribute): boolean {
  return mutability === 'writeOnly' || returned === 'never'
}

function indexedPart(attribute: Discovery.Attribute, key: string): IndexedPart | null {
  const { name, type, multiValued, caseExact = false } = attribute
  const kind = KINDS[type]
  if (kind === null || multiValued || isHidden(attribute)) return null
  const path = `${key}#${name.toLowerCase()}`
  return {
    name,
    kind,
    // RFC 7643 §2.3.6: binary is case exact.
    caseExact: caseExact || type === 'binary',
    path,
    hashedPath: `${path}*`,
    column: columnOf(name.toLowerCase(), kind),
  }
}

function columnOf(name: string, kind: IndexedPart['kind']): IndexedPart['column'] {
  if (name === 'type' && kind === 'text') return 'type_key'
  return name === 'primary' && kind === 'boolean' ? 'is_primary' : null
}

/** The attribute in the paths of rows, as long as an index accepts, and without the separator. */
function attributeKey(name: string): string {
  const folded = name.toLowerCase()
  return folded.length <= LONGEST_NAME && PLAIN.test(folded) ? folded : sha256(folded)
}

/** The kind of the keys of a type; null for a type that is not indexed. */
const KINDS: Readonly<Record<Discovery.AttributeType, IndexedPart['kind'] | null>> = {
  string: 'text',
  reference: 'text',
  binary: 'text',
  boolean: 'boolean',
  integer: 'number',
  decimal: 'number',
  dateTime: null,
  complex: null,
}
/** RFC 7643 §3.1: the attributes of every resource. */
const COMMON = ['schemas', 'id', 'externalid', 'meta']
const LONGEST_NAME = 200
/** The characters of URNs and names, without those that end a name in a path. */
const PLAIN = /^[\w:./%-]+$/
