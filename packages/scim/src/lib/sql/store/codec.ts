import { invalidValue } from '../../error.ts'
import type { InstantFormat, NamedColumn } from '../../predicate/columns.ts'
import { parseKey } from '../../predicate/key.ts'
import { fold } from '../../values/fold.ts'
import { parseInstant } from '../../values/instant.ts'
import type { SqlValue } from '../fragment.ts'
import type { DialectRules } from '../rules.ts'
import type { Field } from './fields.ts'

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
