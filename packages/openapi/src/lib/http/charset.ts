import { ContentError } from './content-error.ts'

/** Decodes text with its byte order mark, and throws a ContentError, at `path`, rather than replace a byte. */
export function decodeText(
  bytes: AllowSharedBufferSource,
  charset: string = UTF_8,
  path: ContentError['path'] = [],
): string {
  const decoder = isUtf8(charset) ? UTF_8_DECODER : createDecoder(charset, path)
  try {
    return decoder.decode(bytes)
  } catch {
    throw new ContentError(`not text in the charset ${charset}`, 'malformed', path)
  }
}

/** Removes a leading byte order mark from text (RFC 3629 §6); JSON may ignore it (RFC 8259 §8.1). */
export function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
}

/**
 * Decodes a percent-encoded name or value in a form or a query. Throws a ContentError, at `path`, for bytes that aren't
 * text in the charset. A percent sign without two digits is itself.
 */
export type PercentDecoder = (part: string, path?: ContentError['path']) => string

/** Returns a decoder for one form or query. */
export function createPercentDecoder(charset: string = UTF_8): PercentDecoder {
  return isUtf8(charset) ? decodeUtf8Percents() : decodePercents(charset)
}

function decodeUtf8Percents(): PercentDecoder {
  let mayThrow = true
  return (part, path) => {
    if (!part.includes('%')) return part
    if (mayThrow) {
      try {
        return decodeURIComponent(part)
      } catch {
        // An exception takes as long as ten replacements, so there is only one for each text.
        mayThrow = false
      }
    }
    return part.replace(PERCENTS, (run) => decodePercentRun(run, path))
  }
}

function decodePercentRun(run: string, path?: ContentError['path']): string {
  try {
    return decodeURIComponent(run)
  } catch {
    throw new ContentError(`${run.slice(0, 100)} is not UTF-8`, 'malformed', path)
  }
}

function decodePercents(charset: string): PercentDecoder {
  // In UTF-16, a form's syntax has other bytes.
  if (createDecoder(charset).encoding.startsWith('utf-16')) throw unsupported(charset)
  return (part, path) => decodeText(percentDecode(part), charset, path)
}

/** WHATWG URL §1.3: the bytes in an ASCII text. */
function percentDecode(part: string): Uint8Array<ArrayBuffer> {
  const units = part.replace(PERCENT, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
  return Uint8Array.from(units, (character) => character.charCodeAt(0))
}

function createDecoder(charset: string, path: ContentError['path'] = []): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true })
  } catch {
    throw unsupported(charset, path)
  }
}

function unsupported(charset: string, path: ContentError['path'] = []): ContentError {
  const label = charset.slice(0, 100)
  return new ContentError(`the charset ${label} is not supported`, 'unsupported-media-type', path)
}

/** Returns whether a label names UTF-8, the charset for JSON and queries. */
export function isUtf8(charset: string): boolean {
  return charset === UTF_8 || /^utf-?8$/i.test(charset)
}

const UTF_8 = 'utf-8'
const UTF_8_DECODER = new TextDecoder(UTF_8, { fatal: true, ignoreBOM: true })
const BYTE_ORDER_MARK = '\uFEFF'
const PERCENT = /%([\da-f]{2})/gi
const PERCENTS = /(?:%[\da-f]{2})+/gi
