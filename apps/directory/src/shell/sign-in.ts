import { setTimeout } from 'node:timers/promises'
import { html } from 'hono/html'
import type { Admission } from '../kernel/access/admission.ts'
import type { AuthOptions } from '../kernel/access/authenticate.ts'
import {
  cookieName,
  readCookie,
  SESSION_COOKIE,
  writeCookie,
} from '../kernel/access/session-cookie.ts'
import { createSession, endSession, MAX_SESSION_MS } from '../kernel/access/sessions.ts'
import { isCached } from '../kernel/access/token-cache.ts'
import { RateLimitError } from '../kernel/rate-limit/client-limits.ts'
import { TYPED } from '../kernel/typed-commands.ts'
import { field } from './console/components/form.ts'
import type { ConsoleContext, Exchange } from './console/context.ts'
import { ConsoleError } from './console/faults.ts'
import type { Html } from './console/html.ts'
import { renderPage } from './console/layout.ts'
import { readForm } from './console/read-form.ts'
import { CONSOLE_PATH, routes } from './console/routes.ts'

/** Creates the sign-in page for administrators, and the handlers for starting and ending sessions. */
export function createSignIn(auth: AuthOptions, admission: Admission) {
  let failing = 0
  /** Returns how long (s) a client should wait if its address has sent too many unknown tokens; 0 if it need not. */
  const waitOf = (request: Request, token: string): number => {
    try {
      admission.requireFewGuesses(request, () => isCached(token, auth.store))
      return 0
    } catch (error) {
      if (error instanceof RateLimitError) return error.seconds
      throw error
    }
  }
  /** Ends a browser's earlier session. On a full disk, the session expires by itself. */
  const endEarlier = (secret: string): Promise<void> =>
    auth.store.jobs.attempt('sessions', () => endSession(secret, auth), { otherwise: undefined })
  return {
    show: async ({ request }: Exchange): Promise<Response> => {
      const query = new URL(request.url).searchParams
      return await signInPage({ next: nextOf(query.get('next')) })
    },
    start: async ({ request, origin, facts }: Exchange): Promise<Response> => {
      const form = await readForm(request, FORM_LIMIT)
      if (form === null) throw new ConsoleError(413, 'The form is too large, or not a form.')
      const next = nextOf(form.get('next'))
      const token = (form.get('token') ?? '').trim()
      const wait = waitOf(request, token)
      if (wait > 0) return await tooMany(next, wait)
      // The token is looked up first: other people's guesses must not lock out the administrator.
      const session = await createSession(token, auth)
      if (typeof session === 'string') {
        if (session === 'unknown' && token !== '') await admission.countRejected(request, token)
        if (failing >= MAX_FAILING) return await tooMany(next, WAIT)
        failing += 1
        // A failed guess costs time, even if its client does not wait for the answer.
        await setTimeout(DELAY).finally(() => {
          failing -= 1
        })
        return await signInPage({ next, error: REASONS[session], status: 401 })
      }
      facts.tokenId = session.principal.tokenId
      const name = cookieName(SESSION_COOKIE, origin)
      const old = readCookie(request, name)
      if (old !== null) await endEarlier(old)
      const cookie = writeCookie(name, session.secret, { origin, maxAge: MAX_SESSION_MS / 1_000 })
      return new Response(null, { status: 303, headers: { Location: next, 'Set-Cookie': cookie } })
    },
    end: async ({ session, origin }: ConsoleContext): Promise<Response> => {
      await endSession(session.secret, auth)
      const cookie = writeCookie(cookieName(SESSION_COOKIE, origin), '', { origin, maxAge: 0 })
      const headers = { Location: routes.signIn.href(), 'Set-Cookie': cookie }
      return new Response(null, { status: 303, headers })
    },
  }
}

async function tooMany(next: string, wait: number): Promise<Response> {
  const time = wait === 1 ? 'a second' : `${wait} seconds`
  const error = `Too many attempts have failed. Try again in ${time}.`
  return await signInPage({ next, error, status: 429, headers: { 'Retry-After': `${wait}` } })
}

/** Answers a request without a session: the browser opens the sign-in page, and returns afterwards. */
export function answerStranger({ request }: Exchange): Promise<Response> | Response {
  const { pathname, search } = new URL(request.url)
  const isPage = request.method === 'GET' || request.method === 'HEAD'
  // A browser omits the cookie when a link on another site is followed, but sends it when this page opens itself again.
  if (isPage && request.headers.get('Sec-Fetch-Site') === 'cross-site') return openAgain()
  const next = isPage ? `${pathname}${search}` : routes.home.href()
  const location = `${routes.signIn.href()}?${new URLSearchParams({ next })}`
  return new Response(null, { status: 303, headers: { Location: location } })
}

async function openAgain(): Promise<Response> {
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Plumbline Directory</title></head>
<body><main><h1>Plumbline Directory</h1><p><a href="">Open the page</a></p></main></body></html>
`
  return new Response((await page).toString(), { headers: HTML })
}

async function signInPage({
  next,
  error,
  status = 200,
  headers = {},
}: {
  readonly next: string
  readonly error?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}): Promise<Response> {
  const frame = { session: null, sections: [], path: routes.signIn.href(), notice: null }
  const text = await renderPage({ title: 'Sign in', body: signInForm(next, error) }, frame)
  return new Response(text, { status, headers: { ...HTML, ...headers } })
}

function signInForm(next: string, error: string | undefined): Html {
  const hint = html`The first start of the server printed one. <code>${TYPED.option} --token</code> creates another.`
  return html`<form method="post" action="${routes.startSession.href()}">
<input type="hidden" name="next" value="${next}">
${field({ name: 'token', label: 'Administrator’s token', type: 'password', isRequired: true, isFocused: true, hint, error })}
<p class="actions"><button class="btn btn-primary btn-block">Sign in</button></p>
</form>`
}

/** Returns a path in the console: no other URL is opened after the sign-in. */
function nextOf(text: string | null): string {
  const home = routes.home.href()
  if (text === null || !URL.canParse(text, BASE)) return home
  const { origin, pathname, search } = new URL(text, BASE)
  const isConsole = pathname === CONSOLE_PATH || pathname.startsWith(`${CONSOLE_PATH}/`)
  return origin === BASE && isConsole ? `${pathname}${search}` : home
}

const BASE = 'http://console.invalid'
const HTML = { 'Content-Type': 'text/html; charset=utf-8' }
const FORM_LIMIT = 16 * 1024
/** The most failed attempts waiting at the same time. */
const MAX_FAILING = 20
/** How long (s) a client should wait if there are more. */
const WAIT = 5
/** How long (ms) a failed attempt waits. */
const DELAY = 500
const REASONS = {
  unknown: 'The token is unknown, expired or revoked.',
  client: 'This is not the token of an administrator.',
}
