import { kindOf } from '@plumbline/base'
import { isJsonObject } from '../../json.ts'
import type { InstantFormat, NamedColumn } from '../../predicate/columns.ts'
import type { AttributeNode } from '../../schema/attribute-index.ts'
import type { AttributeType } from '../../schema/types.ts'
import { EXACT_RANGE } from '../../values/coerce.ts'
import { parseInstant } from '../../values/instant.ts'
import { MAP_CODED, textOf } from '../cells.ts'
import type { Field } from './fields.ts'
import type { CodedColumn } from './types.ts'

/**
 * Decodes a column's value for a field; undefined if the attribute is unassigned. Throws a TypeError that names the
 * column for a value of another form: the next write would overwrite it.
 */
export function decodeField(field: Field, stored: unknown, table: string): unknown {
  const { codec, column, node } = field
  const place = `${table}.${column}`
  if (codec === 'json') return requireShape(decodeJson(stored, place), node, place)
  if ('encode' in codec) return decodeCoded(codec, stored, node, place)
  return decodeColumn(codec, stored, table)
}

/** Decodes a column's value; undefined if it is null. Throws a TypeError for a value of another form. */
export function decodeColumn(column: NamedColumn, stored: unknown, table: string): unknown {
  if (stored === null || stored === undefined) return undefined
  const place = `${table}.${column.name}`
  switch (column.kind) {
    case 'boolean':
      return decodeBoolean(stored, place)
    case 'integer':
      return decodeInteger(stored, place)
    case 'decimal':
      return decodeDecimal(stored, place)
    case 'dateTime':
      return decodeInstant(stored, column.format, place)
    case 'exact':
    case 'ilike':
    case 'folded':
    case 'key':
      return textOf(stored, place)
  }
}

/** Parses JSON in a column, unless the driver has parsed it. */
export function decodeJson(stored: unknown, place: string): unknown {
  if (typeof stored !== 'string' && !(stored instanceof Uint8Array)) return stored
  try {
    return JSON.parse(textOf(stored, place))
  } catch (cause) {
    throw new TypeError(`${place} contains text that is not JSON`, { cause })
  }
}

/** Throws a TypeError for JSON of another shape, which the next write would overwrite. */
function requireShape(
  value: unknown,
  { name, type, multiValued }: AttributeNode,
  place: string,
): unknown {
  const isShaped = multiValued
    ? Array.isArray(value)
    : type === 'complex'
      ? isJsonObject(value)
      : typeof value === TYPES[type]
  if (isShaped || value === null || value === undefined) return value ?? undefined
  const wanted = multiValued ? 'a list' : `of the type ${type}`
  throw new TypeError(`${place} contains ${kindOf(value)}, but ${name} is ${wanted}`)
}

function decodeCoded(
  { decode }: CodedColumn,
  stored: unknown,
  { name, type, multiValued }: AttributeNode,
  place: string,
): unknown {
  if (decode === undefined) return undefined
  const value = callDecode(decode, stored, place) ?? undefined
  const wanted = multiValued ? undefined : TYPES[type]
  const isValid = wanted === undefined ? !(value instanceof Promise) : typeof value === wanted
  if (isValid || value === undefined) return value
  const found = kindOf(value)
  throw new TypeError(`${place}: decode returned ${found}, but ${name} has the type ${type}`)
}

function callDecode(
  decode: NonNullable<CodedColumn['decode']>,
  stored: unknown,
  place: string,
): unknown {
  try {
    return decode(stored)
  } catch (cause) {
    throw new TypeError(`${place}: decode threw ${describe(cause)}`, { cause })
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : kindOf(error)
}

/** Decodes the spellings of drivers. An unknown one must not become false: a deactivation would write nothing. */
function decodeBoolean(stored: unknown, place: string): boolean {
  if (typeof stored === 'boolean') return stored
  const bit = stored instanceof Uint8Array && stored.length === 1 ? stored[0] : undefined
  const spelling = bit === 0 || bit === 1 ? `${bit}` : textOf(stored, place).toLowerCase()
  const known = BOOLEANS.get(spelling)
  if (known !== undefined) return known
  throw new TypeError(`${place} contains a value that is neither true nor false: ${MAP_CODED}`)
}

/** Throws a TypeError for an integer without an exact double: the answer would be another number. */
export function decodeInteger(stored: unknown, place: string): number {
  if (typeof stored === 'number' && Number.isSafeInteger(stored)) return stored
  const text = textOf(stored, place)
  if (!INTEGER.test(text)) {
    throw new TypeError(`${place} contains a value that is not an integer: ${MAP_CODED}`)
  }
  const number = Number(text)
  if (Number.isSafeInteger(number)) return number
  throw new TypeError(
    `${place} contains an integer outside of ${EXACT_RANGE}: map it to an attribute of the type string`,
  )
}

function decodeDecimal(stored: unknown, place: string): number {
  const number = numberIn(stored, place)
  if (Number.isFinite(number)) return number
  throw new TypeError(`${place} contains a value that is not a decimal number: ${MAP_CODED}`)
}

/** Returns a stored number; NaN for another value. */
function numberIn(stored: unknown, place: string): number {
  if (typeof stored === 'number') return stored
  const text = textOf(stored, place)
  return text.trim() === '' ? Number.NaN : Number(text)
}

function decodeInstant(stored: unknown, format: InstantFormat, place: string): string | undefined {
  // The zero date of MySQL is unassigned there, too: `is null` finds it.
  if (stored instanceof Date && Number.isNaN(stored.getTime())) return undefined
  if (typeof stored === 'string' && stored.startsWith('0000-00-00')) return undefined
  const instant = stored instanceof Date ? stored : new Date(millisecondsIn(stored, format, place))
  if (!Number.isNaN(instant.getTime())) return instant.toISOString()
  throw new TypeError(`${place} contains a value that is not ${FORMATS[format]}`)
}

function millisecondsIn(stored: unknown, format: InstantFormat, place: string): number {
  if (format === 'milliseconds') return numberIn(stored, place)
  if (format === 'seconds') return numberIn(stored, place) * 1000
  return parseInstant(toDateTime(textOf(stored, place)))?.milliseconds ?? Number.NaN
}

/** Converts `2026-01-31 12:00:00+00` to an xsd:dateTime. Without an offset, it is in UTC. */
function toDateTime(text: string): string {
  return text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
}

/** The spellings of drivers, in lower case. SQLite stores the number 1 as `1.0` in a column of texts. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', '1', '1.0'].map((spelling) => [spelling, true] as const),
  ...['false', 'f', '0', '0.0'].map((spelling) => [spelling, false] as const),
])

const INTEGER = /^[+-]?\d+(?:\.0+)?$/

/** The JavaScript types of values with an attribute's type. */
const TYPES: Readonly<Record<AttributeType, string | undefined>> = {
  boolean: 'boolean',
  integer: 'number',
  decimal: 'number',
  string: 'string',
  reference: 'string',
  binary: 'string',
  dateTime: 'string',
  complex: undefined,
}

const FORMATS: Readonly<Record<InstantFormat, string>> = {
  timestamp: `a date and time: map it with type: 'dateTime' and its format, or with encode and decode`,
  text: `a date and time as text: ${MAP_CODED}`,
  milliseconds: `a number of milliseconds since 1970: map it with another format, or with encode and decode`,
  seconds: `a number of seconds since 1970: map it with another format, or with encode and decode`,
}
