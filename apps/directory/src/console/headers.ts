/** Sets the headers of every answer of the console, in addition to those of every answer of the server. */
export function protectConsole({ headers }: Response): void {
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value)
}

const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  // Browsers send the Origin of a form as `null` under `no-referrer`.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex',
}
