import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asciiTests } from './ascii-tests.ts'
import { fold } from './fold.ts'

/** Letters, their neighbours in ASCII, and characters that fold to ASCII, to two characters, or by their place. */
const text = fc.string({
  unit: fc.constantFrom(...'aAkKzZ@[`{09 ', '\u212a', '\u0130', 'ſ', 'Σ', 'ß', '\u{10400}'),
  maxLength: 6,
})
const ascii = text.filter((value) => /^[\0-\x7f]*$/.test(value)).map(fold)

describe('ASCII text tests', () => {
  it('the tests find what the folded text has', () => {
    fc.assert(
      fc.property(ascii, text, (wanted, actual) => {
        const tests = asciiTests(wanted)
        const folded = fold(actual)
        const found = [tests?.eq(actual), tests?.sw(actual), tests?.ew(actual)]
        expect(found).toEqual([
          folded === wanted,
          folded.startsWith(wanted),
          folded.endsWith(wanted),
        ])
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['ak', 'A\u212a', [true, true, true]],
    ['ak', 'Ak!', [false, true, false]],
    ['ak', '!aK', [false, false, true]],
    ['ak', 'a', [false, false, false]],
    ['az', 'AZ', [true, true, true]],
    ['@[', '`{', [false, false, false]],
    ['i', '\u0130', [false, true, false]],
    ['', 'a', [false, true, true]],
  ] as const)('%j compares with %j', (wanted, actual, expected) => {
    const tests = asciiTests(wanted)
    expect([tests?.eq(actual), tests?.sw(actual), tests?.ew(actual)]).toEqual(expected)
  })

  it('the tests do not exist for other texts', () => {
    expect([asciiTests('é'), asciiTests('a\u0080'), asciiTests('a\x7f')?.eq('A\x7f')]).toEqual([
      null,
      null,
      true,
    ])
  })
})
