/** The name of the session cookie. */
export const SESSION_COOKIE = 'plumbline-session'

/**
 * Returns a cookie's name on an origin. Browsers accept the `__Host-` prefix only from HTTPS, and then other hosts in
 * the domain cannot set the cookie.
 */
export function cookieName(name: string, origin: string): string {
  return origin.startsWith('https:') ? hostCookie(name) : name
}

/** Returns a cookie name that only its own host can set. */
export function hostCookie(name: string): string {
  return `__Host-${name}`
}

/** Reads a cookie; null if it is missing or repeated. */
export function readCookie({ headers }: Request, name: string): string | null {
  const values = (headers.get('Cookie') ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at >= 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : []
  })
  const [value, ...others] = values
  return value === undefined || others.length > 0 ? null : value
}

/** Builds a `Set-Cookie` header, hidden from scripts and not sent with other sites' requests. */
export function writeCookie(
  name: string,
  value: string,
  { origin, maxAge }: { readonly origin: string; readonly maxAge: number },
): string {
  const secure = origin.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`
}
