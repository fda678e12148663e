import fc from 'fast-check'
import { expect, it } from 'vitest'
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
  fc.string({ unit: 'grapheme', maxLength: 3 }),
)

it('reads what URLSearchParams reads (WHATWG URL §5.1)', () => {
  fc.assert(
    fc.property(fc.array(pieces), (parts) => {
      const text = parts.join('')
      // A question mark at the start is all that URLSearchParams would drop.
      expect(parseUrlencoded(text)).toEqual([...new URLSearchParams(`&${text}`)])
    }),
    { numRuns: 500 },
  )
})

it.each([
  ['', []],
  ['a', [['a', '']]],
  ['?a=b', [['?a', 'b']]],
  ['a+b=%2B', [['a b', '+']]],
  [
    'a=b=c&&=&+=%20',
    [
      ['a', 'b=c'],
      ['', ''],
      [' ', ' '],
    ],
  ],
])('reads %j', (text, pairs) => {
  expect(parseUrlencoded(text)).toEqual(pairs)
})
