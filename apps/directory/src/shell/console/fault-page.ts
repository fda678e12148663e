import { html } from 'hono/html'
import type { ConsoleError } from './faults.ts'
import { renderPage } from './layout.ts'
import { routes } from './routes.ts'

/** Returns an error's page, in plain words and with the request id for searching the log. */
export async function answerFault(
  { status, message }: ConsoleError,
  requestId: string,
): Promise<Response> {
  const { title, meaning } = describeFault(status)
  const body = html`<p>${message === '' ? meaning : message}</p>
<p>Request <code>${requestId}</code></p>
<p><a href="${routes.home.href()}">Open the console</a></p>`
  const frame = { session: null, sections: [], path: '', notice: null }
  const headers = { 'Content-Type': 'text/html; charset=utf-8' }
  return new Response(await renderPage({ title, body }, frame), { status, headers })
}

/** Returns an error page's title, and what the status means. */
export function describeFault(status: number): {
  readonly title: string
  readonly meaning: string
} {
  return FAULTS[status] ?? OTHER
}

const OTHER = {
  title: 'Something went wrong',
  meaning:
    'The server could not make this page because of an error. The log of the server has the error with the id of this request.',
}
const FAULTS: Readonly<Record<number, { readonly title: string; readonly meaning: string }>> = {
  403: { title: 'Not permitted', meaning: 'Your token does not permit this.' },
  404: { title: 'Not found', meaning: 'This page does not exist.' },
  413: { title: 'Too large', meaning: 'The form is too large.' },
  429: {
    title: 'Too many requests',
    meaning: 'Your token has sent too many requests. Try again in a few seconds.',
  },
  503: {
    title: 'The database does not answer',
    meaning:
      'The server works, but its database is not reachable or too busy. Try again in a few seconds. If the page does not come back, check the database.',
  },
}
