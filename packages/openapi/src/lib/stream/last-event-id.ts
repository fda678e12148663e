/**
 * Reads the last event ID the client has received, which it sends when it reconnects; null if absent.
 *
 * @see WHATWG HTML §9.2.4
 */
export function readLastEventId(headers: Headers): string | null {
  const text = headers.get(LAST_EVENT_ID)
  if (text === null || /[^\0-\xff]/.test(text)) return text
  // The header is UTF-8. `Headers` has a character for each byte.
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return text
  }
}

/** Encodes an ID as the header's value. */
export function writeLastEventId(id: string): string {
  const bytes = new TextEncoder().encode(id)
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}

/** Whether a header can carry an ID: at most 4,096 characters, without control characters (RFC 9110 §5.5). */
export function canSendId(id: string): boolean {
  return id.length <= MAX_CHARACTERS && !UNSENDABLE.test(id)
}

/** The header a client sends when it reconnects. */
export const LAST_EVENT_ID = 'Last-Event-ID'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that a header cannot carry
const UNSENDABLE = /[\0-\x08\x0a-\x1f\x7f\p{Surrogate}]/u
/** Servers limit all headers of a request, some to 8 KiB. */
const MAX_CHARACTERS = 4_096
