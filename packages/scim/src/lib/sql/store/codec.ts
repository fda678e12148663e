import { invalidValue } from '../../error.ts'
import type { InstantFormat, NamedColumn } from '../../predicate/columns.ts'
import { parseKey } from '../../predicate/key.ts'
import { EXACT_RANGE } from '../../values/coerce.ts'
import { fold } from '../../values/fold.ts'
import { parseInstant } from '../../values/instant.ts'
import type { SqlValue } from '../fragment.ts'
import type { DialectRules } from '../rules.ts'
import type { Field } from './fields.ts'

/** Decodes a column's value for a field; undefined if the attribute is unassigned. */
export function decodeField({ codec }: Field, stored: unknown): unknown {
  if (codec === 'json') {
    const value = typeof stored === 'string' ? JSON.parse(stored) : stored
    return value ?? undefined
  }
  if ('encode' in codec) return codec.decode?.(stored) ?? undefined
  return decodeColumn(codec, stored)
}

/** Decodes a column's value; undefined if it is null. */
export function decodeColumn(column: NamedColumn, stored: unknown): unknown {
  if (stored === null || stored === undefined) return undefined
  switch (column.kind) {
    case 'boolean':
      return TRUE.has(stored instanceof Uint8Array ? stored[0] : stored)
    case 'integer':
      return decodeInteger(stored, column.name)
    case 'decimal':
      return Number(stored)
    case 'dateTime':
      return decodeInstant(stored, column.format)
    case 'exact':
    case 'ilike':
    case 'folded':
    case 'key':
      return stored instanceof Uint8Array ? new TextDecoder().decode(stored) : String(stored)
  }
}

/** Throws a TypeError for an integer without an exact double: the answer would be another number. */
function decodeInteger(stored: unknown, column: string): number {
  const number = Number(stored)
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return number
  throw new TypeError(
    `the column ${column} has an integer outside of ${EXACT_RANGE}, so map it to an attribute of type string`,
  )
}

function decodeInstant(stored: unknown, format: InstantFormat): string | undefined {
  const instant =
    stored instanceof Date
      ? stored
      : format === 'milliseconds' || format === 'seconds'
        ? new Date(Number(stored) * (format === 'seconds' ? 1000 : 1))
        : new Date(parseInstant(toDateTime(String(stored)))?.milliseconds ?? Number.NaN)
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString()
}

/** Converts `2026-01-31 12:00:00+00` to an xsd:dateTime. Without an offset, it is in UTC. */
function toDateTime(text: string): string {
  return text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
}

/** Encodes an attribute's value for its column. Throws a ScimError if the column cannot store it. */
export async function encodeField(
  { codec, path }: Field,
  value: unknown,
  rules: DialectRules,
): Promise<SqlValue> {
  if (value === undefined) return null
  // PostgreSQL's `jsonb` rejects what its `text` rejects.
  const checked = (_: string, one: unknown): unknown =>
    typeof one === 'string' ? encodeText(one, path) : one
  if (codec === 'json') return JSON.stringify(value, checked)
  if (!('encode' in codec)) return encodeColumn(codec, value, path, rules)
  const encoded = await codec.encode(value)
  return typeof encoded === 'string' ? encodeText(encoded, path) : encoded
}

/** Encodes a value for a column. Throws `400 invalidValue` if the column cannot store it. */
export function encodeColumn(
  column: NamedColumn,
  value: unknown,
  path: string,
  rules: DialectRules,
): SqlValue {
  if (value === undefined || value === null) return null
  switch (column.kind) {
    case 'boolean':
      return value === true
    case 'integer':
    case 'decimal':
      return Number(value)
    case 'dateTime':
      return encodeInstant(String(value), column.format, rules)
    case 'key': {
      const key = parseKey(String(value), column.type)
      if (key === null) throw invalidValue(path, 'does not exist')
      return key
    }
    case 'exact':
    case 'ilike':
    case 'folded':
      return encodeText(column.kind === 'folded' ? fold(String(value)) : String(value), path)
  }
}

/** Throws `400 invalidValue` for strings databases cannot store. */
export function encodeText(value: string, path: string): string {
  if (value.includes('\0')) throw invalidValue(path, 'must not contain a null character')
  if (/\p{Surrogate}/u.test(value)) throw invalidValue(path, 'must not contain a lone surrogate')
  return value
}

function encodeInstant(value: string, format: InstantFormat, rules: DialectRules): SqlValue {
  const instant = new Date(parseInstant(value)?.milliseconds ?? 0)
  switch (format) {
    case 'milliseconds':
      return instant.getTime()
    case 'seconds':
      return Math.floor(instant.getTime() / 1000)
    case 'text':
      return instant.toISOString()
    case 'timestamp':
      return rules.timestamp(instant)
  }
}

const TRUE: ReadonlySet<unknown> = new Set([true, 1, 1n, '1', 't', 'true'])
