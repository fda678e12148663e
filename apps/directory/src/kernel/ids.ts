import { randomBytes } from 'node:crypto'

/**
 * Creates a UUID version 7 (RFC 9562 §5.7). Ids sort by creation time, so pages in id order are stable while resources
 * are added. The other bits are random, or taken from the given 16 bytes.
 */
export function createId(now: number, random: Uint8Array = randomBytes(16)): string {
  const bytes = Buffer.from(random)
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
