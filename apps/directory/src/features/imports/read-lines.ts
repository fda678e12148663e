import { createReadStream } from 'node:fs'

/** A line without its line break. */
export interface Line {
  readonly line: number
  /** The file position after the part read with this line, in bytes. */
  readonly end: number
  /** Null if the line exceeds the limit. */
  readonly text: string | null
}

/** Reads a UTF-8 file line by line. Lines over `most` code units are skipped, so they can't fill the memory. */
export async function* readLines(file: string, most: number): AsyncGenerator<Line> {
  const stream = createReadStream(file, { encoding: 'utf8' })
  let [line, parts, length] = [1, [] as string[], 0]
  const add = (part: string): void => {
    length += part.length
    if (length <= most) parts.push(part)
    else parts = []
  }
  const end = (): Line => {
    const read = { line, end: stream.bytesRead, text: length > most ? null : parts.join('') }
    ;[line, parts, length] = [line + 1, [], 0]
    return read
  }
  for await (const chunk of stream as AsyncIterable<string>) {
    let from = line === 1 && length === 0 && chunk.startsWith(BYTE_ORDER_MARK) ? 1 : 0
    for (let at = chunk.indexOf('\n', from); at !== -1; at = chunk.indexOf('\n', from)) {
      add(chunk.slice(from, at))
      yield end()
      from = at + 1
    }
    add(chunk.slice(from))
  }
  if (length > 0) yield end()
}

const BYTE_ORDER_MARK = '\uFEFF'
