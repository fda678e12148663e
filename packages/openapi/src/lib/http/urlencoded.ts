import { addValue, type Values } from '../schema/coerce.ts'

/**
 * Reads `application/x-www-form-urlencoded` (WHATWG URL §5.1) by name, with the values of URLSearchParams, but
 * in linear time: that of Node 24 is quadratic in the keys without an equals sign.
 *
 * @param expected the names in the order in which most clients send them: comparing a name takes less time than
 *   reading it. They must not contain a character of the syntax.
 */
export function parseUrlencoded(text: string, expected: readonly string[] = []): Values<string> {
  const values: Values<string> = new Map()
  // A plus is a space in names and in values, and no other character of the syntax.
  const spaced = text.includes('+') ? text.replace(PLUSES, ' ') : text
  const { length } = spaced
  const decode = createDecoder()
  // The next one at or after `from`. It is only searched when `from` has passed it, so that each character is
  // read once, however many pairs do not have one.
  let percent = -1
  let next = 0
  for (let from = 0; from < length; ) {
    if (percent < from) percent = indexIn(spaced, '%', from)
    const end = indexIn(spaced, '&', from)
    const pairFrom = from
    from = end + 1
    if (end === pairFrom) continue
    const isEncoded = percent < end
    let name = expected[next]
    let equals = pairFrom
    if (name !== undefined && isNameAt(spaced, name, pairFrom)) {
      next += 1
      equals += name.length
    } else {
      equals = endOfName(spaced, pairFrom, end)
      const sent = spaced.slice(pairFrom, equals)
      name = isEncoded ? decode(sent) : sent
    }
    const value = spaced.slice(equals + 1, end)
    addValue(values, name, isEncoded ? decode(value) : value)
  }
  return values
}

/** Whether a pair has this name and an equals sign. */
function isNameAt(text: string, name: string, from: number): boolean {
  return text.charCodeAt(from + name.length) === EQUALS && text.startsWith(name, from)
}

/** The index of the first equals sign of a pair, or its end. */
function endOfName(text: string, from: number, end: number): number {
  // Names are short: reading their characters takes less time than a call of indexOf.
  let at = from
  while (at < end && text.charCodeAt(at) !== EQUALS) at += 1
  return at
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

const EQUALS = 0x3d
// Faster than replaceAll with a string.
const PLUSES = /\+/g
