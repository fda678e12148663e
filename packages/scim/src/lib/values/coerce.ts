import { invalidValue } from '../error.ts'
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

/**
 * Checks a client's value against its type, and returns it in JSON form: a boolean as a string becomes a boolean, and a
 * dateTime stays a string. Throws a ScimError, `invalidValue`, naming the place.
 */
export function coerceSimple(value: unknown, type: SimpleType, place: string): unknown {
  return coercions[type](value, place)
}

/** Parses a dateTime; throws a ScimError, `invalidValue`, naming the place. */
export function requireInstant(value: unknown, place: string): Instant {
  const instant = typeof value === 'string' ? parseInstant(value) : null
  if (instant === null) throw invalidValue(place, 'must be a dateTime such as 2026-01-31T12:00:00Z')
  return instant
}

const coercions: Readonly<Record<SimpleType, (value: unknown, place: string) => unknown>> = {
  string: requireText,
  reference: requireText,
  binary: requireText,
  boolean: (value, place) => {
    if (typeof value === 'boolean') return value
    // Deviation: Entra ID sends booleans as strings.
    const text = typeof value === 'string' ? fold(value) : ''
    if (text !== 'true' && text !== 'false') throw invalidValue(place, 'must be true or false')
    return text === 'true'
  },
  integer: (value, place) => {
    if (!Number.isInteger(value)) throw invalidValue(place, 'must be an integer')
    return value
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
