import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEventReader } from './event-reader.ts'
import { createLineReader } from './line-reader.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** Reads a text in pieces of this size. */
function read(text: string | Uint8Array, size = Number.MAX_SAFE_INTEGER) {
  const all = typeof text === 'string' ? bytes(text) : text
  const reader = createEventReader()
  const events = []
  for (let at = 0; at < all.length; at += size) {
    events.push(...reader.read(all.subarray(at, Math.min(at + size, all.length))))
  }
  return { events, isCut: reader.isCut(), retry: reader.retry() }
}
const message = (data: string, id = '') => ({ event: 'message', data, id })

describe('a stream of events is read (WHATWG HTML §9.2.6)', () => {
  it.each<[what: string, text: string, events: readonly unknown[]]>([
    ['line feeds', 'data: a\n\ndata: b\n\n', [message('a'), message('b')]],
    ['carriage returns', 'data: a\r\rdata: b\r\r', [message('a'), message('b')]],
    ['both', 'data: a\r\n\r\ndata: b\r\n\r\n', [message('a'), message('b')]],
    ['a mixture', 'data: a\rdata: b\r\ndata: c\n\r\n', [message('a\nb\nc')]],
    ['a byte order mark', '\uFEFFdata: a\n\n', [message('a')]],
    ['a second byte order mark', '\uFEFF\uFEFFdata: a\n\n', []],
    ['no space after the colon', 'data:a\n\n', [message('a')]],
    ['one of two spaces', 'data:  a\n\n', [message(' a')]],
    ['data without a colon', 'data\n\n', [message('')]],
    ['empty data', 'data:\n\n', [message('')]],
    ['two empty lines of data', 'data\ndata\n\n', [message('\n')]],
    ['comments', ': a\n\n:\ndata: b\n:c\n\n', [message('b')]],
    ['an unknown field', 'other: a\ndata: b\n\n', [message('b')]],
    ['a name', 'event: x\ndata: a\n\ndata: b\n\n', [{ ...message('a'), event: 'x' }, message('b')]],
    ['a name without data', 'event: x\n\ndata: b\n\n', [message('b')]],
    ['an id, which stays', 'id: 1\ndata: a\n\ndata: b\n\n', [message('a', '1'), message('b', '1')]],
    [
      'an empty id, which resets',
      'id: 1\ndata: a\n\nid\ndata: b\n\n',
      [message('a', '1'), message('b')],
    ],
    ['an id with a null character', 'id: 1\0\ndata: a\n\n', [message('a')]],
    ['an id without data', 'id: 1\n\ndata: a\n\n', [message('a', '1')]],
    ['an event that is cut', 'data: a\n\ndata: b\n', [message('a')]],
    ['colons in data', 'data: a: b:\n\n', [message('a: b:')]],
    ['characters of several bytes', 'data: é😀\n\n', [message('é😀')]],
  ])('with %s, in pieces of any size', (_, text, events) => {
    for (const size of [undefined, 1, 2, 3, 5]) expect(read(text, size).events).toEqual(events)
  })

  it('and the time to wait before a reconnection, of digits', () => {
    expect(read('retry: 1500\n\n').retry).toBe(1_500)
    expect(read('retry: 1500\n\nretry: x\nretry:\nretry: -1\n\n').retry).toBe(1_500)
    expect(read('data: a\n\n').retry).toBe(null)
  })

  it.each([
    ['', false],
    ['data: a\n\n', false],
    [':\n', false],
    [': a', false],
    ['data: a\n\nda', true],
    ['data: a\n', true],
    ['data: a\n\ndata: b\ndata: c', true],
  ])('and %j ends within an event: %s', (text, isCut) => {
    expect(read(text).isCut).toBe(isCut)
  })

  it('with an event of 8 MiB in small pieces', () => {
    const long = 'x'.repeat(8 * 1024 * 1024)
    expect(read(`data: ${long}\n\n`, 16_384).events).toEqual([message(long)])
  })

  it('until a line or an event has more than 16 Mi characters', () => {
    const half = 'x'.repeat(9 * 1024 * 1024)
    expect(() => read(`data: ${half}${half}`, 2 ** 20)).toThrow(RangeError)
    expect(() => read(`data: ${half}\ndata: ${half}\n`, 2 ** 20)).toThrow(RangeError)
  })

  it('alike in pieces of any size', () => {
    const part = fc.constantFrom('data', ':', ' ', '\r', '\n', 'id', 'event', 'é', '\0', 'retry: 1')
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        (parts, size) => {
          const text = parts.join('')
          expect(read(text, size)).toEqual(read(text))
        },
      ),
    )
  })
})

it('lines of JSON end at any line break, and the last one without', () => {
  const reader = createLineReader()
  expect(reader.read(bytes('\uFEFF{"a":1}\n\n{"a"'))).toEqual(['{"a":1}'])
  expect(reader.read(bytes(':2}\r'))).toEqual(['{"a":2}'])
  expect(reader.read(bytes('\n3'))).toEqual([])
  expect(reader.end()).toEqual(['3'])
})
