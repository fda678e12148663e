import { fold } from './fold.ts'

/** Tests a string in any letter case. */
type TextTest = (text: string) => boolean

/**
 * Builds case-insensitive tests for a folded ASCII string. They do not fold each tested string, because folding copies
 * it: a string with a non-ASCII character is folded only if that character decides. For example, the Kelvin sign folds
 * to `k`.
 *
 * Null if the wanted string has a character beyond ASCII.
 */
export function asciiTests(wanted: string): Readonly<Record<'eq' | 'sw' | 'ew', TextTest>> | null {
  if (!ASCII.test(wanted)) return null
  const { length } = wanted
  const startsWith = (text: string): boolean | null => {
    for (let at = 0; at < length; at += 1) {
      const code = text.charCodeAt(at)
      if (code > LAST_ASCII) return null
      if (foldAscii(code) !== wanted.charCodeAt(at)) return false
    }
    return true
  }
  const endsWith = (text: string): boolean | null => {
    // Starts at the end: a character before it may fold to two.
    for (let at = 1; at <= length; at += 1) {
      const code = text.charCodeAt(text.length - at)
      if (code > LAST_ASCII) return null
      if (foldAscii(code) !== wanted.charCodeAt(length - at)) return false
    }
    return true
  }
  return {
    // No character folds to an empty string, so a longer string differs.
    eq: (text) => {
      const starts = startsWith(text)
      return starts === null ? fold(text) === wanted : starts && text.length === length
    },
    sw: (text) => startsWith(text) ?? fold(text).startsWith(wanted),
    ew: (text) => endsWith(text) ?? fold(text).endsWith(wanted),
  }
}

function foldAscii(code: number): number {
  return code >= UPPER_A && code <= UPPER_Z ? code | LETTER_CASE : code
}

const ASCII = /^[\0-\x7f]*$/
const LAST_ASCII = 0x7f
const UPPER_A = 0x41
const UPPER_Z = 0x5a
const LETTER_CASE = 0x20
