/**
 * Whether the browser says the request comes from a page on this origin. Pages cannot set these headers themselves.
 * Browsers send `Origin` with each unsafe method, and `Sec-Fetch-Site` to HTTPS and to the loopback.
 */
export function isSameOrigin({ headers }: Request, origin: string): boolean {
  const site = headers.get('Sec-Fetch-Site')
  return site === null ? headers.get('Origin') === origin : site === 'same-origin'
}

/** Whether the browser says the request comes from a page on another origin. */
export function isCrossOrigin({ headers }: Request, origin: string): boolean {
  const site = headers.get('Sec-Fetch-Site')
  if (site !== null) return site !== 'same-origin' && site !== 'none'
  const sender = headers.get('Origin')
  return sender !== null && sender !== origin
}

/** Whether a method must not change anything (RFC 9110 §9.2.1). */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}
