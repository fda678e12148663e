import type { IncomingMessage } from 'node:http'
import { isJson, mediaTypeOf } from '@plumbline/base'

/** A body other code has read, as far as the code has kept it. */
export interface KeptBody {
  /** Null if they are lost. */
  readonly bytes: Uint8Array<ArrayBuffer> | null
  /** Whether the code has rejected the body, so this is the client's fault. */
  readonly isRejected: boolean
  /** Whether these are the bytes the client sent, and not only JSON with the same value. */
  readonly isExact: boolean
}

/**
 * Finds the body a parser in front of the listener has read: the bytes in `rawBody` or `body`, or the JSON value in
 * `body`. Parsed forms are lost, because many texts have the same fields.
 *
 * @param length the body's length (bytes) according to the headers; NaN if they do not say it
 */
export function findKeptBody(incoming: IncomingMessage, length: number): KeptBody {
  let body: unknown
  for (const name of ['rawBody', 'body']) {
    try {
      body = Reflect.get(incoming, name)
    } catch {
      // A host such as Vercel parses the body when it is read.
      return { bytes: null, isRejected: true, isExact: false }
    }
    const bytes = asSent(body, incoming, length)
    if (bytes !== null) return { bytes, isRejected: false, isExact: true }
  }
  const type = mediaTypeOf(incoming.headers['content-type'] ?? '')
  const text = isJson(type) ? writeJson(body) : null
  // Parsers also give these to a request they have not read.
  const isUncertain = (text === '{}' || text === 'null') && text.length !== length
  const bytes = text === null || isUncertain ? null : Buffer.from(text)
  return { bytes, isRejected: false, isExact: false }
}

/** The bytes as the client sent them; null if they may be others. */
function asSent(
  kept: unknown,
  { headers }: IncomingMessage,
  length: number,
): Uint8Array<ArrayBuffer> | null {
  if (kept instanceof Uint8Array) {
    // Parsers decode a Content-Encoding.
    const isSent = Number.isNaN(length)
      ? headers['content-encoding'] === undefined
      : kept.byteLength === length
    return isSent ? new Uint8Array(kept) : null
  }
  // A decoder may have removed a byte order mark, or replaced what is not text.
  if (typeof kept !== 'string' || kept.includes('\ufffd')) return null
  const bytes = Buffer.from(kept)
  return bytes.byteLength === length ? bytes : null
}

function writeJson(value: unknown): string | null {
  // With a JSON media type, a string may be JSON text or the value itself.
  if (typeof value === 'string' || value instanceof Uint8Array) return null
  try {
    return JSON.stringify(value) ?? null
  } catch {
    return null
  }
}
