import { fold } from '../values/fold.ts'
import type { ValueKey, ValueKeys } from './columns.ts'

/**
 * Creates a function to convert values to keys for a table with attribute–key rows. Different values in a part have
 * different keys, and whole keys sort like their values.
 *
 * @param hash returns a digest, in unreserved characters, for a string too long for an index or not storable in a
 * database
 * @example
 * ```ts
 * import { valueKeys } from '@plumbline/scim/internal'
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
  if (text.length <= MAX_CODE_UNITS && !UNKEYABLE.test(text)) return { key: text, isWhole: true }
  return { key: `${keyableStart(text)}${MARK}${hash(text)}`, isWhole: false }
}

/** Returns the part of a prefix kept in the key of every string with that prefix. */
export function keyableStart(text: string): string {
  const start = text.slice(0, START_UNITS)
  const end = start.search(UNKEYABLE)
  return end === -1 ? start : start.slice(0, end)
}

/** Converts a number to a key. Keys sort like their numbers. */
function numberKey(value: number): string {
  const view = new DataView(new ArrayBuffer(8))
  // -0 equals 0.
  view.setFloat64(0, value + 0)
  const bits = view.getBigUint64(0)
  // IEEE 754: positive numbers sort like their bits, negative numbers in reverse.
  const ordered = bits >> 63n === 0n ? bits | SIGN : bits ^ ALL
  return ordered.toString(16).padStart(16, '0')
}

/** The longest value kept as a whole key, in code units: at most 900 bytes in UTF-8. */
export const MAX_CODE_UNITS = 300
const START_UNITS = 200
/** The last code point separates a value's start from its hash. Values containing it are hashed. */
export const MARK = '\u{10ffff}'
/** PostgreSQL rejects U+0000, and UTF-8 cannot encode a lone surrogate. */
const UNKEYABLE = /[\0\u{10ffff}]|\p{Surrogate}/u
const SIGN = 1n << 63n
const ALL = (1n << 64n) - 1n
