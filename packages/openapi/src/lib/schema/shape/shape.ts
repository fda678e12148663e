import { isJsonObject, type JsonObject, own } from '@plumbline/base'
import { followReference } from '../to-json-schema.ts'
import { beginsWithTransform } from '../transforms.ts'
import { ALTERNATIVES } from './properties.ts'
import { compileTextTest } from './text-test.ts'

/** The kinds of JSON value a schema accepts, according to its keywords. */
export interface Shape {
  readonly string: boolean
  /** Whether it accepts a string without coercion, according to the constants, lengths and pattern. */
  readonly acceptsText: (text: string) => boolean
  readonly number: boolean
  readonly boolean: boolean
  readonly null: boolean
  readonly object: boolean
  /** Whether it accepts a file. */
  readonly binary: boolean
  /** Whether it transforms its own input, so it receives the sent strings. */
  readonly raw: boolean
  /** A list's elements; null if it does not accept a list. */
  readonly list: ListShape | null
}

/** A list's elements: the first ones, each with its own schema, and all others. */
export interface ListShape {
  readonly first: readonly Shape[]
  readonly rest: Shape
}

/** The element's shape at a list index. */
export function elementAt({ first, rest }: ListShape, place: number): Shape {
  return first[place] ?? rest
}

/** Finds the value kinds accepted by `schema` within the conversion `root`. */
export function shapeOf(schema: unknown, root: JsonObject): Shape {
  return shapeWithin(schema, { root, depth: 0, isElement: false })
}

interface Within {
  readonly root: JsonObject
  readonly depth: number
  /** Whether this is a list's element. A nested list's elements are only checked for lists: more would be a tree. */
  readonly isElement: boolean
}

function shapeWithin(schema: unknown, within: Within): Shape {
  const { root, depth } = within
  if (depth > 16 || !isJsonObject(schema)) return ANYTHING
  const node = followReference(schema, root)
  if (node === null) return ANYTHING
  const deeper = { ...within, depth: depth + 1 }
  let shape = ownShape(node, deeper)
  // JSON Schema Core §8.2.3.1: keywords next to a reference also apply.
  if (node !== schema) shape = both(shape, ownShape(schema, deeper))
  for (const keyword of ALTERNATIVES) {
    const branches = own(node, keyword)
    if (!Array.isArray(branches) || branches.length === 0) continue
    const shapes = branches.map((branch) => shapeWithin(branch, deeper))
    const acceptsText = (text: string) => shapes.some((branch) => branch.acceptsText(text))
    shape = both(shape, { ...shapes.reduce(either), acceptsText })
  }
  if (Array.isArray(node.allOf)) {
    for (const part of node.allOf) shape = both(shape, shapeWithin(part, deeper))
  }
  return beginsWithTransform(node) ? { ...shape, raw: true } : shape
}

function ownShape(node: JsonObject, within: Within): Shape {
  if (isFileSchema(node)) return FILE
  const types = kindsOf(node)
  if (types === null) return { ...ANYTHING, acceptsText: compileTextTest(node) }
  const acceptsType = (type: string): boolean => types.has(type)
  return {
    string: acceptsType('string'),
    acceptsText: acceptsType('string') ? compileTextTest(node) : () => false,
    number: acceptsType('number') || acceptsType('integer'),
    boolean: acceptsType('boolean'),
    null: acceptsType('null'),
    object: acceptsType('object'),
    binary: false,
    raw: false,
    list: acceptsType('array') ? elementsOf(node, within) : null,
  }
}

/** OpenAPI 3.1.1 §4.8.14.5: a file is a schema with a media type and no type, or a byte string. */
function isFileSchema({ type, contentEncoding, contentMediaType }: JsonObject): boolean {
  if (contentEncoding === 'binary') return true
  return type === undefined && contentEncoding === undefined && typeof contentMediaType === 'string'
}

/** The types a schema names, or the constants' types; null if it does not name any. */
function kindsOf(schema: JsonObject): Set<unknown> | null {
  const { type, const: constant, enum: values, not } = schema
  if (typeof type === 'string') return new Set([type])
  if (Array.isArray(type)) return new Set(type)
  if (constant !== undefined) return new Set([kindOf(constant)])
  if (Array.isArray(values)) return new Set(values.map(kindOf))
  return isJsonObject(not) && Object.keys(not).length === 0 ? new Set() : null
}

/** JSON Schema Core §10.3.1: `prefixItems` applies to the first elements, `items` to all others. */
function elementsOf(node: JsonObject, within: Within): ListShape {
  const element = { ...within, isElement: true }
  const shape = within.isElement
    ? (schema: unknown) => (mayBeList(schema, within.root) ? ANYTHING : NO_LIST)
    : (schema: unknown) => shapeWithin(schema, element)
  const first = Array.isArray(node.prefixItems) ? node.prefixItems : []
  return { first: first.map(shape), rest: shape(node.items) }
}

/** Whether a schema may accept a list, according to its own types and the alternatives' types. */
function mayBeList(schema: unknown, root: JsonObject): boolean {
  const node = isJsonObject(schema) ? followReference(schema, root) : null
  if (node === null) return true
  const branches = ALTERNATIVES.map((keyword) => own(node, keyword)).find(Array.isArray)
  return branches === undefined
    ? hasListType(node)
    : branches.some((branch) =>
        hasListType(isJsonObject(branch) ? followReference(branch, root) : null),
      )
}

function hasListType(node: JsonObject | null): boolean {
  const types = node && kindsOf(node)
  return types === null || types.has('array')
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function either(a: Shape, b: Shape): Shape {
  return {
    string: a.string || b.string,
    acceptsText: (text) => a.acceptsText(text) || b.acceptsText(text),
    number: a.number || b.number,
    boolean: a.boolean || b.boolean,
    null: a.null || b.null,
    object: a.object || b.object,
    binary: a.binary || b.binary,
    raw: a.raw || b.raw,
    list: a.list && b.list ? joinLists(a.list, b.list, either) : (a.list ?? b.list),
  }
}

function both(a: Shape, b: Shape): Shape {
  return {
    string: a.string && b.string,
    acceptsText: (text) => a.acceptsText(text) && b.acceptsText(text),
    number: a.number && b.number,
    boolean: a.boolean && b.boolean,
    null: a.null && b.null,
    object: a.object && b.object,
    binary: a.binary && b.binary,
    raw: a.raw || b.raw,
    list: a.list && b.list ? joinLists(a.list, b.list, both) : null,
  }
}

function joinLists(a: ListShape, b: ListShape, join: (a: Shape, b: Shape) => Shape): ListShape {
  // A list whose elements may be anything has elements of this same shape.
  if (a === b) return a
  const longer = a.first.length < b.first.length ? b.first : a.first
  return {
    first: longer.map((_, place) => join(elementAt(a, place), elementAt(b, place))),
    rest: join(a.rest, b.rest),
  }
}

/** The shape for a schema without types: it accepts every value, and lists of every value. */
const ANYTHING: Shape = {
  string: true,
  acceptsText: () => true,
  number: true,
  boolean: true,
  null: true,
  object: true,
  binary: true,
  raw: false,
  list: {
    first: [],
    get rest() {
      return ANYTHING
    },
  },
}

const NO_LIST: Shape = { ...ANYTHING, list: null }

/** A file's content is never read as a string. */
const FILE: Shape = {
  string: false,
  acceptsText: () => false,
  number: false,
  boolean: false,
  null: false,
  object: false,
  binary: true,
  raw: false,
  list: null,
}
