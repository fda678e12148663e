import { withoutMark } from '../http/charset.ts'

/** Reads one stream's lines. However the bytes are cut, the lines and the errors are the same. */
export interface LineReader {
  /** Adds a piece. All lines of the piece before must have been read. */
  push(piece: Uint8Array): void
  /** Returns the next line; null if it has not ended yet. Throws a TooLongError, and what `decode` throws. */
  next(): string | null
  /** Decodes the unfinished line. */
  rest(): string
}

/** Thrown for a part that is too long to keep. */
export class TooLongError extends RangeError {
  override readonly name: string = 'TooLongError'
}

/**
 * Creates a reader for lines ending with CR, LF or CRLF (WHATWG HTML §9.2.5), without the byte order mark. Bytes are
 * decoded in whole lines, so a decoder that throws does so for one line.
 */
export function createLineReader(decode: (bytes: Uint8Array) => string): LineReader {
  const kept = createKeptBytes()
  let isStart = true
  let endedWithReturn = false

  const decodeNext = (bytes: Uint8Array): string => {
    const text = decode(bytes)
    const decoded = isStart ? withoutMark(text) : text
    isStart = false
    return decoded
  }
  // The complete lines of the last piece as text, or as bytes if they are decoded one by one.
  let text: string | null = ''
  let bytes = NONE
  let at = 0
  let tail = NONE

  return {
    push(piece) {
      // The line feed in a CRLF whose carriage return ended the last piece.
      const start = endedWithReturn && piece[0] === LF ? 1 : 0
      if (piece.length > 0) endedWithReturn = piece[piece.length - 1] === CR
      const end = endOfLines(piece, start)
      bytes = end > start ? kept.join(piece.subarray(start, end)) : NONE
      text = decodeAll(bytes, decodeNext)
      at = 0
      tail = piece.subarray(end)
    },
    next() {
      if (text !== null && at < text.length) {
        const start = at
        BREAK.lastIndex = start
        const end = BREAK.exec(text)?.index
        at = BREAK.lastIndex
        return text.slice(start, end)
      }
      if (text === null && at < bytes.length) {
        const start = at
        let end = start
        while (!isBreak(bytes[end])) end += 1
        at = bytes[end] === CR && bytes[end + 1] === LF ? end + 2 : end + 1
        checkLength(end - start)
        return decodeNext(bytes.subarray(start, end))
      }
      kept.add(tail)
      tail = NONE
      checkLength(kept.length())
      return null
    },
    rest: () => decodeNext(kept.join(NONE)),
  }
}

/** The position after the last line break; `start` without one. */
function endOfLines(piece: Uint8Array, start: number): number {
  for (let at = piece.length; at > start; at -= 1) if (isBreak(piece[at - 1])) return at
  return start
}

/** Returns null if a line may be too long, or if the decoder throws: the lines before that one are still read. */
function decodeAll(bytes: Uint8Array, decode: (bytes: Uint8Array) => string): string | null {
  if (bytes.length === 0) return ''
  if (bytes.length > MAX_BYTES) return null
  try {
    return decode(bytes)
  } catch {
    return null
  }
}

/** Throws a TooLongError if a part is too long to keep. */
export function checkLength(length: number): void {
  if (length > MAX_BYTES) throw new TooLongError('a part of the stream is longer than 16 MiB')
}

function isBreak(byte: number | undefined): boolean {
  return byte === LF || byte === CR
}

/** Copies what is kept between pieces: small pieces would otherwise keep the buffers they are views of. */
function createKeptBytes() {
  let buffer = NONE
  let length = 0
  const add = (piece: Uint8Array): void => {
    if (length + piece.length > buffer.length) {
      const larger = new Uint8Array(Math.max(length + piece.length, 2 * buffer.length))
      larger.set(buffer.subarray(0, length))
      buffer = larger
    }
    buffer.set(piece, length)
    length += piece.length
  }
  return {
    length: () => length,
    add,
    /** Returns the kept bytes with a piece, and keeps nothing. */
    join: (piece: Uint8Array): Uint8Array => {
      if (length === 0) return piece
      add(piece)
      const all = buffer.subarray(0, length)
      buffer = NONE
      length = 0
      return all
    },
  }
}

const NONE: Uint8Array = new Uint8Array()
const LF = 10
const CR = 13
const BREAK = /\r\n?|\n/g
const MAX_BYTES = 16 * 1024 * 1024
