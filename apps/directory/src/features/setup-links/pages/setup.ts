import type { Route } from '@remix-run/fetch-router/routes'
import type { Admission } from '../../../kernel/access/admission.ts'
import type { AuthOptions } from '../../../kernel/access/authenticate.ts'
import { cookieName, readCookie } from '../../../kernel/access/session-cookie.ts'
import { RateLimitError } from '../../../kernel/rate-limit/client-limits.ts'
import type { Exchange, Served } from '../../../shell/console/context.ts'
import { ConsoleError } from '../../../shell/console/faults.ts'
import { setupRoutes } from '../../../shell/console/routes.ts'
import { readSessionForm } from '../../../shell/console/session-form.ts'
import { findSetup } from '../setup-sessions.ts'
import type { SetupLinkRow } from '../store.ts'
import { createToken, showConnect } from './connect.ts'
import { createContext, SETUP_COOKIE, type SetupContext } from './context.ts'
import { createDoctor } from './doctor.ts'
import { openLink, showEnd, showLink } from './open.ts'
import { showRequests } from './requests.ts'

type Handle = (exchange: Exchange) => Promise<Response>

/** The server parts used in the set-up pages. */
export interface SetupOptions extends Pick<Served, 'scim'> {
  readonly auth: AuthOptions
  readonly admission: Admission
}

/**
 * Creates the pages for set-up links. Their session is separate from the console's and the management API's: it belongs
 * to one tenant, and only these pages accept its cookie.
 */
export function createSetup(options: SetupOptions): readonly (readonly [Route, Handle])[] {
  const { auth, admission } = options
  const doctor = createDoctor(options)
  const answering =
    (answer: (context: SetupContext) => Promise<Response>): Handle =>
    async (exchange) => {
      const { request, origin } = exchange
      const cookie = readCookie(request, cookieName(SETUP_COOKIE, origin))
      const session = cookie && (await findSetup(cookie, auth))
      if (!session) return await showEnd(exchange)
      exchange.facts.tenantId = session.tenant.id
      countRequest(admission, session.link, request)
      const form = await readSessionForm(request, session)
      return await answer(createContext(exchange, { session, form, auth }))
    }
  return [
    [setupRoutes.link, (exchange) => showLink(exchange, auth)],
    [setupRoutes.open, (exchange) => openLink(exchange, auth)],
    [setupRoutes.connect, answering((context) => showConnect(context))],
    [setupRoutes.createToken, answering(createToken)],
    [setupRoutes.requests, answering(showRequests)],
    [setupRoutes.doctor, answering(doctor.show)],
    [setupRoutes.examine, answering(doctor.examine)],
  ]
}

/** Counts a link session's request like a token's. */
function countRequest(admission: Admission, { id }: SetupLinkRow, request: Request): void {
  try {
    admission.count({ tokenId: id }, request)
  } catch (error) {
    if (!(error instanceof RateLimitError)) throw error
    throw new ConsoleError(429, `Too many requests. Try again in ${error.seconds} seconds.`)
  }
}
