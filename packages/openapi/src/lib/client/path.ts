/**
 * Fills in a route pattern's variables. Throws a TypeError for values a path cannot carry: a `.` or `..` segment, which
 * URL parsers remove; an empty string or an absent value for one segment; and a lone surrogate. A wildcard may have
 * empty segments, unless the path would start with two slashes, which is a host.
 */
export function fillPattern(pattern: string, params: Readonly<Record<string, unknown>>): string {
  // The client's base URL replaces the pattern's origin.
  const path = pattern.replace(/^[^/]*:\/\/[^/]*/, '').replace(/^\/*/, '/')
  const filled = path.replace(TOKEN, (token: string, variable?: string) => {
    if (variable === undefined) {
      const text = token.startsWith('\\') ? token.slice(1) : token
      return PCHAR.test(text) ? text : encodeURIComponent(text)
    }
    const value = Object.hasOwn(params, variable) ? params[variable] : undefined
    const text = value === undefined || value === null ? '' : String(value)
    // A wildcard's value is split into segments.
    const isWildcard = token.startsWith('*')
    const segments = isWildcard ? text.split('/') : [text]
    const isAbsent = text === '' && (!isWildcard || typeof value !== 'string')
    if (isAbsent || segments.some((segment) => UNSENDABLE.test(segment))) {
      throw new TypeError(`the path parameter ${variable} cannot be ${JSON.stringify(text)}`)
    }
    return segments.map(encodeURIComponent).join('/')
  })
  if (filled.startsWith('//')) throw new TypeError('the path cannot start with two slashes')
  return filled
}

const UNSENDABLE = /^\.{1,2}$|\p{Cs}/u
// RFC 3986 §3.3, pchar and "/".
const PCHAR = /^[\w\-.~!$&'()*+,;=:@/]$/
const TOKEN = /\\.|[:*]([A-Za-z_$][\w$]*)|[^\w\-.~!$&'()*+,;=:@/\p{Cs}]/gu
