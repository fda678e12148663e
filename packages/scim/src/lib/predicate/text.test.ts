import { describe, expect, it } from 'vitest'
import { compare, either, logical, negate, type Predicate } from './predicate.ts'
import { translateFolded, translateIlike, translateText } from './text.ts'
import type { Capabilities } from './translation.ts'

const all: Capabilities = { escapes: true, negations: true, selections: true }
const match = (pieces: readonly string[], folded = false): Predicate => ({
  type: 'match',
  column: 'c',
  pieces,
  folded,
  negated: false,
})
const LONG = 'x'.repeat(16_000)

describe('a text comparison', () => {
  it.each([
    ['eq', 'a', compare('c', 'eq', 'a')],
    ['ge', 'a', compare('c', 'gte', 'a')],
    ['co', 'a', match(['', 'a', ''])],
    ['sw', 'a', match(['a', ''])],
    ['ew', 'a', match(['', 'a'])],
    ['co', '50%_\\', match(['', '50%_\\', ''])],
    ['co', LONG, match(['', LONG, ''])],
  ] as const)('a text comparison with %s %j is exact', (operator, value, exact) => {
    expect(translateText('c', operator, value, all)).toEqual({ exact })
  })

  it.each([
    [`${LONG}x`, 'the value is too long for a pattern'],
    ['a\0', 'the value contains a null character'],
    ['\ud800', 'the value contains a lone surrogate'],
  ])('comparing text with %j runs in memory', (value, reason) => {
    for (const operator of ['eq', 'co'] as const) {
      expect(translateText('c', operator, value, all)).toEqual({ reason, superset: null })
      expect(translateIlike('c', operator, value, all)).toEqual({ reason, superset: null })
    }
  })

  it.each(['%', '_', '\\'])(
    'comparing text with the wildcard %j is only narrowed without escapes',
    (value) => {
      const reason = 'the value contains %, _ or a backslash'
      const plain = { ...all, escapes: false }
      expect(translateText('c', 'sw', value, plain)).toEqual({
        reason,
        superset: match([value, '']),
      })
      expect(translateText('c', 'eq', value, plain)).toEqual({ exact: compare('c', 'eq', value) })
      expect(translateIlike('c', 'sw', value, plain)).toMatchObject({ reason })
    },
  )
})

describe('a prefix in folded text', () => {
  it.each<[prefix: string, from: string, end: string | null]>([
    ['Ab', 'ab', 'ac'],
    ['a\ud7ff', 'a\ud7ff', 'a\ue000'],
    ['a\u{10ffff}', 'a\u{10ffff}', 'b'],
    ['a\u{10ffff}\u{10ffff}', 'a\u{10ffff}\u{10ffff}', 'b'],
    ['\u{10ffff}', '\u{10ffff}', null],
    ['\u{1f600}', '\u{1f600}', '\u{1f601}'],
  ])('strings with the prefix %j form a range', (prefix, from, end) => {
    const range = compare('c', 'gte', from)
    const exact = end === null ? range : logical('and', [range, compare('c', 'lt', end)])
    expect(translateFolded('c', 'sw', prefix, all)).toEqual({ exact })
  })

  it('other operators compare the folded value', () => {
    expect(translateFolded('c', 'eq', 'AB', all)).toEqual({ exact: compare('c', 'eq', 'ab') })
    expect(translateFolded('c', 'co', 'AB', all)).toEqual({ exact: match(['', 'ab', '']) })
    expect(translateFolded('c', 'sw', '', all)).toEqual({ exact: match(['', '']) })
    expect(translateFolded('c', 'sw', '\0', all)).toMatchObject({ superset: null })
  })
})

describe('a comparison through ilike', () => {
  const one = (...pieces: readonly string[]) => match(pieces, true)

  // The Kelvin sign folds to k, and a capital i with a dot to an i and a dot above.
  it.each<['eq' | 'co' | 'sw' | 'ew', string, readonly Predicate[]]>([
    ['eq', 'ab', [one('ab')]],
    ['eq', 'k', [one('k'), one('\u212A')]],
    ['eq', 'aK', [one('aK'), one('a\u212A')]],
    ['co', 'I', [one('', 'I', ''), one('', '\u0130', '')]],
    ['sw', 'ai', [one('ai', ''), one('a\u0130', '')]],
    ['sw', 'ia', [one('ia', '')]],
    ['ew', 'i', [one('', 'i')]],
    ['eq', 'i', [one('i')]],
  ])('a comparison through ilike with %s %j has all variants', (operator, value, matches) => {
    expect(translateIlike('c', operator, value, all)).toEqual({ exact: either(matches) })
  })

  it('a comparison through ilike is exact for at most 64 variants', () => {
    expect(translateIlike('c', 'eq', 'k'.repeat(6), all)).toHaveProperty('exact')
    expect(translateIlike('c', 'eq', 'k'.repeat(7), all)).toEqual({
      reason: 'databases fold the value differently',
      superset: one('', ''),
    })
  })

  it.each([
    ['eq', 'aéb', one('a', 'b')],
    ['co', 'éi', one('', '', '', '')],
    ['sw', 'aébkc', one('a', 'b', 'c', '')],
  ] as const)(
    'a comparison through ilike with %s %j is narrowed to the other letters',
    (operator, value, superset) => {
      const reason = 'databases fold the value differently'
      expect(translateIlike('c', operator, value, all)).toEqual({ reason, superset })
    },
  )

  it('ne is the negation, if ilike can be negated and is exact', () => {
    const exact = negate(one('a'))
    expect(translateIlike('c', 'ne', 'a', all)).toEqual({ exact })
    expect(translateIlike('c', 'ne', 'é', all)).toMatchObject({ superset: null })
    const plain = { ...all, negations: false }
    const reason = 'ilike cannot be negated'
    expect(translateIlike('c', 'ne', 'a', plain)).toEqual({ reason, superset: null })
  })

  it.each(['gt', 'ge', 'lt', 'le'] as const)('%s through ilike runs in memory', (operator) => {
    const reason = 'folded text cannot be ordered through ilike'
    expect(translateIlike('c', operator, 'a', all)).toEqual({ reason, superset: null })
  })
})
