import { checkLength, createLineReader } from './line-reader.ts'

/** An event as it was received. */
export interface ReceivedEvent {
  /** The name; defaults to `message`. */
  readonly event: string
  readonly data: string
  /** The last event ID at this event; empty without one. */
  readonly id: string
}

/** Reads the events of one connection. However the bytes are cut, the events and the errors are the same. */
export interface EventReader {
  /** Adds a piece. All events of the piece before must have been read. */
  push(piece: Uint8Array): void
  /** Returns the next event; null if it has not ended yet. Throws a TooLongError for one longer than 16 MiB. */
  next(): ReceivedEvent | null
  /** Whether the stream ended within an event. Called once. */
  isCut(): boolean
  /** The last event ID, which a block without data also sets; empty without one. */
  lastId(): string
  /** The time (ms) to wait before a reconnection; null if the stream did not name it. */
  retry(): number | null
}

/**
 * Creates a reader for server-sent events. If the stream ends within an event, the event is discarded.
 *
 * @param lastId The last event ID of the connection before.
 * @see WHATWG HTML §9.2.6
 */
export function createEventReader(lastId = ''): EventReader {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const lines = createLineReader((bytes) => decoder.decode(bytes))
  const block: Block = { name: '', data: [], length: 0, id: lastId, retry: null }
  let id = lastId
  return {
    push: lines.push,
    next() {
      for (let line = lines.next(); line !== null; line = lines.next()) {
        if (line !== '') {
          readField(block, line)
          continue
        }
        const { name, data } = block
        id = block.id
        block.name = ''
        block.data = []
        block.length = 0
        // A block without data, such as a comment, is not dispatched.
        if (data.length > 0) return { event: name || 'message', data: data.join('\n'), id }
      }
      return null
    },
    isCut: () => /^[^:]/.test(lines.rest()) || block.data.length > 0,
    lastId: () => id,
    retry: () => block.retry,
  }
}

interface Block {
  name: string
  data: string[]
  length: number
  id: string
  retry: number | null
}

function readField(block: Block, line: string): void {
  const colon = line.indexOf(':')
  const field = colon < 0 ? line : line.slice(0, colon)
  const start = line.charAt(colon + 1) === ' ' ? colon + 2 : colon + 1
  const value = colon < 0 ? '' : line.slice(start)
  if (field === 'data') {
    block.data.push(value)
    block.length += line.length + 1
    checkLength(block.length)
  } else if (field === 'event') block.name = value
  else if (field === 'id' && !value.includes('\0')) block.id = value
  else if (field === 'retry' && /^\d+$/.test(value)) block.retry = Number(value)
}
