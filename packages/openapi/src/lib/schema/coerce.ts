import { NUMBER, removePrototypes, setOwn } from '@plumbline/base'
import type { PreparedSchema } from './prepare.ts'
import { elementAt, type Shape } from './shape/shape.ts'

/** Each name's values, in the order in which they were sent. */
export type Values<Value> = Map<string, Value | Value[]>

/** Adds one value. A second value with the same name makes a list. */
export function addValue<Value>(values: Values<Value>, name: string, value: Value): void {
  const known = values.get(name)
  if (known === undefined) values.set(name, value)
  else if (Array.isArray(known)) known.push(value)
  else values.set(name, [known, value])
}

/** Groups query or form entries by name. */
export function groupByName<Value>(entries: Iterable<readonly [string, Value]>): Values<Value> {
  const values: Values<Value> = new Map()
  for (const [name, value] of entries) addValue(values, name, value)
  return values
}

/** The schema properties used to coerce values. */
export type CoerceOptions = Pick<PreparedSchema, 'shapes' | 'others' | 'needsNullPrototype'>

/** Parses JSON for a schema. Throws a SyntaxError if the string is not JSON. */
export function parseJsonFor(
  { needsNullPrototype }: Pick<CoerceOptions, 'needsNullPrototype'>,
  text: string,
): unknown {
  // RFC 8259 §9 permits a limit. Programs would exceed their stack when they write such a value again.
  if (isDeeper(text, MAX_DEPTH)) throw new RangeError('nested too deeply')
  const json: unknown = JSON.parse(text)
  return needsNullPrototype ? removePrototypes(json) : json
}

/** Makes the object to validate, with each string coerced to the type in the JSON Schema. */
export function coerceObject<Value>(
  values: Values<Value>,
  { shapes, others, needsNullPrototype }: CoerceOptions,
  coerce: (value: Value | Value[], shape: Shape, name: string) => unknown = coerceValue,
): Record<string, unknown> {
  const object: Record<string, unknown> = needsNullPrototype ? Object.create(null) : {}
  let known = 0
  // The schema's keys come first: an engine stores a value faster if the keys and their order are the same.
  for (const [name, shape] of shapes) {
    const value = values.get(name)
    if (value === undefined) continue
    known += 1
    setOwn(object, name, isKept(shape) ? value : coerce(value, shape, name))
  }
  if (known === values.size) return object
  for (const [name, value] of values) {
    if (shapes.has(name)) continue
    setOwn(object, name, others === null ? value : coerce(value, others, name))
  }
  return object
}

/** Whether each value is kept as it was sent: most keys accept only strings. */
function isKept({ raw, number, boolean, object, list }: Shape): boolean {
  return raw || !(number || boolean || object || list !== null)
}

/** Coerces a value to the schema: a single value to a list, a string to a number or a boolean. */
export function coerceValue(value: unknown, shape: Shape): unknown {
  const { list, raw } = shape
  if (raw) return value
  if (Array.isArray(value)) {
    return list === null ? value : value.map((one, at) => coerceScalar(one, elementAt(list, at)))
  }
  const scalar = coerceScalar(value, shape)
  if (list === null) return scalar
  // If the schema accepts a single value, it receives it. An object here is a file.
  const isAccepted =
    typeof scalar === 'string'
      ? shape.acceptsText(scalar)
      : typeof scalar !== 'object' || shape.binary
  return isAccepted ? scalar : [coerceScalar(value, elementAt(list, 0))]
}

/** Coerces a string to a number or boolean. It stays a string if the schema accepts it, or if it is neither in JSON. */
export function coerceScalar(value: unknown, shape: Shape): unknown {
  if (typeof value !== 'string' || shape.raw) return value
  const scalar = parseScalar(value, shape)
  return scalar === value || shape.acceptsText(value) ? value : scalar
}

function parseScalar(value: string, shape: Shape): string | number | boolean {
  if (shape.boolean && (value === 'true' || value === 'false')) return value === 'true'
  if (shape.number && NUMBER.test(value)) {
    const number = Number(value)
    return Number.isFinite(number) ? number : value
  }
  return value
}

/** Whether lists and objects in a JSON text are nested deeper than `levels`. */
function isDeeper(text: string, levels: number): boolean {
  // Each level has two characters.
  if (text.length <= 2 * levels) return false
  let depth = 0
  let isString = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isString && character === '\\') at += 1
    else if (character === '"') isString = !isString
    else if (!isString && (character === '[' || character === '{')) depth += 1
    else if (!isString && (character === ']' || character === '}')) depth -= 1
    if (depth > levels) return true
  }
  return false
}

const MAX_DEPTH = 1_000
