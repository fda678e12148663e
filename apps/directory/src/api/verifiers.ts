import { type Forbidden, forbidden } from '@plumbline/openapi/server'
import type { Admission } from '../auth/admission.ts'
import { type AuthOptions, authenticate, type Principal } from '../auth/authenticate.ts'
import type { BasicCredentials } from '../auth/oauth/token-request.ts'
import { isCrossOrigin, isSafe, isSameOrigin } from '../auth/same-origin.ts'
import { cookieName, hostCookie, readCookie, SESSION_COOKIE } from '../auth/session-cookie.ts'
import { findSession } from '../auth/sessions.ts'
import { report } from '../outcome.ts'
import { originOf, receivedOf } from '../received.ts'

/** The verifiers of the management API, by the names of the security schemes. */
export type ApiVerifiers = ReturnType<typeof createVerifiers>

/** Creates the verifiers of the management API: an administrator's token, or a session of the console. */
export function createVerifiers({
  admission,
  ...auth
}: AuthOptions & { readonly admission: Admission }) {
  const accept = (principal: Principal | null, request: Request) => {
    if (principal === null) return null
    const tenantId = principal.role === 'admin' ? null : principal.tenantId
    report(request, { tokenId: principal.tokenId, tenantId })
    admission.count(principal, request)
    return permitted(principal, request)
  }
  const verifySession = (name: string) => async (sent: SentSession) => {
    const origin = originOf(sent.request, receivedOf(sent.request))
    if (name !== cookieName(SESSION_COOKIE, origin)) return null
    const principal = await findSessionPrincipal(sent.key, auth)
    // A browser adds the cookie to requests that the administrator did not make.
    if (principal !== null && !isTrusted(sent.request, origin)) {
      return forbidden('A session is accepted only from pages of this server.')
    }
    return accept(principal, sent.request)
  }
  return {
    token: async ({ request }: { readonly request: Request }) =>
      accept((await admission.identify(request)).principal, request),
    // The handler checks them, because RFC 6749 §5.2 defines the answer.
    client: ({ username, password }: BasicCredentials): BasicCredentials => ({
      username,
      password,
    }),
    session: verifySession(SESSION_COOKIE),
    hostSession: verifySession(hostCookie(SESSION_COOKIE)),
  }
}

/** The principal, if it may send the request. A token that may only read permits every GET, and nothing else. */
function permitted(principal: Principal, { method }: Request): Principal | Forbidden {
  if (principal.role !== 'admin') return forbidden('An administrator’s token is required.')
  if (principal.access === 'write' || isSafe(method)) return principal
  return forbidden('This token may only read: it permits only GET.')
}

/** Creates a function that returns whether the sender of an accepted request is still an administrator. */
export function createAdministratorCheck(auth: AuthOptions) {
  return async (request: Request): Promise<boolean> => {
    const origin = originOf(request, receivedOf(request))
    const key = readCookie(request, cookieName(SESSION_COOKIE, origin))
    const principal =
      (await authenticate(request, auth)) ??
      (key === null ? null : await findSessionPrincipal(key, auth))
    return principal?.role === 'admin'
  }
}

interface SentSession {
  readonly key: string
  readonly request: Request
}

async function findSessionPrincipal(key: string, auth: AuthOptions): Promise<Principal | null> {
  return (await findSession(key, { ...auth, isUsed: false }))?.principal ?? null
}

/** Whether a request with a session is from a page of this origin; a safe one also if a browser does not tell. */
function isTrusted(request: Request, origin: string): boolean {
  return isSafe(request.method) ? !isCrossOrigin(request, origin) : isSameOrigin(request, origin)
}
