import { type JsonObject, own } from '../json.ts'
import { fold } from './fold.ts'

/** Reads a member of an object. */
export type MemberReader = (value: Readonly<JsonObject>) => unknown

/**
 * Returns the function that reads the own member of this name, in any letter case (RFC 7643 §2.1). The spelling
 * of the definition, `name`, is tried first. The other keys are searched only if that spelling is missing.
 */
export function memberReader(name: string): MemberReader {
  const readInOtherCase = otherCaseReader(name)
  return (value) => {
    const member = own(value, name)
    return member === undefined ? readInOtherCase(value) : member
  }
}

/** Returns the function that reads the own member whose name differs from `name` only in letter case. */
export function otherCaseReader(name: string): MemberReader {
  const { length } = name
  const folded = fold(name)
  const first = folded.charCodeAt(0)
  return (value) => {
    if (Array.isArray(value)) return undefined
    for (const key in value) {
      // Filters read many missing members, so the length and the first letter exclude keys without folding.
      if (key.length !== length || !mayFoldTo(first, key.charCodeAt(0))) continue
      if (key !== name && fold(key) === folded && Object.hasOwn(value, key)) return value[key]
    }
    return undefined
  }
}

/** False if a code unit cannot fold to `folded`: an ASCII letter folds by its bit 32, and a sign not at all. */
function mayFoldTo(folded: number, unit: number): boolean {
  return unit > LAST_ASCII || ((unit ^ folded) & ~LETTER_CASE) === 0
}

const LAST_ASCII = 0x7f
const LETTER_CASE = 0x20
