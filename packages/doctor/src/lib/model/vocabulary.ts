import { targetsOf } from './fields.ts'
import { type Attribute, type ExaminedType, isReadable } from './types.ts'

/** The attributes of a type that checks change and compare, whatever the server calls them. */
export interface Vocabulary {
  /**
   * The path to a string a client may change, such as `displayName`. If the type lacks another one, it is `userName`.
   */
  readonly text: string | undefined
  /** The path to another string, which a client may also remove, such as `title`. */
  readonly optional: string | undefined
  /** A complex attribute with two strings, such as `name`. */
  readonly complex: ComplexAttribute | undefined
  /** A list whose elements have a value and a type, such as `emails`. */
  readonly list: ListAttribute | undefined
}

/** A complex attribute, and the names of two strings in it. */
export interface ComplexAttribute {
  readonly path: string
  readonly parts: readonly [string, string]
}

/** A multi-valued attribute, and the types its elements may have: at least one. */
export interface ListAttribute {
  readonly path: string
  readonly kinds: readonly string[]
}

/** Finds the attributes in the core schema. The usual names come first, so most servers are examined alike. */
export function findVocabulary({ definitions, schema }: ExaminedType): Vocabulary {
  const attributes = definitions[schema]?.attributes ?? []
  const texts = textsOf(attributes)
  const removable = texts.filter(({ isOptional }) => isOptional)
  const [first] = texts
  const [only] = removable
  const isScarce = texts.length === 1 && only !== undefined
  const name = attributes.find((one) => one.name === 'userName' && isChangeable(one))
  const text = isScarce ? (name ?? only) : (first ?? name)
  return {
    text: text && pathOf(text),
    optional: removable.map(pathOf).find((path) => path !== (text && pathOf(text))),
    complex: complexOf(attributes),
    list: listOf(attributes),
  }
}

interface Text {
  readonly path: string
  readonly isOptional: boolean
}

function pathOf(one: Text | Attribute): string {
  return 'path' in one ? one.path : one.name
}

/** The strings a client may choose: attributes first, then parts of complex attributes. */
function textsOf(attributes: readonly Attribute[]): readonly Text[] {
  const usual = USUAL.flatMap((name) => attributes.filter((one) => one.name === name))
  const top = [...new Set([...usual, ...attributes])].filter(isText).map(asText)
  const parts = attributes.filter(isComplex).flatMap((parent) =>
    partsOf(parent).map((part) => ({
      path: `${parent.name}.${part.name}`,
      isOptional: asText(part).isOptional && parent.required !== true,
    })),
  )
  return [...top, ...parts]
}

function asText({ name, required = false }: Attribute): Text {
  return { path: name, isOptional: !required }
}

function complexOf(attributes: readonly Attribute[]): ComplexAttribute | undefined {
  const found = attributes.filter(isComplex).map((parent) => {
    const [first, second] = partsOf(parent)
    return first && second && { path: parent.name, parts: [first.name, second.name] as const }
  })
  return found.find((one) => one?.path === 'name') ?? found.find((one) => one !== undefined)
}

/** The strings of a complex attribute; for a name, in the usual order. */
function partsOf({ subAttributes = [] }: Attribute): readonly Attribute[] {
  const usual = ['givenName', 'familyName'].flatMap((name) =>
    subAttributes.filter((part) => part.name === name),
  )
  return [...new Set([...usual, ...subAttributes])].filter(isText)
}

function listOf(attributes: readonly Attribute[]): ListAttribute | undefined {
  const lists = attributes.filter((one) => one.multiValued === true && isChangeable(one))
  const found = lists.flatMap((list) => {
    const [value, kind] = ['value', 'type'].map((name) =>
      list.subAttributes?.find((part) => part.name === name && isChangeable(part)),
    )
    if (value?.type !== 'string' || kind?.type !== 'string' || targetsOf(list).length > 0) return []
    const { canonicalValues = [] } = kind
    return [{ path: list.name, kinds: canonicalValues.length > 0 ? canonicalValues : KINDS }]
  })
  return found.find(({ path }) => path === 'emails') ?? found.find(({ path }) => isFree(path))
}

function isComplex(attribute: Attribute): boolean {
  const { type, multiValued = false } = attribute
  const isSingle = type === 'complex' && !multiValued
  return isSingle && isChangeable(attribute) && targetsOf(attribute).length === 0
}

function isText(attribute: Attribute): boolean {
  const { name, type, multiValued = false, canonicalValues = [], uniqueness = 'none' } = attribute
  const isOpen = type === 'string' && !multiValued && canonicalValues.length === 0
  return isOpen && isChangeable(attribute) && uniqueness === 'none' && isFree(name)
}

/** Whether a client may change an attribute and every response has it. */
function isChangeable(attribute: Attribute): boolean {
  const { mutability = 'readWrite', returned = 'default' } = attribute
  return mutability === 'readWrite' && isReadable(attribute) && returned !== 'request'
}

/** Whether a name suggests free text: neither a format nor an identifier nor a text the server assembles. */
function isFree(name: string): boolean {
  return !/^(id|externalId|userName|ims|photos|formatted)$|mail|phone|ur[il]|date|zone|locale|language|country/i.test(
    name,
  )
}

const USUAL: readonly string[] = ['displayName', 'title', 'nickName', 'userType']
const KINDS: readonly string[] = ['work', 'home', 'other']
