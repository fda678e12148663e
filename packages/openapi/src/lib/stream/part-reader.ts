import { decodeText } from '../http/charset.ts'
import { ContentError } from '../http/content-error.ts'
import type { PartFault, PartReader, ReadPart } from '../spec/stream-spec.ts'
import type { EventReader } from './event-reader.ts'
import { createLineReader, TooLongError } from './line-reader.ts'

/** A part's value, or the reason why it cannot be read. */
export type ParsedPart = Pick<ReadPart, 'value' | 'fault'>

/** Reads events as parts. */
export function createEventParts(
  events: EventReader,
  parse: (name: string, data: string) => ParsedPart,
): PartReader {
  return createPartReader(events, {
    toPart: ({ event: name, data, id }) => {
      const { value, fault } = parse(name, data)
      if (fault !== undefined)
        return id === '' ? { name, value, fault } : { name, value, fault, id }
      return id === '' ? { name, value } : { name, value, id }
    },
    last: () => (events.isCut() ? CUT : null),
  })
}

/** Reads lines as parts, except for blank ones. Bytes that are not UTF-8 are a fault. */
export function createLineParts(parse: (text: string) => ParsedPart): PartReader {
  const lines = createLineReader((bytes) => decodeText(bytes))
  const toPart = (line: string): ReadPart | null =>
    line.trim() === '' ? null : { name: LINE, ...parse(line) }
  return createPartReader(lines, {
    toPart,
    last: () => {
      try {
        // The last line may end without a line break.
        const part = toPart(lines.rest())
        return part?.fault ? CUT : part
      } catch {
        // A character was cut.
        return CUT
      }
    },
  })
}

/** Parses a part's JSON, or says why that is impossible. */
export function parsePart(text: string, parse: (text: string) => unknown = JSON.parse): ParsedPart {
  try {
    return { value: parse(text) }
  } catch (cause) {
    const message = 'the data is not valid JSON'
    return { value: undefined, fault: { code: 'malformed', message, cause } }
  }
}

interface PartSource<Item> {
  readonly toPart: (item: Item) => ReadPart | null
  /** The part, or the fault, at the end. */
  readonly last: () => ReadPart | null
}

function createPartReader<Item>(
  source: { push(piece: Uint8Array): void; next(): Item | null },
  { toPart, last }: PartSource<Item>,
): PartReader {
  let isBroken = false
  return {
    *read(piece) {
      if (!isBroken) source.push(piece)
      while (!isBroken) {
        let part: ReadPart | null
        try {
          const item = source.next()
          if (item === null) return
          part = toPart(item)
        } catch (error) {
          isBroken = true
          part = { name: '', value: undefined, fault: describeFault(error) }
        }
        if (part !== null) yield part
      }
    },
    *end() {
      const part = isBroken ? null : last()
      if (part !== null) yield part
    },
  }
}

function describeFault(cause: unknown): PartFault {
  if (cause instanceof TooLongError) return { code: 'too-long', message: cause.message, cause }
  if (!(cause instanceof ContentError)) throw cause
  return { code: 'malformed', message: 'the line is not UTF-8', cause }
}

const LINE = 'line'
const CUT: ReadPart = {
  name: '',
  value: undefined,
  fault: { code: 'incomplete', message: 'the stream ended within this part' },
}
