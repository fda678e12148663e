import { hash } from 'node:crypto'

/** The key of a value in the index. */
export interface ValueKey {
  readonly key: string
  /** Whether the key is the whole value. Otherwise it is the start of the value, a mark and a hash of the value. */
  readonly isWhole: boolean
}

/**
 * The key of a string. Different strings have different keys, and keys are ordered as their strings if both are
 * whole. A string that is too long for an index, or that a database cannot store, has a hash in its key.
 */
export function textKey(text: string): ValueKey {
  if (text.length <= MOST_UNITS && !UNKEYABLE.test(text)) return { key: text, isWhole: true }
  const digest = hash('sha256', Buffer.from(text, 'utf16le'), 'base64url')
  return { key: `${keyableStart(text)}${MARK}${digest}`, isWhole: false }
}

/** The start of a string that the keys of all strings with this start have in common. */
export function keyableStart(text: string): string {
  const start = text.slice(0, START_UNITS)
  const end = start.search(UNKEYABLE)
  return end === -1 ? start : start.slice(0, end)
}

/** The key of a number. Keys are ordered as their numbers. */
export function numberKey(value: number): string {
  const view = new DataView(new ArrayBuffer(8))
  // -0 equals 0.
  view.setFloat64(0, value + 0)
  const bits = view.getBigUint64(0)
  // IEEE 754: the bits of positive numbers are ordered as the numbers, those of negative numbers in reverse.
  const ordered = bits >> 63n === 0n ? bits | SIGN : bits ^ ALL
  return ordered.toString(16).padStart(16, '0')
}

/** The first string, by code point, after all strings with this start. The start must be keyable and not empty. */
export function afterStart(start: string): string {
  const points = Array.from(start)
  const last = points.pop()?.codePointAt(0) ?? 0
  // Surrogates are not characters. The last code point is not keyable.
  const next = last === 0xd7ff ? 0xe000 : last + 1
  return points.join('') + String.fromCodePoint(next)
}

/** The longest value that is a key as a whole, in code units: at most 900 bytes of UTF-8. */
export const MOST_UNITS = 300
const START_UNITS = 200
/** The last code point separates the start of a value from its hash. Values that contain it are hashed. */
const MARK = '\u{10ffff}'
/** PostgreSQL rejects U+0000, and UTF-8 cannot encode a lone surrogate. */
const UNKEYABLE = /[\0\u{10ffff}]|\p{Surrogate}/u
const SIGN = 1n << 63n
const ALL = (1n << 64n) - 1n
