import type { Predicate } from '@remix-run/data-table'
import type { Operator } from '../filter/tree.ts'
import { fold } from '../values/fold.ts'
import { COMPARISONS, type Comparison, compare, isRelational, logical } from './predicate.ts'
import type { Translation } from './translation.ts'

/** Compares a text column unchanged. A binary collation orders it as `compileFilter` does. */
export function translateText(name: string, operator: Operator, value: string): Translation {
  const unsendable = unmatchableReason(value)
  if (unsendable !== null) return { reason: unsendable, superset: null }
  if (isRelational(operator)) return { exact: compare(name, COMPARISONS[operator], value) }
  const superset = compare(name, 'like', writePattern(operator, value.replace(EACH_WILD, '_')))
  return WILD.test(value) ? { reason: WILD_REASON, superset } : { exact: superset }
}

/** Compares a column of folded strings with the folded value. */
export function translateFolded(name: string, operator: Operator, value: string): Translation {
  const folded = fold(value)
  return operator === 'sw' && folded !== '' && unmatchableReason(folded) === null
    ? { exact: startsWith(name, folded) }
    : translateText(name, operator, folded)
}

/** The strings with a prefix are a range, which an index serves. An index does not serve a bound pattern. */
function startsWith(name: string, prefix: string): Predicate {
  const from = compare(name, 'gte', prefix)
  const end = textAfter(prefix)
  return end === null ? from : logical('and', [from, compare(name, 'lt', end)])
}

/** The first string, by code point, after all strings with the prefix; or null. */
function textAfter(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0)
  for (let at = points.length - 1; at >= 0; at -= 1) {
    const point = points[at] ?? 0
    if (point === LAST_CODE_POINT) continue
    // Surrogates are not characters.
    const next = point === 0xd7ff ? 0xe000 : point + 1
    return String.fromCodePoint(...points.slice(0, at), next)
  }
  return null
}

/**
 * Compares through `ilike`, which folds ASCII letters in the same way on every database, but not others.
 *
 * Two letters outside ASCII fold to ASCII letters: K (U+212A) to k, and İ (U+0130) to i with a dot above.
 * A row may contain them, so the predicate also matches them wherever they may occur.
 */
export function translateIlike(name: string, operator: Operator, value: string): Translation {
  const unsendable = unmatchableReason(value)
  if (unsendable !== null) return { reason: unsendable, superset: null }
  if (operator === 'ne') return { reason: 'ilike cannot be negated', superset: null }
  if (isRelational(operator) && operator !== 'eq') {
    return { reason: 'folded text cannot be ordered through ilike', superset: null }
  }
  const variants = findVariants(operator, value)
  if (NON_ASCII.test(value) || WILD.test(value) || variants === null) {
    const reason = WILD.test(value) ? WILD_REASON : 'databases fold the value differently'
    return { reason, superset: compare(name, 'ilike', writePattern(operator, coarsen(value))) }
  }
  return { exact: anyOf(name, 'ilike', variants, operator) }
}

function anyOf(
  name: string,
  comparison: Comparison,
  values: readonly string[],
  operator: Operator,
): Predicate {
  return logical(
    'or',
    values.map((value) => compare(name, comparison, writePattern(operator, value))),
  )
}

/** The value, and its variants with the letters that fold to each k and to a last i; null if too many. */
function findVariants(operator: Operator, value: string): readonly string[] | null {
  let variants = ['']
  for (const [at, letter] of [...value].entries()) {
    const isKelvin = letter === 'k' || letter === 'K'
    // A folded İ is an i and a dot above, so only the last i of the value can be part of one.
    const isDotted =
      (letter === 'i' || letter === 'I') &&
      at === value.length - 1 &&
      (operator === 'co' || operator === 'sw')
    const letters = isKelvin ? [letter, '\u212A'] : isDotted ? [letter, '\u0130'] : [letter]
    variants = letters.flatMap((one) => variants.map((start) => start + one))
    if (variants.length > MOST_VARIANTS) return null
  }
  return variants
}

/** A pattern that matches at least the strings that fold like the value. */
function coarsen(value: string): string {
  return value.replace(COARSE, '%').replace(EACH_WILD, (wild) => (wild === '%' ? '%' : '_'))
}

function writePattern(operator: Operator, value: string): string {
  if (operator === 'co') return `%${value}%`
  if (operator === 'sw') return `${value}%`
  return operator === 'ew' ? `%${value}` : value
}

/** The reason why a value cannot be matched: databases do not keep null characters and lone surrogates. */
function unmatchableReason(value: string): string | null {
  if (value.length > MOST_UNITS) return 'the value is too long for a pattern'
  if (value.includes('\0')) return 'the value contains a null character'
  return LONE.test(value) ? 'the value contains a lone surrogate' : null
}

/** Databases differ in how they escape these. */
const WILD = /[%_\\]/
const EACH_WILD = /[%_\\]/g
const WILD_REASON = 'the value contains %, _ or a backslash'
const LONE = /\p{Surrogate}/u
const NON_ASCII = /[^\0-\x7f]/
const COARSE = /(?:[^\0-\x7f]|[kKiI])+/g
const MOST_VARIANTS = 64
const LAST_CODE_POINT = 0x10ffff
/** SQLite accepts patterns of 50,000 bytes. A code unit is at most three bytes. */
const MOST_UNITS = 16_000
