import type { Operator } from '../filter/tree.ts'
import { fold } from '../values/fold.ts'
import {
  COMPARISONS,
  compare,
  either,
  isRelational,
  logical,
  type Match,
  negate,
  type Predicate,
} from './predicate.ts'
import type { Capabilities, Translation } from './translation.ts'

/** Compares a text column unchanged. A binary collation orders it as `compileFilter` does. */
export function translateText(
  name: string,
  operator: Operator,
  value: string,
  capabilities: Capabilities,
): Translation {
  const unsendable = unmatchableReason(value)
  if (unsendable !== null) return { reason: unsendable, superset: null }
  if (isRelational(operator)) return { exact: compare(name, COMPARISONS[operator], value) }
  const superset = match(name, piecesOf(operator, [value]), { folded: false })
  return isWild(value, capabilities) ? { reason: WILD_REASON, superset } : { exact: superset }
}

/** Compares a folded column with the folded value. */
export function translateFolded(
  name: string,
  operator: Operator,
  value: string,
  capabilities: Capabilities,
): Translation {
  const folded = fold(value)
  return operator === 'sw' && folded !== '' && unmatchableReason(folded) === null
    ? { exact: startsWith(name, folded) }
    : translateText(name, operator, folded, capabilities)
}

/** Matches a prefix as a range, which can use an index. A bound pattern cannot. */
export function startsWith(name: string, prefix: string): Predicate {
  const from = compare(name, 'gte', prefix)
  const end = textAfter(prefix)
  return end === null ? from : logical('and', [from, compare(name, 'lt', end)])
}

/** Returns the first string, by code point, after all strings with the prefix; or null. */
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
 * Compares strings ignoring ASCII letter case. Databases fold other letters differently.
 *
 * Two letters outside ASCII fold to ASCII letters: K (U+212A) to k, and İ (U+0130) to i with a dot above. A row may
 * contain them, so the predicate also matches them wherever they may occur.
 */
export function translateIlike(
  name: string,
  operator: Operator,
  value: string,
  capabilities: Capabilities,
): Translation {
  const unsendable = unmatchableReason(value)
  if (unsendable !== null) return { reason: unsendable, superset: null }
  if (operator === 'ne') {
    if (!capabilities.negations) return { reason: 'ilike cannot be negated', superset: null }
    const equal = translateIlike(name, 'eq', value, capabilities)
    return 'exact' in equal ? { exact: negate(equal.exact) } : { ...equal, superset: null }
  }
  if (isRelational(operator) && operator !== 'eq') {
    return { reason: 'folded text cannot be ordered through ilike', superset: null }
  }
  const variants = findVariants(operator, value)
  const wild = isWild(value, capabilities)
  if (NON_ASCII.test(value) || wild || variants === null) {
    const reason = wild ? WILD_REASON : 'databases fold the value differently'
    const pieces = piecesOf(operator, value.split(COARSE))
    return { reason, superset: match(name, pieces, { folded: true }) }
  }
  const matches = variants.map((one) => match(name, piecesOf(operator, [one]), { folded: true }))
  return { exact: either(matches) }
}

/** Returns the value and its variants with the letters that fold to each k and to a last i; null if too many. */
function findVariants(operator: Operator, value: string): readonly string[] | null {
  let variants = ['']
  for (const [at, letter] of [...value].entries()) {
    const isKelvin = letter === 'k' || letter === 'K'
    // A folded İ is an i and a dot above, so only the value's last i can be part of one.
    const isDotted =
      (letter === 'i' || letter === 'I') &&
      at === value.length - 1 &&
      (operator === 'co' || operator === 'sw')
    const letters = isKelvin ? [letter, '\u212A'] : isDotted ? [letter, '\u0130'] : [letter]
    variants = letters.flatMap((one) => variants.map((start) => start + one))
    if (variants.length > MAX_VARIANTS) return null
  }
  return variants
}

function match(name: string, pieces: readonly string[], { folded }: Pick<Match, 'folded'>): Match {
  return { type: 'match', column: name, pieces, folded, negated: false }
}

/** Returns a pattern's pieces: `co` and `ew` allow any string before the value, `co` and `sw` after it. */
function piecesOf(operator: Operator, pieces: readonly string[]): readonly string[] {
  const before = operator === 'co' || operator === 'ew' ? [''] : []
  const after = operator === 'co' || operator === 'sw' ? [''] : []
  return [...before, ...pieces, ...after]
}

/** Explains why a value cannot be matched: databases do not store null characters and lone surrogates. */
function unmatchableReason(value: string): string | null {
  if (value.length > MAX_CODE_UNITS) return 'the value is too long for a pattern'
  if (value.includes('\0')) return 'the value contains a null character'
  return LONE.test(value) ? 'the value contains a lone surrogate' : null
}

/** Without an escape character, some pattern characters match others. */
function isWild(value: string, { escapes }: Capabilities): boolean {
  return !escapes && /[%_\\]/.test(value)
}

const WILD_REASON = 'the value contains %, _ or a backslash'
const LONE = /\p{Surrogate}/u
const NON_ASCII = /[^\0-\x7f]/
const COARSE = /(?:[^\0-\x7f]|[kKiI])+/
const MAX_VARIANTS = 64
const LAST_CODE_POINT = 0x10ffff
/** SQLite accepts patterns up to 50,000 bytes. A code unit takes at most three bytes. */
const MAX_CODE_UNITS = 16_000
