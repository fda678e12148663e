import { createLineSplitter } from './lines.ts'

/** Reads one stream's lines, piece by piece. Empty lines are not returned. */
export interface LineReader {
  read(piece: Uint8Array): readonly string[]
  /** The last line, if it does not end with a line break. */
  end(): readonly string[]
}

/** Creates a reader for text lines. */
export function createLineReader(): LineReader {
  const decoder = new TextDecoder()
  const lines = createLineSplitter()
  const isFilled = (line: string): boolean => line.trim() !== ''
  return {
    read: (piece) => lines.split(decoder.decode(piece, { stream: true })).filter(isFilled),
    end: () => [...lines.split(decoder.decode()), lines.rest()].filter(isFilled),
  }
}
