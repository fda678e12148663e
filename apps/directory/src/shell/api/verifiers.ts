import { type Forbidden, forbidden } from '@plumbline/openapi/server'
import type { Admission } from '../../kernel/access/admission.ts'
import { type AuthOptions, authenticate, type Principal } from '../../kernel/access/authenticate.ts'
import { isCrossOrigin, isSafe, isSameOrigin } from '../../kernel/access/same-origin.ts'
import {
  cookieName,
  hostCookie,
  readCookie,
  SESSION_COOKIE,
} from '../../kernel/access/session-cookie.ts'
import { findSession } from '../../kernel/access/sessions.ts'
import type { Facts } from '../../kernel/requests/outcome.ts'
import { originOf, receivedOf } from '../../kernel/requests/received.ts'
import { RECEIVER } from './receiver-security.ts'

/** The user name and password from HTTP Basic (RFC 7617). */
export interface BasicCredentials {
  readonly username: string
  readonly password: string
}

/** The management API's verifiers, keyed by security scheme. */
export type ApiVerifiers = ReturnType<typeof createVerifiers>

/**
 * Creates the management API's verifiers: for an administrator's token, or a console session. An operation with the scope
 * `receiver` also accepts a receiver's token.
 */
export function createVerifiers({
  admission,
  note,
  enter,
  ...auth
}: AuthOptions & {
  readonly admission: Admission
  /** Notes who sent a request, also if it is rejected. */
  readonly note: (request: Request, facts: Facts) => void
  /** Waits until the body of a permitted request may be read. */
  readonly enter: (request: Request) => Promise<void> | undefined
}) {
  const accept = async (principal: Principal | null, request: Request, scopes: Scopes = []) => {
    if (principal === null) return null
    const tenantId = principal.role === 'admin' ? null : principal.tenantId
    note(request, { tokenId: principal.tokenId, tenantId })
    admission.count(principal, request)
    const verified = permitted(principal, request, scopes)
    if (verified === principal) await enter(request)
    return verified
  }
  const verifySession = (name: string) => async (sent: SentSession) => {
    const origin = originOf(sent.request, receivedOf(sent.request))
    if (name !== cookieName(SESSION_COOKIE, origin)) return null
    const principal = await findSessionPrincipal(sent.key, auth)
    // Browsers add the cookie even to requests the administrator did not make.
    if (principal !== null && !isTrusted(sent.request, origin)) {
      return forbidden('A session is accepted only from pages of this server.')
    }
    return accept(principal, sent.request)
  }
  return {
    token: async ({ request, scopes }: { readonly request: Request; readonly scopes: Scopes }) =>
      accept((await admission.identify(request)).principal, request, scopes),
    // The handler checks them, because RFC 6749 §5.2 defines the answer.
    client: ({ username, password }: BasicCredentials): BasicCredentials => ({
      username,
      password,
    }),
    session: verifySession(SESSION_COOKIE),
    hostSession: verifySession(hostCookie(SESSION_COOKIE)),
  }
}

/**
 * Returns the principal if it may send the request. A read-only token permits every GET, and nothing else. A receiver is
 * permitted below its tenant's path, for operations with its scope.
 */
function permitted(
  principal: Principal,
  { method, url }: Request,
  scopes: Scopes,
): Principal | Forbidden {
  if (principal.role === 'receiver' && scopes.includes(RECEIVER)) {
    const isOwn = new URL(url).pathname.startsWith(`/api/tenants/${principal.tenantId}/`)
    return isOwn && isSafe(method) ? principal : forbidden('The token is for another tenant.')
  }
  if (principal.role !== 'admin') return forbidden('An administrator’s token is required.')
  if (principal.access === 'write' || isSafe(method)) return principal
  return forbidden('This token may only read: it permits only GET.')
}

/** Creates a function that checks if an accepted request's sender is still permitted. */
export function createPermissionCheck(auth: AuthOptions, scopes: Scopes = []) {
  return async (request: Request): Promise<boolean> => {
    const origin = originOf(request, receivedOf(request))
    const key = readCookie(request, cookieName(SESSION_COOKIE, origin))
    const principal =
      (await authenticate(request, auth)) ??
      (key === null ? null : await findSessionPrincipal(key, auth))
    return principal !== null && permitted(principal, request, scopes) === principal
  }
}

/** The scopes that an operation requires. */
type Scopes = readonly string[]

interface SentSession {
  readonly key: string
  readonly request: Request
}

async function findSessionPrincipal(key: string, auth: AuthOptions): Promise<Principal | null> {
  return (await findSession(key, { ...auth, isUsed: false }))?.principal ?? null
}

/**
 * Whether a session's request comes from a page on this origin. Safe requests are trusted unless the browser says
 * otherwise.
 */
function isTrusted(request: Request, origin: string): boolean {
  return isSafe(request.method) ? !isCrossOrigin(request, origin) : isSameOrigin(request, origin)
}
