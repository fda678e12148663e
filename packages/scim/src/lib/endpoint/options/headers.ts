import { kindOf } from '@plumbline/base'
import { isJsonObject } from '../../json.ts'

/** Headers the application sets. */
export type ExtraHeaders = Readonly<Record<string, string>>

/** Returns the application's headers. Throws a TypeError for headers HTTP cannot carry (RFC 9110 §5). */
export function requireHeaders(returned: unknown): ExtraHeaders {
  const isPlain = isJsonObject(returned) && !(returned instanceof Headers || 'then' in returned)
  if (!isPlain) {
    throw new TypeError(`headers must return an object of strings, not ${kindOf(returned)}`)
  }
  for (const [name, value] of Object.entries(returned)) {
    if (!TOKEN.test(name)) throw new TypeError(`headers must not return ${JSON.stringify(name)}`)
    if (isHeaderValue(value)) continue
    // The value may be secret.
    throw new TypeError(`headers must return another value of ${name}: HTTP cannot carry it`)
  }
  // Every value is a string.
  return returned as ExtraHeaders
}

/** Whether HTTP can carry a string as a header's value. */
export function isHeaderValue(value: unknown): value is string {
  return typeof value === 'string' && FIELD_VALUE.test(value)
}

// RFC 9110 §5.6.2: token = 1*tchar
const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/
// RFC 9110 §5.5: field-value = *( VCHAR / obs-text / SP / HTAB )
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
