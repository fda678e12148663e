import { isJsonObject } from '../json/object.ts'

/** Returns why a deprecation cannot be sent in headers; null if it can. */
export function findDeprecationFault(deprecated: unknown): string | null {
  if (typeof deprecated !== 'object') return null
  const { since, sunset, link } = isJsonObject(deprecated) ? deprecated : {}
  if (!isInstant(since)) return 'since must be a valid Date'
  if (sunset !== undefined) {
    if (!isInstant(sunset)) return 'sunset must be a valid Date'
    // RFC 9745 §4
    if (sunset < since) return 'sunset must not be earlier than since'
    // RFC 9110 §5.6.7: a date in HTTP has a year of four digits.
    if (sunset.getUTCFullYear() > 9_999) return 'sunset must be before the year 10000'
  }
  const isLink = link === undefined || (typeof link === 'string' && URI_REFERENCE.test(link))
  return isLink ? null : 'link must be a URI reference (RFC 3986)'
}

function isInstant(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime())
}

/** The characters of a URI reference (RFC 3986 §2). */
const URI_REFERENCE = /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\dA-F]{2})+$/i
