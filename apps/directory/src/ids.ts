import { randomBytes } from 'node:crypto'

/**
 * Makes an id of RFC 9562 §5.7 (UUID version 7): its text sorts by the time at which it was made, so
 * that paging in the order of ids is stable while resources are added.
 */
export function createId(now: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
