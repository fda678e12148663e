/** Returns the first bytes of a string's SHA-256 in hexadecimal digits; all 32 bytes by default. */
export async function sha256(text: string, length = 32): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return toHex(new Uint8Array(digest, 0, length))
}

/** Writes bytes in hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0')
  return hex
}
