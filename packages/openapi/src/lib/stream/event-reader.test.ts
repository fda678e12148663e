import { describe, expect, it } from 'vitest'
import { EVENT_CASES, type EventCase } from './event-reader.cases.ts'
import { createEventReader, type EventReader, type ReceivedEvent } from './event-reader.ts'

const bytesOf = (stream: EventCase['stream']) =>
  typeof stream === 'string' ? new TextEncoder().encode(stream) : Uint8Array.from(stream)

function readAll(reader: EventReader, bytes: Uint8Array, size: number): ReceivedEvent[] {
  const events: ReceivedEvent[] = []
  for (let at = 0; at < bytes.length; at += size) {
    reader.push(bytes.slice(at, at + size))
    for (let event = reader.next(); event !== null; event = reader.next()) events.push(event)
  }
  return events
}

describe('an event stream (WHATWG HTML §9.2.6)', () => {
  it.each(EVENT_CASES)('the stream is read in pieces with any size: $rule', (row) => {
    const bytes = bytesOf(row.stream)
    for (const size of [1, 2, 3, 5, 8, 1_000]) {
      const reader = createEventReader()
      const events = readAll(reader, bytes, size)
      expect(
        { events, lastId: reader.lastId(), retry: reader.retry(), isCut: reader.isCut() },
        `pieces of ${size} bytes`,
      ).toEqual({
        events: row.events,
        lastId: row.lastId ?? '',
        retry: row.retry ?? null,
        isCut: row.isCut ?? false,
      })
    }
  })

  it("the stream continues with the previous connection's last event ID", () => {
    const reader = createEventReader('5')
    const events = readAll(reader, bytesOf('data: a\n\nid\ndata: b\n\n'), 3)
    expect(events.map(({ id }) => id)).toEqual(['5', ''])
    expect(createEventReader('5').lastId()).toBe('5')
  })

  it('the stream may have an 8 MiB event in small pieces', () => {
    const data = 'x'.repeat(8 * 1024 * 1024)
    expect(readAll(createEventReader(), bytesOf(`data: ${data}\n\n`), 16_384)).toEqual([
      { event: 'message', data, id: '' },
    ])
  })

  const half = 'x'.repeat(9 * 1024 * 1024)
  it.each([
    ['a line', `data: a\n\ndata: ${half}${half}\n\ndata: b\n\n`],
    ['an event', `data: a\n\ndata: ${half}\ndata: ${half}\n\ndata: b\n\n`],
    ['a line that has not ended', `data: a\n\n: ${half}${half}`],
  ])('the stream fails at %s longer than 16 MiB, in one piece or in many', (_, text) => {
    const bytes = bytesOf(text)
    for (const size of [bytes.length, 65_537]) {
      const reader = createEventReader()
      reader.push(bytes.subarray(0, size))
      expect(reader.next()).toEqual({ event: 'message', data: 'a', id: '' })
      const readOn = () => {
        for (let at = size; reader.next() === null; at += size) {
          reader.push(bytes.subarray(at, at + size))
        }
      }
      expect(readOn).toThrow('longer than 16 MiB')
    }
  })
})
