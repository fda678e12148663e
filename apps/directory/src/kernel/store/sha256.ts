import { hash, timingSafeEqual } from 'node:crypto'

/** Returns a string's SHA-256 hash, in hexadecimal. */
export function sha256(text: string): string {
  return hash('sha256', text)
}

/** Compares two hashes in constant time. */
export function isSameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
