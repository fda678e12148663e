import { isJsonObject, type JsonObject, memoize } from '@plumbline/base'
import { alternativesOf, othersOf, propertiesOf } from './shape/properties.ts'
import { type Shape, shapeOf } from './shape/shape.ts'
import type { Schema } from './standard-schema.ts'
import { convertForParsing, rootOf } from './to-json-schema.ts'
import { someSchema } from './walk.ts'

/** An object schema with the shape of each key. */
export interface PreparedSchema {
  readonly schema: Schema
  /** The keys of `shapes` in their order, without those encoded in a query or form. */
  readonly names: readonly string[]
  /** By key; empty if the schema cannot be converted to JSON Schema, which `build` rejects. */
  readonly shapes: ReadonlyMap<string, Shape>
  /** The shape for all other keys; null if the schema does not restrict them. */
  readonly others: Shape | null
  /**
   * Whether it names a member every object inherits, such as `constructor`. Schema libraries read members through the
   * prototype, so the validated object must not have one: an absent member would look as if it had been sent.
   */
  readonly needsNullPrototype: boolean
  /** The whole value's shape, as a body. */
  readonly whole: Shape
  /** The same schema once per alternative with its shapes, if a key has different types in them. */
  readonly alternatives: readonly PreparedSchema[]
}

/** Finds an object schema's key shapes, once for each schema. */
export const prepareSchema: (schema: Schema) => PreparedSchema = memoize((schema) => {
  const { value, fault } = convertForParsing(schema)
  return fault ? prepareUnknown(schema) : prepareConverted(schema, value.json)
})

function prepareUnknown(schema: Schema): PreparedSchema {
  const whole = shapeOf(true, {})
  return {
    schema,
    names: [],
    shapes: new Map(),
    others: null,
    whole,
    alternatives: [],
    needsNullPrototype: false,
  }
}

function prepareConverted(schema: Schema, json: JsonObject): PreparedSchema {
  const root = rootOf(json)
  const combined = {
    schema,
    ...findShapes(root),
    alternatives: [],
    needsNullPrototype: namesInherited(json),
  }
  const each = alternativesOf(root).map((one) => ({ ...combined, ...findShapes(one) }))
  return { ...combined, alternatives: haveEqualShapes(each) ? [] : each }
}

/** Whether every key has the same shape in each alternative with the key. */
function haveEqualShapes(alternatives: readonly PreparedSchema[]): boolean {
  const known = new Map<string, string>()
  return alternatives.every(({ shapes }) =>
    [...shapes].every(([name, shape]) => {
      const elements = shape.list === null ? [] : [...shape.list.first, shape.list.rest]
      const text = JSON.stringify([shape, ...elements].map(kindsOf))
      const before = known.get(name) ?? text
      known.set(name, text)
      return before === text
    }),
  )
}

/** The value kinds a shape accepts, without the elements' kinds. */
function kindsOf({ acceptsText: _, list, ...kinds }: Shape): object {
  return { ...kinds, list: list !== null }
}

function findShapes(
  root: JsonObject,
): Pick<PreparedSchema, 'names' | 'shapes' | 'others' | 'whole'> {
  const whole = shapeOf(root, root)
  // If the whole object is transformed, the transform receives all strings as they were sent.
  const shapeOfKey = (property: JsonObject | boolean): Shape => {
    const shape = shapeOf(property, root)
    return whole.raw ? { ...shape, raw: true } : shape
  }
  const others = othersOf(root)
  const properties = [...propertiesOf(root)]
  return {
    names: properties.map(([name]) => name).filter((name) => !ENCODED.test(name)),
    shapes: new Map(properties.map(([name, key]) => [name, shapeOfKey(key)])),
    others: others && shapeOfKey(others),
    whole,
  }
}

/** Whether a schema, or one within it, names a member every object inherits. */
function namesInherited(json: JsonObject): boolean {
  return someSchema(
    json,
    ({ properties }) =>
      isJsonObject(properties) && Object.keys(properties).some((name) => name in INHERITED),
  )
}

/** The characters a query or form encodes because they are its syntax. */
const ENCODED = /[&=%+]/
const INHERITED = {}
