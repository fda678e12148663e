import { hash, timingSafeEqual } from 'node:crypto'

/** The SHA-256 hash of a string, in hexadecimal. */
export function sha256(text: string): string {
  return hash('sha256', text)
}

/** Compares two hashes in a time that does not depend on their content. */
export function isSameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
