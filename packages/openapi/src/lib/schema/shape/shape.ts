import { isJsonObject, type JsonObject, own } from '../../json/object.ts'
import { follow } from '../to-json-schema.ts'
import { beginsWithTransform } from '../transforms.ts'
import { compileTextTest } from './text-test.ts'

/** The kinds of JSON value that a schema accepts, according to its keywords. */
export interface Shape {
  readonly string: boolean
  /** Whether it accepts a text as a string, according to its constants, lengths and pattern. */
  readonly acceptsText: (text: string) => boolean
  readonly number: boolean
  readonly boolean: boolean
  readonly null: boolean
  readonly object: boolean
  /** Whether it accepts a file. */
  readonly binary: boolean
  /** Whether it transforms its own input, so that it receives the strings that were sent. */
  readonly raw: boolean
  /** The elements of a list; null if it does not accept a list. */
  readonly list: ListShape | null
}

/** The elements of a list: the first ones, each with its own schema, and all others. */
export interface ListShape {
  readonly first: readonly Shape[]
  readonly rest: Shape
}

/** The shape of the element at an index of a list. */
export function elementAt({ first, rest }: ListShape, place: number): Shape {
  return first[place] ?? rest
}

/** The properties of an object by name. */
type Properties = ReadonlyMap<string, JsonObject | boolean>

/** The properties that an object schema names, those of its `allOf` and its alternatives included. */
export function propertiesOf(json: JsonObject): Properties {
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

const ALTERNATIVES = ['anyOf', 'oneOf'] as const
const NO_PROPERTIES: Properties = new Map()

/** All schemas of each name, as one schema. */
function groupProperties(
  said: readonly (readonly [name: string, property: unknown])[],
  keyword: 'allOf' | 'anyOf',
): Properties {
  const found = new Map<string, (JsonObject | boolean)[]>()
  for (const [name, property] of said) {
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

/** JSON Schema Core §10.3.2: `propertyNames` lists the names of a record. */
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

/** The object schema once for each of its alternatives; empty if it has more than 32. */
export function alternativesOf(json: JsonObject): readonly JsonObject[] {
  const keyword = ALTERNATIVES.find((one) => Array.isArray(own(json, one)))
  if (keyword === undefined) return []
  const { [keyword]: branches, allOf, ...rest } = json
  const others = Array.isArray(allOf) ? allOf : []
  const each = Array.isArray(branches) && branches.length <= MOST_ALTERNATIVES ? branches : []
  return each.map((branch) => ({ ...rest, allOf: [...others, branch] }))
}

const MOST_ALTERNATIVES = 32

/** The schema of the properties that an object schema does not name; null if it does not restrict them. */
export function othersOf(json: JsonObject): JsonObject | null {
  const said = conjunctsOf(json, json).map(({ additionalProperties }) => additionalProperties)
  return said.find(isJsonObject) ?? null
}

/** The required properties. */
export function requiredOf(json: JsonObject): ReadonlySet<string> {
  const parts = conjunctsOf(json, json)
  const names = parts.flatMap((part) => (Array.isArray(part.required) ? part.required : []))
  return new Set(names.filter((name) => typeof name === 'string'))
}

/** Whether the root of a conversion is an object schema. */
export function isObjectSchema(json: JsonObject): boolean {
  return conjunctsOf(json, json).some(
    (part) => part.type === 'object' || isJsonObject(part.properties),
  )
}

/** Finds the kinds of value that `schema`, a part of the conversion `root`, accepts. */
export function shapeOf(schema: unknown, root: JsonObject): Shape {
  return shapeWithin(schema, { root, depth: 0, isElement: false })
}

interface Within {
  readonly root: JsonObject
  readonly depth: number
  /** Of a list within a list, finds only the elements that may be lists: more would be a tree. */
  readonly isElement: boolean
}

function shapeWithin(schema: unknown, within: Within): Shape {
  const { root, depth } = within
  if (depth > 16 || !isJsonObject(schema)) return ANYTHING
  const node = follow(schema, root)
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

/** A schema's own keywords and those of its `allOf`, to any depth. */
function conjunctsOf(schema: unknown, root: JsonObject): readonly JsonObject[] {
  const parts: JsonObject[] = []
  const waiting: unknown[] = [schema]
  while (waiting.length > 0 && parts.length < 1_000) {
    const next = waiting.shift()
    const part = isJsonObject(next) ? follow(next, root) : null
    if (part === null || parts.includes(part)) continue
    parts.push(part)
    if (Array.isArray(part.allOf)) waiting.push(...part.allOf)
  }
  return parts
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

/** OpenAPI 3.1.1 §4.8.14.5: a file is a schema with a media type and no type, or a string of bytes. */
function isFileSchema({ type, contentEncoding, contentMediaType }: JsonObject): boolean {
  if (contentEncoding === 'binary') return true
  return type === undefined && contentEncoding === undefined && typeof contentMediaType === 'string'
}

/** The types that a schema names, or that its constants have; null if it does not name any. */
function kindsOf({
  type,
  const: constant,
  enum: values,
  ...rest
}: JsonObject): Set<unknown> | null {
  if (typeof type === 'string') return new Set([type])
  if (Array.isArray(type)) return new Set(type)
  if (constant !== undefined) return new Set([kindOf(constant)])
  if (Array.isArray(values)) return new Set(values.map(kindOf))
  return isJsonObject(rest.not) && Object.keys(rest.not).length === 0 ? new Set() : null
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

/** Whether a schema may accept a list, according to its own types and those of its alternatives. */
function mayBeList(schema: unknown, root: JsonObject): boolean {
  const node = isJsonObject(schema) ? follow(schema, root) : null
  if (node === null) return true
  const branches = ALTERNATIVES.map((keyword) => own(node, keyword)).find(Array.isArray)
  return branches === undefined
    ? hasListType(node)
    : branches.some((branch) => hasListType(isJsonObject(branch) ? follow(branch, root) : null))
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

/** A schema without types accepts every value, and lists of every value. */
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

/** The content of a file is never read as a string. */
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
