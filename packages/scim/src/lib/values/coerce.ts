import { invalidValue } from '../error.ts'
import { isBase64 } from './base64.ts'
import { fold } from './fold.ts'
import { type Instant, parseInstant } from './instant.ts'

/** Types without sub-attributes (RFC 7643 §2.3). */
export type SimpleType =
  | 'string'
  | 'boolean'
  | 'decimal'
  | 'integer'
  | 'dateTime'
  | 'binary'
  | 'reference'

/** The alphabet of a `binary` attribute. */
export type Encoding = 'base64' | 'base64url'

/**
 * Checks a client's value against its type, and returns it in JSON form: a boolean or an integer as a string becomes
 * a boolean or an integer, and a dateTime stays a string. Throws a ScimError, `invalidValue`, naming the place.
 */
export function coerceSimple(
  value: unknown,
  type: SimpleType,
  place: string,
  encoding: Encoding,
): unknown {
  return coercions[type](value, place, encoding)
}

/** Checks only the JSON type of a stored value: it may be older than a check, and must stay readable. */
export function coerceStored(value: unknown, type: SimpleType, place: string): unknown {
  if (type === 'integer' && Number.isInteger(value)) return value
  return type === 'binary' ? requireText(value, place) : coerceSimple(value, type, place, 'base64')
}

/** Parses a dateTime; throws a ScimError, `invalidValue`, naming the place. */
export function requireInstant(value: unknown, place: string): Instant {
  const instant = typeof value === 'string' ? parseInstant(value) : null
  if (instant === null) throw invalidValue(place, 'must be a dateTime such as 2026-01-31T12:00:00Z')
  return instant
}

type Coercion = (value: unknown, place: string, encoding: Encoding) => unknown

const coercions: Readonly<Record<SimpleType, Coercion>> = {
  string: requireText,
  // A relative URI, or an empty one, is accepted: decisions/values-checked-when-sent.md.
  reference: requireText,
  binary: (value, place, encoding) => {
    const text = requireText(value, place)
    if (!isBase64(text, encoding)) throw invalidValue(place, `must be ${encoding}`)
    return text
  },
  boolean: (value, place) => {
    if (typeof value === 'boolean') return value
    // Deviation: Entra ID sends booleans as strings.
    const text = typeof value === 'string' ? fold(value) : ''
    if (text !== 'true' && text !== 'false') throw invalidValue(place, 'must be true or false')
    return text === 'true'
  },
  integer: (value, place) => {
    // Deviation: Entra ID's attribute mappings send integers as strings.
    const isText = typeof value === 'string' && INTEGER.test(value)
    const number = isText ? Number(value) : value
    if (!Number.isInteger(number)) throw invalidValue(place, 'must be an integer')
    // RFC 8259 §6: JSON.parse has rounded a larger integer, so another number would be stored.
    if (!Number.isSafeInteger(number)) throw invalidValue(place, `must be within ${EXACT_RANGE}`)
    return Number(number) + 0
  },
  decimal: (value, place) => {
    // JSON.parse reads 1e400 as Infinity, which JSON cannot express.
    if (!Number.isFinite(value)) throw invalidValue(place, 'must be a number')
    return value
  },
  dateTime: (value, place) => {
    requireInstant(value, place)
    return value
  },
}

function requireText(value: unknown, place: string): string {
  if (typeof value !== 'string') throw invalidValue(place, 'must be a string')
  return value
}

/** The range of integers in which each has a double of its own. */
export const EXACT_RANGE = '±(2^53-1)'
const INTEGER = /^-?(?:0|[1-9][0-9]*)$/
