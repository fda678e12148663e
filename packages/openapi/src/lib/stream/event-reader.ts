import { checkLength, createLineSplitter } from './lines.ts'

/** An event as it was received. */
export interface ReceivedEvent {
  /** Its name; `message` by default. */
  readonly event: string
  readonly data: string
  /** The stream's last event ID; empty by default. */
  readonly id: string
}

/** Reads one stream's events, piece by piece. */
export interface EventReader {
  /** Returns the events that end within a piece. */
  read(piece: Uint8Array): readonly ReceivedEvent[]
  /** Whether the stream ended within an event. */
  isCut(): boolean
  /** The time (ms) to wait before a reconnection; null if the stream did not name it. */
  retry(): number | null
}

/**
 * Creates a reader for server-sent events. An event cut by the end of the stream is discarded.
 *
 * @see WHATWG HTML §9.2.6
 */
export function createEventReader(): EventReader {
  // Removes a byte order mark.
  const decoder = new TextDecoder()
  const lines = createLineSplitter()
  const event: PendingEvent = { name: '', data: [], length: 0, id: '', retry: null }
  return {
    read: (piece) => {
      const events: ReceivedEvent[] = []
      for (const line of lines.split(decoder.decode(piece, { stream: true }))) {
        if (line !== '') readField(event, line)
        else {
          const { name, data, id } = event
          // An event without data, such as a comment, is not dispatched.
          if (data.length > 0) events.push({ event: name || 'message', data: data.join('\n'), id })
          event.name = ''
          event.data = []
          event.length = 0
        }
      }
      return events
    },
    isCut: () => event.data.length > 0 || /^[^:]/.test(lines.rest()),
    retry: () => event.retry,
  }
}

interface PendingEvent {
  name: string
  data: string[]
  length: number
  id: string
  retry: number | null
}

function readField(event: PendingEvent, line: string): void {
  const colon = line.indexOf(':')
  const field = colon < 0 ? line : line.slice(0, colon)
  const start = line.charAt(colon + 1) === ' ' ? colon + 2 : colon + 1
  const value = colon < 0 ? '' : line.slice(start)
  if (field === 'data') {
    event.data.push(value)
    event.length += value.length + 1
    checkLength(event.length)
  } else if (field === 'event') event.name = value
  else if (field === 'id' && !value.includes('\0')) event.id = value
  else if (field === 'retry' && /^\d+$/.test(value)) event.retry = Number(value)
}
