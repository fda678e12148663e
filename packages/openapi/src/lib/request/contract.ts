import { byMediaRange, JSON_RANGES } from '../http/media-types.ts'
import { isJsonObject, type JsonObject } from '../json/object.ts'
import { isFileShape } from '../schema/shape/form-field.ts'
import {
  alternativesOf,
  othersOf,
  propertiesOf,
  type Shape,
  shapeOf,
} from '../schema/shape/shape.ts'
import { isSchema, type Schema } from '../schema/standard-schema.ts'
import { convertForParsing, rootOf } from '../schema/to-json-schema.ts'
import { someSchema } from '../schema/walk.ts'
import type { OperationSpec } from '../spec/operation-spec.ts'
import type { InputLocation } from './input-error.ts'

/** An object schema with the shape of each of its keys. */
export interface PreparedSchema {
  readonly schema: Schema
  /** By key; empty if the schema cannot be converted to JSON Schema, which `build` rejects. */
  readonly shapes: ReadonlyMap<string, Shape>
  /** The shape of all other keys; null if the schema does not restrict them. */
  readonly others: Shape | null
  /**
   * Whether it names a member that every object inherits, such as `constructor`. Schema libraries read
   * members through the prototype, so the validated object must not have one: it would look as if an
   * absent member had been sent.
   */
  readonly needsNullPrototype: boolean
  /** The shape of the whole value, as a body. */
  readonly whole: Shape
  /** The contract of each alternative of the schema, if they give a key different types. */
  readonly alternatives: readonly PreparedSchema[]
}

/** A body: a file of any media type, or one schema for each media type. */
export type PreparedBody =
  | { readonly kind: 'file'; readonly part: PreparedSchema }
  | { readonly kind: 'by-media-type'; readonly parts: readonly PreparedMediaType[] }

export interface PreparedMediaType {
  /** In lower case, without parameters; the subtype or both may be `*`. */
  readonly range: string
  readonly part: PreparedSchema
}

/** The data of a spec that parsing needs, prepared once. */
export interface PreparedContract {
  /** The parts that the spec declares, except the body, in the order in which they are read. */
  readonly parts: readonly LocatedPart[]
  readonly body: PreparedBody | null
}

export interface LocatedPart extends PreparedSchema {
  readonly location: PartLocation
}

export type PartLocation = Exclude<InputLocation, 'body'>

/** Prepares the schemas of a spec for parsing. */
export function prepareContract(spec: OperationSpec): PreparedContract {
  const parts: LocatedPart[] = []
  for (const location of ['params', 'query', 'headers', 'cookies'] as const) {
    const schema = spec[location]
    if (schema) parts.push({ location, ...prepareSchema(schema) })
  }
  return { parts, body: spec.body ? prepareBody(spec.body) : null }
}

function prepareBody(body: NonNullable<OperationSpec['body']>): PreparedBody {
  if (isSchema(body)) {
    const part = prepareSchema(body)
    if (isFileShape(part.whole)) return { kind: 'file', part }
    return { kind: 'by-media-type', parts: JSON_RANGES.map((range) => ({ range, part })) }
  }
  const parts = byMediaRange(body).map(([range, schema]) => ({
    range,
    part: prepareSchema(schema),
  }))
  return { kind: 'by-media-type', parts }
}

const prepared = new WeakMap<Schema, PreparedSchema>()

/** Finds the shapes of the keys of an object schema, once for each schema. */
export function prepareSchema(schema: Schema): PreparedSchema {
  const known = prepared.get(schema)
  if (known) return known
  const conversion = convertForParsing(schema)
  const part = 'json' in conversion ? partOf(schema, conversion.json) : unknownPart(schema)
  prepared.set(schema, part)
  return part
}

function unknownPart(schema: Schema): PreparedSchema {
  const whole = shapeOf(true, {})
  return {
    schema,
    shapes: new Map(),
    others: null,
    whole,
    alternatives: [],
    needsNullPrototype: false,
  }
}

function partOf(schema: Schema, json: JsonObject): PreparedSchema {
  const root = rootOf(json)
  const part = {
    schema,
    ...shapesOf(root),
    alternatives: [],
    needsNullPrototype: namesInherited(json),
  }
  const each = alternativesOf(root).map((one) => ({ ...part, ...shapesOf(one) }))
  return { ...part, alternatives: haveKindsInCommon(each) ? [] : each }
}

/** Whether every key has the same shape in each part that has the key. */
function haveKindsInCommon(parts: readonly PreparedSchema[]): boolean {
  const known = new Map<string, string>()
  return parts.every(({ shapes }) =>
    [...shapes].every(([name, { acceptsText: _, list, ...kinds }]) => {
      const text = JSON.stringify([kinds, list !== null])
      const before = known.get(name) ?? text
      known.set(name, text)
      return before === text
    }),
  )
}

function shapesOf(root: JsonObject): Pick<PreparedSchema, 'shapes' | 'others' | 'whole'> {
  const whole = shapeOf(root, root)
  // A transform of a whole object receives all strings as they were sent.
  const within = (property: JsonObject | boolean): Shape => {
    const shape = shapeOf(property, root)
    return whole.raw ? { ...shape, raw: true } : shape
  }
  const others = othersOf(root)
  return {
    shapes: new Map([...propertiesOf(root)].map(([name, property]) => [name, within(property)])),
    others: others && within(others),
    whole,
  }
}

/** Whether a schema, or one within it, names a member that every object inherits. */
function namesInherited(json: JsonObject): boolean {
  return someSchema(
    json,
    ({ properties }) =>
      isJsonObject(properties) && Object.keys(properties).some((name) => name in INHERITED),
  )
}

const INHERITED = {}
