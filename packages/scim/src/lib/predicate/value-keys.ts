import { fold } from '../values/fold.ts'
import type { ValueKey, ValueKeys } from './columns.ts'

/**
 * The keys of values in a table with rows of attribute and key. Different values of a part have different keys, and keys
 * that are whole are ordered as their values.
 *
 * @param hash a digest of a string that is too long for an index, or that a database cannot store, as unreserved
 * characters
 * @example
 * ```ts
 * import { valueKeys } from '@plumbline/scim/sql'
 *
 * const keys = valueKeys((text) => String(text.length))
 * keys.of({ kind: 'text' }, 'BJensen') //=> { key: 'bjensen', isWhole: true }
 * keys.of({ kind: 'number' }, 1) //=> { key: 'bff0000000000000', isWhole: true }
 * keys.of({ kind: 'number' }, 'one') //=> null
 * ```
 */
export function valueKeys(hash: (text: string) => string): ValueKeys {
  return {
    of: ({ kind, caseExact = false }, value) => {
      switch (kind) {
        case 'text':
          return typeof value === 'string' ? textKey(caseExact ? value : fold(value), hash) : null
        case 'number':
          return typeof value === 'number' ? { key: numberKey(value), isWhole: true } : null
        case 'boolean':
          return typeof value === 'boolean' ? { key: String(value), isWhole: true } : null
      }
    },
  }
}

function textKey(text: string, hash: (text: string) => string): ValueKey {
  if (text.length <= MOST_UNITS && !UNKEYABLE.test(text)) return { key: text, isWhole: true }
  return { key: `${keyableStart(text)}${MARK}${hash(text)}`, isWhole: false }
}

/** The start of a string the keys of all strings with this start have in common. */
export function keyableStart(text: string): string {
  const start = text.slice(0, START_UNITS)
  const end = start.search(UNKEYABLE)
  return end === -1 ? start : start.slice(0, end)
}

/** A number's key. Keys are ordered as their numbers. */
function numberKey(value: number): string {
  const view = new DataView(new ArrayBuffer(8))
  // -0 equals 0.
  view.setFloat64(0, value + 0)
  const bits = view.getBigUint64(0)
  // IEEE 754: the bits of positive numbers are ordered as the numbers, those of negative numbers in reverse.
  const ordered = bits >> 63n === 0n ? bits | SIGN : bits ^ ALL
  return ordered.toString(16).padStart(16, '0')
}

/** The longest value that is a key as a whole, in code units: at most 900 bytes of UTF-8. */
export const MOST_UNITS = 300
const START_UNITS = 200
/** The last code point separates the start of a value from its hash. Values that contain it are hashed. */
export const MARK = '\u{10ffff}'
/** PostgreSQL rejects U+0000, and UTF-8 cannot encode a lone surrogate. */
const UNKEYABLE = /[\0\u{10ffff}]|\p{Surrogate}/u
const SIGN = 1n << 63n
const ALL = (1n << 64n) - 1n
