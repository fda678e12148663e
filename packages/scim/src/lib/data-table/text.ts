import type { Predicate } from '@remix-run/data-table'
import type { Operator } from '../filter/tree.ts'
import { fold } from '../schema/attribute-index.ts'
import type { Translation } from './comparison.ts'
import { type Comparison, compare, logical } from './predicate.ts'

/** Compares a column of text as it stands; a binary collation orders it as `compileFilter` does. */
export function compareText(name: string, operator: Operator, value: string): Translation {
  const unsendable = refuseText(value)
  if (unsendable !== null) return { reason: unsendable, wider: null }
  const comparison = COMPARISONS[operator]
  if (comparison !== undefined) return { exact: compare(name, comparison, value) }
  const wider = compare(name, 'like', patternOf(operator, value.replace(EACH_WILD, '_')))
  return WILD.test(value) ? { reason: WILD_REASON, wider } : { exact: wider }
}

/** Compares a column of folded text with the folded value. */
export function compareFolded(name: string, operator: Operator, value: string): Translation {
  const folded = fold(value)
  return operator === 'sw' && folded !== '' && refuseText(folded) === null
    ? { exact: startsWith(name, folded) }
    : compareText(name, operator, folded)
}

/** The texts with a prefix are a range, which an index serves; no pattern that is bound has one. */
function startsWith(name: string, prefix: string): Predicate {
  const from = compare(name, 'gte', prefix)
  const end = textAfter(prefix)
  return end === null ? from : logical('and', [from, compare(name, 'lt', end)])
}

/** The first text, by code point, after all that start with the prefix; null where there is none. */
function textAfter(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0)
  for (let at = points.length - 1; at >= 0; at -= 1) {
    const point = points[at] ?? 0
    if (point === LAST_CODE_POINT) continue
    // Halves of surrogate pairs stand for no character.
    const next = point === 0xd7ff ? 0xe000 : point + 1
    return String.fromCodePoint(...points.slice(0, at), next)
  }
  return null
}

/**
 * Compares through `ilike`, which folds ASCII letters alike on every database, and others not.
 *
 * Two letters outside ASCII fold into it: K (U+212A) into k, and İ (U+0130) into i with a dot above.
 * A row may hold them, so each place where they may stand is asked for as well.
 */
export function compareIlike(name: string, operator: Operator, value: string): Translation {
  const unsendable = refuseText(value)
  if (unsendable !== null) return { reason: unsendable, wider: null }
  if (operator === 'ne') return { reason: 'ilike cannot be negated', wider: null }
  if (COMPARISONS[operator] !== undefined && operator !== 'eq') {
    return { reason: 'folded text cannot be ordered through ilike', wider: null }
  }
  const variants = variantsOf(operator, value)
  if (NON_ASCII.test(value) || WILD.test(value) || variants === null) {
    const reason = WILD.test(value) ? WILD_REASON : 'databases fold the value differently'
    return { reason, wider: compare(name, 'ilike', patternOf(operator, coarsened(value))) }
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
    values.map((value) => compare(name, comparison, patternOf(operator, value))),
  )
}

/** The value with each k, and a last i, also as what folds into it; null where that makes too many. */
function variantsOf(operator: Operator, value: string): readonly string[] | null {
  let variants = ['']
  for (const [at, letter] of [...value].entries()) {
    const isKelvin = letter === 'k' || letter === 'K'
    // What follows the i of a folded İ is the dot above, so that only a last i can be one.
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

/** A pattern that takes at least what folds like the value: what may differ is any text. */
function coarsened(value: string): string {
  return value.replace(COARSE, '%').replace(EACH_WILD, (wild) => (wild === '%' ? '%' : '_'))
}

function patternOf(operator: Operator, value: string): string {
  if (operator === 'co') return `%${value}%`
  if (operator === 'sw') return `${value}%`
  return operator === 'ew' ? `%${value}` : value
}

/** What no database keeps as it is, null characters and halves of surrogate pairs, or cannot match. */
function refuseText(value: string): string | null {
  if (value.length > MOST_UNITS) return 'the value is too long for a pattern'
  if (value.includes('\0')) return 'the value contains a null character'
  return LONE.test(value) ? 'the value contains a lone surrogate' : null
}

const COMPARISONS: Readonly<Partial<Record<Operator, Comparison>>> = {
  eq: 'eq',
  ne: 'ne',
  gt: 'gt',
  ge: 'gte',
  lt: 'lt',
  le: 'lte',
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
/** SQLite takes patterns of 50,000 bytes; a code unit is three at most. */
const MOST_UNITS = 16_000
