import { kindOf } from '@plumbline/base'
import { isJsonObject, own } from '../../json.ts'
import type { Dialect } from '../dialect.ts'
import type { Fragment } from '../fragment.ts'
import type { SqlRow } from './types.ts'

/**
 * Returns the rows `execute` returned for a statement. Throws a TypeError for anything else, unless it is the result of
 * a write on MySQL.
 */
export function requireRows(
  result: unknown,
  { strings: [start = ''] }: Fragment,
  dialect: Dialect,
): readonly SqlRow[] {
  if (Array.isArray(result) && (result.length === 0 || isJsonObject(result[0]))) return result
  if (dialect === 'mysql' && !start.startsWith('select') && hasInsertId(result)) return []
  throw new TypeError(`execute must return the rows as an array, not ${describe(result)}`)
}

/** Whether a result is that of a write in `mysql2`. */
export function hasInsertId(result: unknown): boolean {
  return isJsonObject(result) && own(result, 'insertId') != null
}

function describe(result: unknown): string {
  if (Array.isArray(result)) return 'a list of lists: of mysql2, return the first element'
  const rows = isJsonObject(result) && ROWS.find((name) => Array.isArray(own(result, name)))
  return rows ? `an object with ${rows}: return its .${rows}` : kindOf(result)
}

/** The members in which drivers return the rows. */
const ROWS = ['rows', 'results']
