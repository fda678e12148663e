import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ReadPart, StreamSpec } from '../spec/stream-spec.ts'
import { events } from './events.ts'
import { jsonLines } from './json-lines.ts'

/** The bytes of a stream, in pieces. */
type Pieces = readonly Uint8Array[]

/** Fragments of both formats, of characters with several bytes, and of bytes that are not UTF-8. */
const FRAGMENTS = [
  'data: 1',
  'data:{}',
  'data',
  'data: {',
  'event: n',
  'event: t',
  'id: 7',
  'id',
  'retry: 1',
  '{"a":1}',
  '[1',
  '"é"',
  '2',
  ' ',
  ':',
  '\uFEFF',
  '\r',
  '\n',
  '\r\n',
  '\n\n',
  '\0',
  '😀',
].map((text) => new TextEncoder().encode(text))
const fragments = fc.constantFrom(...FRAGMENTS, Uint8Array.of(0xe9), Uint8Array.of(0xf0, 0x9f))

function join(pieces: Pieces): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]))
}

function cut(bytes: Uint8Array, places: readonly number[]): Pieces {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length]
  return ends.sort((a, b) => a - b).map((end, index) => bytes.slice(ends[index - 1] ?? 0, end))
}

function readAll({ format }: StreamSpec, pieces: Pieces): ReadPart[] {
  const reader = format.createReader()
  return [...pieces.flatMap((piece) => [...reader.read(piece)]), ...reader.end()]
}

describe.each<[format: string, stream: StreamSpec]>([
  ['events', events({ message: z.unknown(), n: z.int(), t: z.string() })],
  ['lines of JSON', jsonLines(z.unknown())],
])('%s', (_, stream) => {
  it('the parts and faults are the same wherever the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fragments, { maxLength: 30 }).map(join),
        fc.array(fc.nat(), { maxLength: 6 }),
        (bytes, places) => {
          const whole = readAll(stream, [bytes])
          expect(readAll(stream, cut(bytes, places))).toEqual(whole)
          expect(
            readAll(
              stream,
              Array.from(bytes, (byte) => Uint8Array.of(byte)),
            ),
          ).toEqual(whole)
        },
      ),
      { numRuns: 500 },
    )
  })
})

it('JSON lines end at any line end, and the last one without', () => {
  const text = '\uFEFF{"a":1}\n\n \r[2]\r\n3'
  const parts = readAll(jsonLines(z.unknown()), [new TextEncoder().encode(text)])
  expect(parts.map(({ value }) => value)).toEqual([{ a: 1 }, [2], 3])
})

it.each<[what: string, bytes: readonly number[], code: string]>([
  [
    'a line that is not UTF-8 is malformed',
    [0x31, 10, 0x22, 0xe9, 0x22, 10, 0x32, 10],
    'malformed',
  ],
  ['a line that is not JSON is malformed', [0x31, 10, 0x7b, 10], 'malformed'],
  ['a last line that is not JSON is cut', [0x31, 10, 0x7b], 'incomplete'],
  ['a last line that ends within a character is cut', [0x31, 10, 0x22, 0xc3], 'incomplete'],
])('in a stream of JSON lines, %s', (_, bytes, code) => {
  const parts = readAll(jsonLines(z.unknown()), [Uint8Array.from(bytes)])
  expect(parts).toEqual([
    { name: 'line', value: 1 },
    expect.objectContaining({ value: undefined, fault: expect.objectContaining({ code }) }),
  ])
})

it('a part longer than 16 MiB is one fault, and the last part', () => {
  const long = 'x'.repeat(17 * 1024 * 1024)
  const bytes = new TextEncoder().encode(`1\n"${long}"\n2\n`)
  for (const pieces of [[bytes], cut(bytes, [1, 3_000_000, 17_000_000])]) {
    expect(readAll(jsonLines(z.unknown()), pieces)).toMatchObject([
      { name: 'line', value: 1 },
      { fault: { code: 'too-long', message: 'a part of the stream is longer than 16 MiB' } },
    ])
  }
})
