/**
 * The ID of the last event that a client received, which it sends when it reconnects; null if it did not.
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

/** Writes an ID as the value of the header. */
export function writeLastEventId(id: string): string {
  return String.fromCharCode(...new TextEncoder().encode(id))
}

/** The header that a client sends when it reconnects. */
export const LAST_EVENT_ID = 'Last-Event-ID'
