/**
 * Reads the last event ID received by the client, sent when it reconnects; null if absent.
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
  return String.fromCharCode(...new TextEncoder().encode(id))
}

/** The header a client sends when it reconnects. */
export const LAST_EVENT_ID = 'Last-Event-ID'
