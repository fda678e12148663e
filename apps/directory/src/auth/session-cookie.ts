/** The name of the cookie of a session. */
export const SESSION_COOKIE = 'plumbline-session'

/**
 * The name of a cookie for an origin. Browsers accept a name with `__Host-` only from HTTPS, and other hosts of the
 * domain cannot set it.
 */
export function cookieName(name: string, origin: string): string {
  return origin.startsWith('https:') ? hostCookie(name) : name
}

/** The name of a cookie that only its host can set. */
export function hostCookie(name: string): string {
  return `__Host-${name}`
}

/** The value of a cookie; null if it is missing or repeated. */
export function readCookie({ headers }: Request, name: string): string | null {
  const values = (headers.get('Cookie') ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at >= 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : []
  })
  const [value, ...others] = values
  return value === undefined || others.length > 0 ? null : value
}

/** A `Set-Cookie` that scripts cannot read, and that the browser does not send with requests of other sites. */
export function writeCookie(
  name: string,
  value: string,
  { origin, maxAge }: { readonly origin: string; readonly maxAge: number },
): string {
  const secure = origin.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`
}
