import { html } from 'hono/html'
import type { AuthOptions } from '../../../kernel/access/authenticate.ts'
import { cookieName, writeCookie } from '../../../kernel/access/session-cookie.ts'
import type { Exchange } from '../../../shell/console/context.ts'
import { setupRoutes } from '../../../shell/console/routes.ts'
import { openSetupSession, readSetupLink } from '../setup-sessions.ts'
import { SETUP_COOKIE, strangerPage } from './context.ts'

/** Shows a link's button. The request itself opens nothing: mail filters also request links found in mails. */
export async function showLink({ params }: Exchange, auth: AuthOptions): Promise<Response> {
  const text = params.link ?? ''
  const found = await readSetupLink(text, auth)
  if (typeof found === 'string') return await rejected(found)
  const { link, tenant } = found
  const body = html`<p>Connect the identity provider of <strong><bdi>${tenant.name}</bdi></strong> (<code>${tenant.id}</code>). If you do not belong to this organization, close this page: the link is not for you.</p>
<p>This link can be opened once, in this browser, and is valid until ${new Date(link.expires_at).toUTCString()}.</p>
<form method="post" action="${setupRoutes.open.href({ link: text })}">
<p class="actions"><button class="btn btn-primary">Start</button></p></form>`
  return await strangerPage('Set-up', body, 200)
}

/** Opens a link, and sends the browser a session. */
export async function openLink({ params, origin }: Exchange, auth: AuthOptions): Promise<Response> {
  const opened = await openSetupSession(params.link ?? '', auth)
  if (typeof opened === 'string') return await rejected(opened)
  const maxAge = Math.ceil((opened.link.expires_at - auth.now()) / 1_000)
  const name = cookieName(SETUP_COOKIE, origin)
  const headers = {
    Location: setupRoutes.connect.href(),
    'Set-Cookie': writeCookie(name, opened.secret, { origin, maxAge }),
  }
  return new Response(null, { status: 303, headers })
}

/** Answers a request whose session is missing or has ended. */
export async function showEnd({ request }: Exchange): Promise<Response> {
  const isPage = request.method === 'GET' || request.method === 'HEAD'
  const isElsewhere = request.headers.get('Sec-Fetch-Site') === 'cross-site'
  const again =
    isPage &&
    isElsewhere &&
    html`<p>If you have opened your link in this browser, <a href="">open the page again</a>.</p>`
  const body = html`<p>Open the set-up link that you were sent. If you have done so, it has expired, or it was revoked.</p>${again}`
  return await strangerPage('The set-up is not open', body, 401)
}

async function rejected(state: keyof typeof REASONS): Promise<Response> {
  const { status, title, reason } = REASONS[state]
  const body = html`<p>${reason}</p><p>Ask the person who sent the link for another one.</p>
${state === 'opened' && html`<p>If it was this browser, <a href="${setupRoutes.connect.href()}">continue</a>.</p>`}`
  return await strangerPage(title, body, status)
}

const REASONS = {
  unknown: {
    status: 404,
    title: 'The link does not exist',
    reason: 'The link was revoked, or it is not complete.',
  },
  expired: {
    status: 410,
    title: 'The link has expired',
    reason: 'The link was not opened in time.',
  },
  opened: {
    status: 410,
    title: 'The link was already opened',
    reason: 'A link can be opened once, and a browser has opened this one.',
  },
} as const
