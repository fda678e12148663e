/**
 * Returns whether a string is base64 (RFC 4648 §4) or base64url (§5), without line breaks. Padding may be omitted as a
 * whole (RFC 7643 §2.3.6).
 */
export function isBase64(text: string, encoding: 'base64' | 'base64url'): boolean {
  const padding = ALPHABETS[encoding].exec(text)?.[1]
  if (padding === undefined) return false
  // Four characters are three bytes, so a single one is less than a byte.
  return padding === '' ? text.length % 4 !== 1 : text.length % 4 === 0
}

const ALPHABETS: Readonly<Record<'base64' | 'base64url', RegExp>> = {
  base64: /^[A-Za-z0-9+/]*(={0,2})$/,
  base64url: /^[A-Za-z0-9_-]*(={0,2})$/,
}
