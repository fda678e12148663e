import { isJsonObject } from '@plumbline/base'

/** Whether headers can carry a deprecation. */
export function isDeprecation(deprecated: unknown): boolean {
  if (typeof deprecated !== 'object') return true
  if (!isJsonObject(deprecated)) return false
  const { since, sunset = since, link = '/' } = deprecated
  return (
    since instanceof Date &&
    sunset instanceof Date &&
    // RFC 9745 §4. Dates that are not valid are not in order.
    since <= sunset &&
    // RFC 9110 §5.6.7: a date in HTTP has a year of four digits.
    sunset.getUTCFullYear() <= 9_999 &&
    typeof link === 'string' &&
    URI_REFERENCE.test(link)
  )
}

/** The characters of a URI reference (RFC 3986 §2). */
const URI_REFERENCE = /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\dA-F]{2})+$/i
