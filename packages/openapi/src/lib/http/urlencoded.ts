import { addValue, type Values } from '../schema/coerce.ts'

/**
 * Reads `application/x-www-form-urlencoded` (WHATWG URL §5.1) by name, with the values of URLSearchParams, but
 * in linear time: that of Node 24 is quadratic in the keys without an equals sign.
 */
export function parseUrlencoded(text: string): Values<string> {
  const values: Values<string> = new Map()
  const decode = createDecoder()
  for (let from = 0; from < text.length; ) {
    const separator = text.indexOf('&', from)
    const end = separator < 0 ? text.length : separator
    const pair = text.slice(from, end)
    from = end + 1
    if (pair === '') continue
    const equals = pair.indexOf('=')
    if (equals < 0) addValue(values, decode(pair), '')
    else addValue(values, decode(pair.slice(0, equals)), decode(pair.slice(equals + 1)))
  }
  return values
}

/** Decodes the names and values of one text. Only URLSearchParams reads bytes that are not UTF-8. */
function createDecoder(): (text: string) => string {
  let isUtf8 = true
  return (text) => {
    const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
    if (!spaced.includes('%')) return spaced
    if (isUtf8) {
      try {
        return decodeURIComponent(spaced)
      } catch {
        // An exception takes as long as ten calls of URLSearchParams, so there is only one for each text.
        isUtf8 = false
      }
    }
    const parameters = new URLSearchParams(`=${text}`)
    return parameters.get('') ?? ''
  }
}
