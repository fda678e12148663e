import { addValue, type Values } from '../schema/coerce.ts'
import {
  createPercentDecoder,
  decodeText,
  isUtf8,
  type PercentDecoder,
  withoutMark,
} from './charset.ts'
import { ContentError, tooManyFields } from './content-error.ts'

/** Reads a form's bytes. A charset other than UTF-8 applies to the percent-encoded bytes; all others are ASCII. */
export function readUrlencoded(
  bytes: BufferSource,
  charset: string | undefined,
  expected: readonly string[],
  most: number,
): Values<string> {
  const decode = createPercentDecoder(charset)
  const text = withoutMark(decodeText(bytes))
  if (charset !== undefined && !isUtf8(charset) && NOT_ASCII.test(text)) {
    throw new ContentError('a character is not percent-encoded')
  }
  return parseUrlencoded(text, expected, decode, most)
}

/**
 * Reads `application/x-www-form-urlencoded` (WHATWG URL §5.1) by name, with the same values as URLSearchParams, but in
 * linear time: Node 24's parser is quadratic in the keys without an equals sign. Throws a ContentError for bytes that
 * aren't UTF-8, which URLSearchParams replaces.
 *
 * @param expected the names in the order most clients send them: comparing a name takes less time than reading it.
 *   They must not contain a syntax character.
 * @param most the number of pairs after which it throws a ContentError
 */
export function parseUrlencoded(
  text: string,
  expected: readonly string[] = [],
  decode: PercentDecoder = createPercentDecoder(),
  most: number = Number.POSITIVE_INFINITY,
): Values<string> {
  const values: Values<string> = new Map()
  // A plus is a space in names and values, and not another syntax character.
  const spaced = text.includes('+') ? text.replace(PLUSES, ' ') : text
  const { length } = spaced
  // The next one at or after `from`. It is only searched when `from` has passed it, so each character is
  // read once, however many pairs do not have one.
  let percent = -1
  let next = 0
  let count = 0
  for (let from = 0; from < length; ) {
    if (percent < from) percent = indexIn(spaced, '%', from)
    const end = indexIn(spaced, '&', from)
    const pairFrom = from
    from = end + 1
    if (end === pairFrom) continue
    count += 1
    if (count > most) throw tooManyFields(most)
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
    addValue(values, name, isEncoded ? decode(value, [name]) : value)
  }
  return values
}

/** Whether a pair has this name and an equals sign. */
function isNameAt(text: string, name: string, from: number): boolean {
  return text.charCodeAt(from + name.length) === EQUALS && text.startsWith(name, from)
}

/** Returns the index where a pair's first equals sign is, or where the pair ends. */
function endOfName(text: string, from: number, end: number): number {
  // Names are short: reading their characters takes less time than calling indexOf.
  let at = from
  while (at < end && text.charCodeAt(at) !== EQUALS) at += 1
  return at
}

/** A character's index at or after `from`, or the text's length. */
function indexIn(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from)
  return index < 0 ? text.length : index
}

const NOT_ASCII = /[^\0-\x7f]/
const EQUALS = 0x3d
// Faster than replaceAll with a string.
const PLUSES = /\+/g
