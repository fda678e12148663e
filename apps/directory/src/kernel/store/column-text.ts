import { fold, ScimError } from '@plumbline/scim'

/** An indexed string's maximum length, in UTF-8 bytes. */
export const MAX_BYTES = 2_000

/**
 * Returns an attribute's string, or null if it is unassigned.
 *
 * Throws a ScimError for a string that not every database can store or index: with U+0000, or too long.
 */
export function storable(attribute: string, value: unknown): string | null {
  if (typeof value !== 'string') return null
  if (!isStorable(value)) throw invalid(`${attribute} must not contain U+0000`)
  // A UTF-16 code unit is at most three bytes.
  if (value.length * 3 > MAX_BYTES && Buffer.byteLength(value) > MAX_BYTES) {
    throw invalid(`${attribute} must not be longer than ${MAX_BYTES} bytes`)
  }
  return value
}

/** Whether a database can store a string: PostgreSQL rejects U+0000. */
export function isStorable(text: string): boolean {
  return !text.includes('\0')
}

/** Returns an attribute's string in lower case: filters compare folded columns with a folded value. */
export function storableFolded(attribute: string, value: unknown): string | null {
  return typeof value === 'string' ? storable(attribute, fold(value)) : null
}

function invalid(detail: string): ScimError {
  return new ScimError(400, detail, { scimType: 'invalidValue' })
}
