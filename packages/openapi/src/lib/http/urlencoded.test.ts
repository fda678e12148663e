import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { groupByName } from '../schema/coerce.ts'
import { prepareSchema } from '../schema/prepare.ts'
import { ContentError } from './content-error.ts'
import { parseUrlencoded } from './urlencoded.ts'

const pieces = fc.oneof(
  fc.constantFrom(
    '&',
    '=',
    '+',
    '%',
    '%2',
    '%41',
    '%zz',
    '%FF',
    '%E0%A4',
    '%EF%BB%BF',
    '%C3%A4',
    '?',
    'ä',
  ),
  fc.string({ unit: 'grapheme', maxLength: 3 }).filter((text) => !text.includes('\uFFFD')),
)

/** The values, or the failure that names the bytes which are not UTF-8. */
function read(text: string, expected?: readonly string[]): unknown {
  try {
    return parseUrlencoded(text, expected)
  } catch (error) {
    return error
  }
}

it('the parser reads the same as URLSearchParams (WHATWG URL §5.1), except for bytes it would replace', () => {
  const seen = { read: 0, rejected: 0 }
  fc.assert(
    fc.property(fc.array(pieces), (parts) => {
      const text = parts.join('')
      // URLSearchParams would drop a question mark at the start. That of Node 24 changes characters that are
      // not encoded next to a percent sign that does not encode a byte.
      const encoded = text.replace(/\P{ASCII}+/gu, encodeURIComponent)
      const standard = new URLSearchParams(`&${encoded}`)
      const isReplaced = [...standard].flat().join('').includes('\uFFFD')
      seen[isReplaced ? 'rejected' : 'read'] += 1
      const expected = isReplaced ? expect.any(ContentError) : groupByName(standard)
      expect(read(text)).toEqual(expected)
    }),
    { numRuns: 500 },
  )
  expect(Math.min(seen.read, seen.rejected)).toBeGreaterThan(50)
})

it('expected names do not change the result', () => {
  const name = fc.constantFrom('', 'a', 'b', 'ab', 'a b', 'ä', '?', '__proto__')
  const pair = fc.tuple(fc.oneof(name, pieces), fc.constantFrom('=', '', '=='), pieces)
  fc.assert(
    fc.property(fc.array(pair), fc.array(name), (sent, expected) => {
      const text = sent.map((parts) => parts.join('')).join('&')
      expect(read(text, expected)).toEqual(read(text))
    }),
    { numRuns: 500 },
  )
})

it('a name is read if it only starts or ends like an expected one', () => {
  for (const text of ['abc=1', 'x=&abc=1', 'x=&ab&c=1', 'cab=1', '=ab&ab=1']) {
    expect(parseUrlencoded(text, ['ab'])).toEqual(parseUrlencoded(text))
  }
})

it('schema keys sent unencoded are expected names', () => {
  const names = ['', 'a', 'b c', 'ä', 'a+b', 'a&b', 'a=b', 'a%20b']
  const schema = z.object(Object.fromEntries(names.map((name) => [name, z.string()])))
  expect(prepareSchema(schema).names).toEqual(['', 'a', 'b c', 'ä'])
})

it.each<[string, [string, string | string[]][]]>([
  ['', []],
  ['a', [['a', '']]],
  ['?a=b', [['?a', 'b']]],
  ['&a=b', [['a', 'b']]],
  ['%61=b', [['a', 'b']]],
  ['a+b=%2B', [['a b', '+']]],
  [
    'a=1&b=2&a=3',
    [
      ['a', ['1', '3']],
      ['b', '2'],
    ],
  ],
  // A percent sign without two digits does not change how the next pair is read.
  [
    'a=%C3%A4&b=%+%C3%A4&c=%C3%A4+%',
    [
      ['a', 'ä'],
      ['b', '% ä'],
      ['c', 'ä %'],
    ],
  ],
  [
    'a=b=c&&=&+=%20',
    [
      ['a', 'b=c'],
      ['', ''],
      [' ', ' '],
    ],
  ],
])('%j is parsed', (text, pairs) => {
  expect(parseUrlencoded(text)).toEqual(new Map(pairs))
})
