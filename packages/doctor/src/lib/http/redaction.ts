import { secretsOf } from './secrets.ts'

/** Removes secrets from what a report shows. */
export interface Redaction {
  /** Replaces each secret in a text, in any letter case. */
  redact(text: string): string
  /** Redacts the latest cookies a response sets. */
  addCookies(headers: Headers): void
}

/** Creates the redaction of texts, in every form a server could return. */
export function createRedaction(given: readonly (string | null | undefined)[]): Redaction {
  const secrets = secretsOf(given)
  let cookies: readonly string[] = []
  let pattern = patternOf(secrets)
  return {
    redact: (text) => (pattern === null ? text : text.replace(pattern, '***')),
    addCookies: (headers) => {
      const found = headers.getSetCookie().map(cookieValue)
      const added = found.filter((one) => one.length >= MIN_LENGTH && !cookies.includes(one))
      if (added.length === 0) return
      cookies = [...cookies, ...added].slice(-MAX_COOKIES)
      pattern = patternOf([...secrets, ...secretsOf(cookies)])
    },
  }
}

/** Returns a cookie's value (RFC 6265 §4.1.1). */
function cookieValue(cookie: string): string {
  return /^[^=;]*=\s*"?([^";]*)/.exec(cookie)?.[1]?.trim() ?? ''
}

function patternOf(secrets: readonly string[]): RegExp | null {
  return secrets.length === 0 ? null : new RegExp(secrets.map(escapePattern).join('|'), 'gi')
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** A shorter value, such as a language, occurs in ordinary texts. */
const MIN_LENGTH = 8
/** A server may set another cookie in each response, and each makes every search for secrets slower. */
const MAX_COOKIES = 20
