import { setOwn, withoutPrototypes } from '../json/object.ts'
import { elementAt, type Shape } from '../schema/shape/shape.ts'
import { NUMBER } from '../schema/shape/text-test.ts'
import type { PreparedPart } from './contract.ts'

/** The values of each name, in the order in which they came. */
export type Values<Value> = Map<string, Value | Value[]>

/** Adds one value; the second of a name makes a list. */
export function addValue<Value>(values: Values<Value>, name: string, value: Value): void {
  const known = values.get(name)
  if (known === undefined) values.set(name, value)
  else if (Array.isArray(known)) known.push(value)
  else values.set(name, [known, value])
}

/** The values of a form by their names. */
export function entriesOf<Value>(entries: Iterable<readonly [string, Value]>): Values<Value> {
  const values: Values<Value> = new Map()
  for (const [name, value] of entries) addValue(values, name, value)
  return values
}

/** How the values of an object are read. */
export type ReadOptions = Pick<PreparedPart, 'shapes' | 'others' | 'needsNullPrototype'>

/** Reads the JSON that a schema validates; throws where the text is none. */
export function jsonOf(text: string, { needsNullPrototype }: ReadOptions): unknown {
  const json: unknown = JSON.parse(text)
  return needsNullPrototype ? withoutPrototypes(json) : json
}

/** Makes the object that a schema validates, its texts read as the JSON Schema promises. */
export function objectOf<Value>(
  values: Values<Value>,
  { shapes, others, needsNullPrototype }: ReadOptions,
  read: (value: Value | Value[], shape: Shape, name: string) => unknown = readValue,
): Record<string, unknown> {
  const object: Record<string, unknown> = needsNullPrototype ? Object.create(null) : {}
  for (const [name, value] of values) {
    const shape = shapes.get(name) ?? others
    setOwn(object, name, shape === null ? value : read(value, shape, name))
  }
  return object
}

/** Reads a value as its schema wants it: one value of a list becomes a list, text a number or boolean. */
export function readValue(value: unknown, shape: Shape): unknown {
  const { list, raw } = shape
  if (raw) return value
  if (Array.isArray(value)) {
    return list === null ? value : value.map((one, at) => readScalar(one, elementAt(list, at)))
  }
  const read = readScalar(value, shape)
  if (list === null) return read
  // A schema that takes the value by itself gets it by itself; an object here is a file.
  const isTaken =
    typeof read === 'string' ? shape.takesText(read) : typeof read !== 'object' || shape.binary
  return isTaken ? read : [readScalar(value, elementAt(list, 0))]
}

/** Text that a schema takes as text stays text; so does text that is no JSON number or boolean. */
export function readScalar(value: unknown, shape: Shape): unknown {
  if (typeof value !== 'string' || shape.raw) return value
  const read = scalarOf(value, shape)
  return read === value || shape.takesText(value) ? value : read
}

function scalarOf(value: string, shape: Shape): string | number | boolean {
  if (shape.boolean && (value === 'true' || value === 'false')) return value === 'true'
  if (shape.number && NUMBER.test(value)) {
    const number = Number(value)
    return Number.isFinite(number) ? number : value
  }
  return value
}
