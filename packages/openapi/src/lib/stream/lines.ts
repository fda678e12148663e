/** Splits text arriving in pieces into lines. */
export interface LineSplitter {
  /** Returns the lines ending within a piece. Throws a RangeError for lines longer than 16 Mi characters. */
  split(piece: string): readonly string[]
  /** Returns the unfinished line. */
  rest(): string
}

/** Splits at CR, LF and CRLF, as server-sent events require (WHATWG HTML §9.2.5). */
export function createLineSplitter(): LineSplitter {
  let pieces: string[] = []
  let length = 0
  let endedWithReturn = false
  return {
    split: (piece) => {
      if (piece === '') return []
      const lines: string[] = []
      // The line feed in a CRLF whose carriage return ended the last piece.
      let start = endedWithReturn && piece.startsWith('\n') ? 1 : 0
      endedWithReturn = piece.endsWith('\r')
      BREAK.lastIndex = start
      for (let found = BREAK.exec(piece); found !== null; found = BREAK.exec(piece)) {
        pieces.push(piece.slice(start, found.index))
        lines.push(pieces.length === 1 ? (pieces[0] ?? '') : pieces.join(''))
        pieces = []
        length = 0
        start = BREAK.lastIndex
      }
      if (start < piece.length) {
        pieces.push(piece.slice(start))
        length += piece.length - start
      }
      checkLength(length)
      return lines
    },
    rest: () => pieces.join(''),
  }
}

/** Throws a RangeError if a part is too long to keep. */
export function checkLength(length: number): void {
  if (length > MOST_CHARACTERS) {
    throw new RangeError(`a part of the stream has more than ${MOST_CHARACTERS} characters`)
  }
}

const BREAK = /\r\n?|\n/g
const MOST_CHARACTERS = 16 * 1024 * 1024
