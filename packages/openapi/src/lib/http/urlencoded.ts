import { addValue, type Values } from '../schema/coerce.ts'

/**
 * Reads `application/x-www-form-urlencoded` (WHATWG URL §5.1) by name, with the values of URLSearchParams, but
 * in linear time: that of Node 24 is quadratic in the keys without an equals sign.
 */
export function parseUrlencoded(text: string): Values<string> {
  const values: Values<string> = new Map()
  // A plus is a space in names and in values, and no other character of the syntax.
  const spaced = text.includes('+') ? text.replace(PLUSES, ' ') : text
  const { length } = spaced
  const decode = createDecoder()
  // The next ones at or after `from`. They are only searched when `from` has passed them, so that each
  // character is read once, however many pairs do not have one.
  let equals = -1
  let percent = -1
  for (let from = 0; from < length; ) {
    if (equals < from) equals = indexIn(spaced, '=', from)
    if (percent < from) percent = indexIn(spaced, '%', from)
    const end = indexIn(spaced, '&', from)
    const pairFrom = from
    from = end + 1
    if (end === pairFrom) continue
    const name = spaced.slice(pairFrom, Math.min(equals, end))
    // Empty if the next equals sign is that of a later pair.
    const value = spaced.slice(equals + 1, end)
    if (percent < end) addValue(values, decode(name), decode(value))
    else addValue(values, name, value)
  }
  return values
}

/** The index of a character at or after `from`, or the length of the text. */
function indexIn(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from)
  return index < 0 ? text.length : index
}

/** Decodes the percent-encoded names and values of a text. Only URLSearchParams reads bytes that are not UTF-8. */
function createDecoder(): (part: string) => string {
  let isUtf8 = true
  return (part) => {
    if (!part.includes('%')) return part
    if (isUtf8) {
      try {
        return decodeURIComponent(part)
      } catch {
        // An exception takes as long as ten calls of URLSearchParams, so there is only one for each text.
        isUtf8 = false
      }
    }
    const parameters = new URLSearchParams(`=${part}`)
    return parameters.get('') ?? ''
  }
}

// Faster than replaceAll with a string.
const PLUSES = /\+/g
