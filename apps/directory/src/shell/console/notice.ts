import { cookieName, readCookie, writeCookie } from '../../kernel/access/session-cookie.ts'
import { seal, unseal } from './seal.ts'

/** A message shown once on the next page: after a reload it is gone. */
export interface Notice {
  readonly message: string
  /** A secret shown only once, such as a new token. */
  readonly secret?: string | undefined
}

/** Returns the cookie that carries a notice to the next page. Only the browser's session can read and write it. */
export function noticeCookie({ message, secret }: Notice, session: string, origin: string): string {
  const value = seal({ message: message.slice(0, MAX_LENGTH), secret }, session)
  return writeCookie(cookieName(NAME, origin), value, { origin, maxAge: 60 })
}

/** Reads the notice from a request's cookie, or null. */
export function readNotice(request: Request, session: string, origin: string): Notice | null {
  const sealed = readCookie(request, cookieName(NAME, origin))
  // The seal proves `noticeCookie` wrote the content.
  return sealed === null ? null : (unseal(sealed, session) as Notice | null)
}

/** Returns the cookie that deletes a notice. */
export function endNotice(origin: string): string {
  return writeCookie(cookieName(NAME, origin), '', { origin, maxAge: 0 })
}

const NAME = 'plumbline-notice'
/** The most characters in a message: a cookie has at most about 4,000 bytes. */
const MAX_LENGTH = 500
