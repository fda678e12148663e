import type { Cursor } from '../path/cursor.ts'
import { parseWord } from '../path/names.ts'
import type { Value } from './tree.ts'

// compValue = false / null / true / number / string
export function parseValue(cursor: Cursor): Value {
  if (cursor.take(QUOTE)) return parseString(cursor)
  const start = cursor.position
  const number = cursor.takeMatch(NUMBER)
  if (number !== null) return requireFinite(cursor, number, start)
  const word = parseWord(cursor).toLowerCase()
  // RFC 5234 §2.3: literals in the grammar match in any letter case.
  if (word === 'true') return true
  if (word === 'false') return false
  if (word === 'null') return null
  return cursor.fail('a value (a string in double quotes, a number, true, false or null)', start)
}

/** RFC 8259 §6 lets us limit the number range. Infinity and -0 could not be written back. */
function requireFinite(cursor: Cursor, text: string, start: number): number {
  const number = Number(text)
  if (!Number.isFinite(number)) cursor.fail('a number of double precision', start)
  return number + 0
}

/** Parses a JSON string (RFC 8259 §7). The cursor is after the opening quote. */
function parseString(cursor: Cursor): string {
  const { text, position: start } = cursor
  let escaped = false
  for (let at = start; ; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      cursor.position = at + 1
      return requireWellFormed(
        cursor,
        escaped ? decode(cursor, start - 1) : text.slice(start, at),
        start - 1,
      )
    }
    if (code === BACKSLASH) {
      escaped = true
      at += 1
    } else if (at >= text.length) {
      cursor.fail('a closing quote', text.length)
    } else if (code < SPACE) {
      cursor.fail('no control character in a string', at)
    }
  }
}

// RFC 8259 §8.2: a lone surrogate is not a character, and databases do not store it.
function requireWellFormed(cursor: Cursor, text: string, start: number): string {
  return text.isWellFormed() ? text : cursor.fail('a string without lone surrogates', start)
}

function decode(cursor: Cursor, start: number): string {
  try {
    return JSON.parse(cursor.text.slice(start, cursor.position))
  } catch {
    return cursor.fail('a string with the escapes of JSON', start)
  }
}

// RFC 8259 §6
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const SPACE = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c
