/**
 * Whether a browser says that a page of this origin sent the request. A browser does not let a page choose these
 * headers. It sends `Origin` with each unsafe method, and `Sec-Fetch-Site` to HTTPS and to the loopback.
 */
export function isSameOrigin({ headers }: Request, origin: string): boolean {
  const site = headers.get('Sec-Fetch-Site')
  return site === null ? headers.get('Origin') === origin : site === 'same-origin'
}

/** Whether a browser says that a page of another origin sent the request. */
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
