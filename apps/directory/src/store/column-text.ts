import { ScimError } from '@plumbline/scim'

/** How many bytes of UTF-8 a text has at most that filters find in the database. */
export const MOST_BYTES = 2_000

/**
 * The text of an attribute, or null where it has none.
 *
 * Refuses what not every database can keep, or find again: U+0000, and more bytes than an index takes.
 */
export function storable(attribute: string, value: unknown): string | null {
  if (typeof value !== 'string') return null
  if (!isStorable(value)) throw refused(`${attribute} must not hold U+0000`)
  // A code unit of UTF-16 is three bytes at most.
  if (value.length * 3 > MOST_BYTES && Buffer.byteLength(value) > MOST_BYTES) {
    throw refused(`${attribute} must not be longer than ${MOST_BYTES} bytes`)
  }
  return value
}

/** Whether a text can be in the database: PostgreSQL has none with U+0000. */
export function isStorable(text: string): boolean {
  return !text.includes('\0')
}

/** The text of an attribute, folded as filters fold: folded columns are compared with the folded value. */
export function storableFolded(attribute: string, value: unknown): string | null {
  return typeof value === 'string' ? storable(attribute, value.toLowerCase()) : null
}

function refused(detail: string): ScimError {
  return new ScimError(400, detail, { scimType: 'invalidValue' })
}
