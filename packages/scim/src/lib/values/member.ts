import type { JsonObject } from '../json.ts'
import { fold } from './fold.ts'

/** Reads an object's member. */
export type MemberReader = (value: Readonly<JsonObject>) => unknown

/**
 * Creates a reader for an object's own member in any letter case (RFC 7643 §2.1). The definition's spelling, `name`, is
 * tried first. Other keys are searched only if that spelling is missing.
 */
export function memberReader(name: string): MemberReader {
  const readInOtherCase = otherCaseReader(name)
  return (value) => {
    // Not through `own`: V8 optimizes a read for the objects it has seen, and `own` reads all kinds.
    const member = Object.hasOwn(value, name) ? value[name] : undefined
    return member === undefined ? readInOtherCase(value) : member
  }
}

/** Creates a reader for an own member whose name differs from `name` only in letter case. */
export function otherCaseReader(name: string): MemberReader {
  const { length } = name
  const first = name.charCodeAt(0)
  return (value) => {
    if (Array.isArray(value)) return undefined
    for (const key in value) {
      // Filters read many missing members, so the length and the first letter exclude keys without folding.
      if (key.length !== length || !mayFoldAlike(key.charCodeAt(0), first)) continue
      if (key !== name && fold(key) === fold(name) && Object.hasOwn(value, key)) return value[key]
    }
    return undefined
  }
}

/**
 * Returns false if two code units cannot fold to the same: an ASCII letter folds by its bit 32, and a sign not at all.
 */
function mayFoldAlike(a: number, b: number): boolean {
  return ((a ^ b) & ~LETTER_CASE) === 0 || a > LAST_ASCII || b > LAST_ASCII
}

const LAST_ASCII = 0x7f
const LETTER_CASE = 0x20
