/**
 * Fills in the variables of a route pattern. Throws a TypeError for a value that a path cannot carry: an
 * empty string, `.` or `..`, which a URL parser removes, or an absent value.
 */
export function fillPattern(pattern: string, params: Readonly<Record<string, unknown>>): string {
  // The base URL of the client replaces the origin of the pattern.
  const path = pattern.replace(/^[^/]*:\/\/[^/]*/, '').replace(/^\/*/, '/')
  return path.replace(TOKEN, (token: string, variable?: string) => {
    if (variable === undefined) {
      const text = token.startsWith('\\') ? token.slice(1) : token
      return PCHAR.test(text) ? text : encodeURIComponent(text)
    }
    const value = Object.hasOwn(params, variable) ? params[variable] : undefined
    const text = value === undefined || value === null ? '' : String(value)
    // A wildcard has segments of its own.
    const segments = token.startsWith('*') ? text.split('/') : [text]
    if (segments.some((segment) => UNSENDABLE.test(segment))) {
      throw new TypeError(`the path parameter ${variable} cannot be ${JSON.stringify(text)}`)
    }
    return segments.map(encodeURIComponent).join('/')
  })
}

const UNSENDABLE = /^\.{0,2}$/
// RFC 3986 §3.3, pchar and "/".
const PCHAR = /^[\w\-.~!$&'()*+,;=:@/]$/
const TOKEN = /\\.|[:*]([A-Za-z_$][\w$]*)|[^\w\-.~!$&'()*+,;=:@/\p{Cs}]/gu
