import type { JsonObject } from '@plumbline/base'
import type { Arbitrary } from 'fast-check'
import { PATTERNS } from '../members/flatten.ts'
import type { FastCheck } from './fast-check.ts'

/** The characters allowed in generated strings: all JSON characters, or those a header can carry. */
export type Alphabet = 'json' | 'header'

/** Makes sources for strings a schema may accept, from its format, pattern and lengths. */
export function stringSources(
  fc: FastCheck,
  node: JsonObject,
  alphabet: Alphabet,
): readonly Arbitrary<string>[] {
  const least = typeof node.minLength === 'number' ? node.minLength : 0
  const most = typeof node.maxLength === 'number' ? node.maxLength : Number.POSITIVE_INFINITY
  if (least > MAX_LENGTH || least > most) return []
  const few = Math.min(most, least + 12)
  const units =
    alphabet === 'json' && least <= FEW ? [anyCharacter(fc), odd(fc), letters(fc)] : [letters(fc)]
  const isText = alphabet === 'json' && least <= FEW && most > 0
  return [
    ...units.map((unit) => ofLength(fc, unit, least, few)),
    ...(isText ? [manyOdd(fc, least, most)] : []),
    // Nothing is left if blanks are removed.
    ...(isText ? [fc.constant(' '.repeat(Math.max(1, least)))] : []),
    // The longest string: a limit is often wrong by one.
    ...(most > few && most <= MAX_LENGTH ? [ofLength(fc, letters(fc), most, most)] : []),
    ...ofFormat(fc, String(node.format)),
    ...[node[PATTERNS] ?? node.pattern ?? []].flat().flatMap((pattern) => ofPattern(fc, pattern)),
  ]
}

function ofLength(fc: FastCheck, unit: Arbitrary<string>, minLength: number, maxLength: number) {
  // Generating a long string character by character would take time.
  if (minLength > FEW)
    return unit.map((character) => character.repeat(minLength).slice(0, maxLength))
  return fc.string({ unit, minLength, maxLength })
}

/** Characters treated differently from letters in names, URLs, quotes or numbers. */
const ODD = [...'\0\n\t "\'\\/%&=+,;:.-_$#?<>[]{}aZ09é中😀']
const odd = (fc: FastCheck) => fc.constantFrom(...ODD)
const letters = (fc: FastCheck) => fc.constantFrom(...'abcxyzABCXYZ0189-')

/** Generates strings with about half of the odd characters, so that few requests have all of them. */
function manyOdd(fc: FastCheck, least: number, most: number): Arbitrary<string> {
  const within = (limit: number) => Math.min(limit, ODD.length)
  const limits = { minLength: within(least), maxLength: within(most) }
  return fc.shuffledSubarray(ODD, limits).map((chosen) => chosen.join(''))
}

/** Generates any character. The unit `binary` from fast-check is the same, but takes seconds to make. */
function anyCharacter(fc: FastCheck): Arbitrary<string> {
  const [below, beyond] = [
    fc.integer({ max: 0xd7ff, min: 0 }),
    fc.integer({ max: 0x10ffff, min: 0xe000 }),
  ]
  return fc.oneof(below, beyond).map((point) => String.fromCodePoint(point))
}

function ofFormat(fc: FastCheck, format: string): readonly Arbitrary<string>[] {
  const time = () =>
    fc
      .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
      .map((date) => date.toISOString())
  switch (format) {
    case 'date-time':
      return [time()]
    case 'date':
      return [time().map((text) => text.slice(0, 10))]
    case 'time':
      return [time().map((text) => text.slice(11)), time().map((text) => text.slice(11, 19))]
    case 'email':
      return [fc.emailAddress()]
    case 'hostname':
      return [fc.domain()]
    case 'ipv4':
      return [fc.ipV4()]
    case 'ipv6':
      return [fc.ipV6()]
    case 'uri':
      return [fc.webUrl()]
    case 'uuid':
      return [fc.uuid()]
    default:
      return []
  }
}

/** fast-check does not generate strings for a pattern with a look-ahead, such as that of a duration or an emoji in zod. */
function ofPattern(fc: FastCheck, pattern: unknown): readonly Arbitrary<string>[] {
  try {
    return [fc.stringMatching(new RegExp(String(pattern), 'u'))]
  } catch {
    return [fc.constantFrom('P1D', 'PT1H30M', 'P2W', '😀', '🇫🇷')]
  }
}

/** Longer strings are not generated: they may exceed a body's limit. */
const MAX_LENGTH = 100_000
const FEW = 200
