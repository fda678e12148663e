import { createClient } from '@plumbline/openapi/client'
import { html } from 'hono/html'
import type { AuthOptions } from '../kernel/access/authenticate.ts'
import { cookieName, readCookie, SESSION_COOKIE } from '../kernel/access/session-cookie.ts'
import { findSession, type Session } from '../kernel/access/sessions.ts'
import { receivedOf } from '../kernel/requests/received.ts'
import { REQUEST_ID } from '../kernel/requests/request-id.ts'
import { scimPathOf } from '../kernel/requests/scim-path.ts'
import type {
  ConsoleApi,
  ConsoleContext,
  Exchange,
  PageRoute,
  Section,
  Served,
} from './console/context.ts'
import { describeFault } from './console/fault-page.ts'
import { ConsoleError } from './console/faults.ts'
import { renderPage } from './console/layout.ts'
import { endNotice, noticeCookie, readNotice } from './console/notice.ts'
import { readSessionForm } from './console/session-form.ts'
import { apiDocument } from './operations.ts'
import { answerStranger } from './sign-in.ts'

/** Creates the function that wraps a page's answer with the session, the form and a request's notice. */
export function createContexts(auth: AuthOptions, served: Served, sections: readonly Section[]) {
  return {
    answering:
      ({ answer, isUse = true }: Pick<PageRoute, 'answer' | 'isUse'>) =>
      async (exchange: Exchange): Promise<Response> => {
        const { request, origin } = exchange
        const cookie = readCookie(request, cookieName(SESSION_COOKIE, origin))
        const session = cookie && (await findSession(cookie, { ...auth, isUsed: isUse }))
        if (!session) return answerStranger(exchange)
        exchange.facts.tokenId = session.principal.tokenId
        const form = await readSessionForm(request, session)
        const parts = { session, form, served, sections, now: auth.now }
        const context = createContext(exchange, parts)
        try {
          return await answer(context)
        } catch (error) {
          if (error instanceof ConsoleError && error.status === 404) {
            return await missingPage(context, error)
          }
          throw error
        }
      },
  }
}

/** Shows that a page's subject does not exist, with the menu, so that the administrator finds the way back. */
async function missingPage(
  context: ConsoleContext,
  { status, message }: ConsoleError,
): Promise<Response> {
  const { tenantId } = Object(context.params)
  const found =
    typeof tenantId === 'string' ? await context.api.getTenant({ params: { tenantId } }) : null
  const { title, meaning } = describeFault(status)
  return await context.page({
    title,
    status,
    ...(found?.status === 200 && { tenant: found.body }),
    body: html`<p>${message === '' ? meaning : message}</p>
<p>Request <code>${receivedOf(context.request).id}</code></p>`,
  })
}

interface Parts {
  readonly session: Session
  readonly form: URLSearchParams
  readonly served: Served
  readonly sections: readonly Section[]
  readonly now: () => number
}

function createContext(exchange: Exchange, { session, form, served, sections, now }: Parts) {
  const { request, params, origin } = exchange
  const url = new URL(request.url)
  const context: ConsoleContext = {
    request,
    url,
    params,
    form,
    session,
    origin,
    now,
    api: apiOf(exchange, served),
    scim: (tenantId, path) => {
      const target = `${origin}${scimPathOf(tenantId).base}${path}`
      const inner = new Request(target, { signal: request.signal })
      return served.scim(inner, exchange, { ...session.principal, tenantId })
    },
    page: async (options) => {
      const notice = readNotice(request, session.secret, origin)
      const frame = { session, sections, path: url.pathname, notice }
      const headers = new Headers({ 'Content-Type': 'text/html; charset=utf-8' })
      if (notice !== null) headers.append('Set-Cookie', endNotice(origin))
      return new Response(await renderPage(options, frame), {
        status: options.status ?? 200,
        headers,
      })
    },
    redirect: (href, notice) => {
      const headers = new Headers({ Location: href })
      if (notice) headers.append('Set-Cookie', noticeCookie(notice, session.secret, origin))
      return new Response(null, { status: 303, headers })
    },
  }
  return context
}

/** Creates the API client. It sends the browser's cookie, and proof that the request is same-origin. */
function apiOf(exchange: Exchange, { api }: Served): ConsoleApi {
  const { request, origin } = exchange
  return createClient(apiDocument, {
    baseUrl: origin,
    headers: {
      Cookie: request.headers.get('Cookie') ?? '',
      'Sec-Fetch-Site': 'same-origin',
      [REQUEST_ID]: receivedOf(request).id,
    },
    fetch: (url, init) => api(new Request(url, { ...init, signal: request.signal }), exchange),
  })
}
