import { kindOf } from '@plumbline/base'
import { EXACT_RANGE } from '../values/coerce.ts'

/** Returns a row's value in a column. Throws a TypeError if the row does not have the column. */
export function cellOf(row: object, column: string): unknown {
  if (Object.hasOwn(row, column)) return row[column as keyof typeof row]
  const similar = Object.keys(row).find((name) => plain(name) === plain(column))
  const found = similar === undefined ? '' : `, not as ${similar}`
  throw new TypeError(
    `execute returned rows without the column ${column}: it must return them as the database names them${found}`,
  )
}

/** A name without letter case, underscores and the table before a dot, as plugins of query builders rename columns. */
function plain(name: string): string {
  return name.replace(/.*\./, '').replaceAll('_', '').toLowerCase()
}

/**
 * Returns a stored key as a string. Throws a TypeError for null and for a rounded number, which is the key of another
 * row.
 *
 * @param place the table and column, for the error
 */
export function keyText(stored: unknown, place: string): string {
  if (stored !== null && stored !== undefined) return textOf(stored, place)
  throw new TypeError(`${place} contains null: each row needs a key`)
}

/** Returns a stored value as a string. Throws a TypeError for a value that is not a string, a number or a boolean. */
export function textOf(stored: unknown, place: string): string {
  switch (typeof stored) {
    case 'string':
      return stored
    case 'number':
      if (Number.isInteger(stored)) requireExact(stored, place)
      return String(stored)
    case 'bigint':
    case 'boolean':
      return String(stored)
    default:
      if (stored instanceof Uint8Array) return decodeText(stored, place)
      throw new TypeError(`${place} contains ${describe(stored)}: ${MAP_CODED}`)
  }
}

function describe(stored: unknown): string {
  return stored instanceof Date
    ? 'a date instead of a string'
    : `${kindOf(stored)} instead of a string`
}

function decodeText(stored: Uint8Array, place: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(stored)
  } catch (cause) {
    throw new TypeError(`${place} contains bytes that are not text in UTF-8: ${MAP_CODED}`, {
      cause,
    })
  }
}

/** Throws a TypeError for an integer that a double cannot represent: the driver has rounded it. */
export function requireExact(stored: number, place: string): void {
  if (Number.isSafeInteger(stored)) return
  throw new TypeError(
    `${place} contains an integer outside of ${EXACT_RANGE}, which the driver has rounded: configure it to return bigints or strings, such as supportBigNumbers: true and bigNumberStrings: true in mysql2`,
  )
}

/** The remedy for a column with values of another form. */
export const MAP_CODED = 'map it with encode and decode'
