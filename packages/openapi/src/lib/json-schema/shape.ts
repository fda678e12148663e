import { isObject, type Members, own } from '../own.ts'
import { follow } from './convert.ts'

/** The kinds of JSON value that a schema takes, as far as its keywords tell. */
export interface Shape {
  readonly string: boolean
  readonly number: boolean
  readonly boolean: boolean
  readonly null: boolean
  readonly object: boolean
  /** What the elements of a list are; null where it takes no list. */
  readonly list: Shape | null
}

/** The properties that the schema of an object names, those that it combines by `allOf` included. */
export function propertiesOf(json: Members): ReadonlyMap<string, Members | boolean> {
  const found = new Map<string, Members | boolean>()
  for (const part of partsOf(json)) {
    const { properties } = part
    if (!isObject(properties)) continue
    for (const [name, property] of Object.entries(properties)) {
      if (!found.has(name) && (isObject(property) || typeof property === 'boolean')) {
        found.set(name, property)
      }
    }
  }
  return found
}

/** The properties that have to be there. */
export function requiredOf(json: Members): ReadonlySet<string> {
  const names = partsOf(json).flatMap((part) => (Array.isArray(part.required) ? part.required : []))
  return new Set(names.filter((name) => typeof name === 'string'))
}

/** Whether the root of a conversion is the schema of an object. */
export function isObjectSchema(json: Members): boolean {
  return partsOf(json).some((part) => part.type === 'object' || isObject(part.properties))
}

/** Works out which kinds of value `schema`, a part of the conversion `root`, takes. */
export function shapeOf(schema: unknown, root: Members, depth = 0): Shape {
  if (depth > 16 || !isObject(schema)) return ANYTHING
  const node = follow(schema, root)
  if (node === null) return ANYTHING
  let shape = ownShape(node, root, depth)
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = own(node, keyword)
    if (!Array.isArray(branches) || branches.length === 0) continue
    const shapes = branches.map((branch) => shapeOf(branch, root, depth + 1))
    shape = both(shape, shapes.reduce(either))
  }
  if (Array.isArray(node.allOf)) {
    for (const part of node.allOf) shape = both(shape, shapeOf(part, root, depth + 1))
  }
  return shape
}

/** The root's own keywords and those of its `allOf`, to any depth. */
function partsOf(json: Members): readonly Members[] {
  const parts: Members[] = []
  const waiting: unknown[] = [json]
  while (waiting.length > 0 && parts.length < 1_000) {
    const next = waiting.shift()
    const part = isObject(next) ? follow(next, json) : null
    if (part === null || parts.includes(part)) continue
    parts.push(part)
    if (Array.isArray(part.allOf)) waiting.push(...part.allOf)
  }
  return parts
}

function ownShape(node: Members, root: Members, depth: number): Shape {
  const types = kindsOf(node)
  if (types === null) return ANYTHING
  const takes = (type: string): boolean => types.has(type)
  return {
    string: takes('string'),
    number: takes('number') || takes('integer'),
    boolean: takes('boolean'),
    null: takes('null'),
    object: takes('object'),
    list: takes('array') ? elementOf(node, root, depth) : null,
  }
}

/** The types that a schema names, or that its constants have; null where it names none. */
function kindsOf({ type, const: constant, enum: values, ...rest }: Members): Set<unknown> | null {
  if (typeof type === 'string') return new Set([type])
  if (Array.isArray(type)) return new Set(type)
  if (constant !== undefined) return new Set([kindOf(constant)])
  if (Array.isArray(values)) return new Set(values.map(kindOf))
  return isObject(rest.not) && Object.keys(rest.not).length === 0 ? new Set() : null
}

function elementOf(node: Members, root: Members, depth: number): Shape {
  const elements = [
    ...(Array.isArray(node.prefixItems) ? node.prefixItems : []),
    ...(isObject(node.items) ? [node.items] : []),
  ]
  const shapes = elements.map((element) => shapeOf(element, root, depth + 1))
  return shapes.length === 0 ? ANYTHING : shapes.reduce(either)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function either(a: Shape, b: Shape): Shape {
  return {
    string: a.string || b.string,
    number: a.number || b.number,
    boolean: a.boolean || b.boolean,
    null: a.null || b.null,
    object: a.object || b.object,
    list: a.list && b.list ? either(a.list, b.list) : (a.list ?? b.list),
  }
}

function both(a: Shape, b: Shape): Shape {
  return {
    string: a.string && b.string,
    number: a.number && b.number,
    boolean: a.boolean && b.boolean,
    null: a.null && b.null,
    object: a.object && b.object,
    list: a.list && b.list ? both(a.list, b.list) : null,
  }
}

/** A schema without types takes every value; `list` ends the recursion with strings. */
const ANYTHING: Shape = {
  string: true,
  number: true,
  boolean: true,
  null: true,
  object: true,
  list: { string: true, number: true, boolean: true, null: true, object: true, list: null },
}
