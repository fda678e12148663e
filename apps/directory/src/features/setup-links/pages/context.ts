import type { html } from 'hono/html'
import type { AuthOptions } from '../../../kernel/access/authenticate.ts'
import type { Exchange, Section } from '../../../shell/console/context.ts'
import { renderPage } from '../../../shell/console/layout.ts'
import { endNotice, type Notice, noticeCookie, readNotice } from '../../../shell/console/notice.ts'
import type { PageOptions } from '../../../shell/console/page-options.ts'
import { setupRoutes } from '../../../shell/console/routes.ts'
import type { SetupSession } from '../setup-sessions.ts'

/** The name of the cookie for a set-up session. */
export const SETUP_COOKIE = 'plumbline-setup'

/** A request within a set-up link's session. */
export interface SetupContext extends Pick<Exchange, 'request' | 'origin' | 'facts'> {
  readonly url: URL
  readonly session: SetupSession
  /** A posted form's fields; empty for a page. */
  readonly form: URLSearchParams
  readonly auth: AuthOptions
  page(options: Omit<PageOptions, 'tenant' | 'crumbs'>): Promise<Response>
  redirect(href: string, notice?: Notice): Response
}

/** Creates a request's context. */
export function createContext(
  { request, origin, facts }: Exchange,
  { session, form, auth }: Pick<SetupContext, 'session' | 'form' | 'auth'>,
): SetupContext {
  const url = new URL(request.url)
  return {
    request,
    origin,
    facts,
    url,
    session,
    form,
    auth,
    page: async (options) => {
      const notice = readNotice(request, session.secret, origin)
      const headers = new Headers(HTML)
      if (notice !== null) headers.append('Set-Cookie', endNotice(origin))
      const { id, name } = session.tenant
      const frame = { session: null, sections: NAVIGATION, path: url.pathname, notice }
      const text = await renderPage({ ...options, tenant: { id, name } }, frame)
      return new Response(text, { status: options.status ?? 200, headers })
    },
    redirect: (href, notice) => {
      const headers = new Headers({ Location: href })
      if (notice) headers.append('Set-Cookie', noticeCookie(notice, session.secret, origin))
      return new Response(null, { status: 303, headers })
    },
  }
}

/** Renders a page without a session. */
export async function strangerPage(
  title: string,
  body: ReturnType<typeof html>,
  status: number,
): Promise<Response> {
  const frame = { session: null, sections: [], path: '', notice: null }
  return new Response(await renderPage({ title, body }, frame), { status, headers: HTML })
}

/** Links for every page with a session. */
const NAVIGATION: readonly Section[] = [
  { text: 'Connect', icon: 'plug', route: setupRoutes.connect } as const,
  { text: 'First requests', icon: 'log', route: setupRoutes.requests } as const,
  { text: 'Verdict', icon: 'check-circle', route: setupRoutes.doctor } as const,
].map(({ route, ...link }) => ({
  pages: [],
  tenantLink: { ...link, group: 'Set-up', href: () => route.href() },
}))
const HTML = { 'Content-Type': 'text/html; charset=utf-8' }
