import { invalidCursor } from '../../list/cursor.ts'
import type { Position } from '../../list/position.ts'
import { parseInstant } from '../../values/instant.ts'
import { cellOf } from '../cells.ts'
import type { SqlValue } from '../fragment.ts'
import { decodeColumn } from './decode.ts'
import type { SqlSortKey } from './sort.ts'
import type { SqlRow } from './types.ts'

/** A sort key other than null. */
export type AssignedKey = Exclude<Position['key'], null>

/**
 * Returns a row's sort key. Numbers stay as the driver returns them: a string may be exact where a JavaScript number is
 * not.
 */
export function keyInRow({ table, column, codec }: SqlSortKey, row: SqlRow): AssignedKey {
  const stored = cellOf(row, column)
  const decoded = decodeColumn(codec, stored, table)
  if (decoded === undefined) {
    throw new TypeError(`${table}.${column} cannot be sorted by: it contains ${stored}`)
  }
  if (typeof decoded === 'boolean') return decoded
  const isText = typeof decoded === 'string' && !isNumeric(codec)
  if (isText) return decoded
  return typeof stored === 'number' && Number.isFinite(stored) ? stored : String(stored)
}

/** Converts a cursor's key to a column value. Throws `400 invalidCursor` for a key with the wrong type. */
export function encodeKey({ codec }: SqlSortKey, key: AssignedKey): SqlValue {
  const isValid =
    codec.kind === 'boolean'
      ? typeof key === 'boolean'
      : isNumeric(codec)
        ? typeof key !== 'boolean' && NUMBER.test(String(key))
        : typeof key === 'string' && !/\0|\p{Surrogate}/u.test(key)
  const isInstant = codec.kind === 'dateTime' && codec.format === 'timestamp'
  if (isValid && (!isInstant || parseInstant(String(key)) !== null)) return key
  throw invalidCursor('the cursor is not valid')
}

/** Returns whether the column contains numbers, including instants stored as numbers. */
function isNumeric(codec: SqlSortKey['codec']): boolean {
  if (codec.kind === 'dateTime')
    return codec.format === 'milliseconds' || codec.format === 'seconds'
  return codec.kind === 'integer' || codec.kind === 'decimal'
}

const NUMBER = /^(?:-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Infinity)|NaN)$/i
