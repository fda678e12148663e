import { html } from 'hono/html'
import { originOf, receivedOf } from '../kernel/requests/received.ts'
import { SCIM_PATH } from '../kernel/requests/scim-path.ts'
import { definitionList } from './console/components/table.ts'
import { code } from './console/components/text.ts'
import { protectConsole } from './console/headers.ts'
import { renderPage } from './console/layout.ts'
import { routes } from './console/routes.ts'

/** Answers `/`, which shows where everything is: a page for a browser, and JSON for other clients. */
export async function serveRoot(request: Request): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const status = request.method === 'OPTIONS' ? 204 : 405
    return new Response(null, { status, headers: { Allow: 'GET, HEAD, OPTIONS' } })
  }
  const origin = originOf(request, receivedOf(request))
  const places = {
    console: `${origin}${routes.home.href()}`,
    scim: `${origin}${SCIM_PATH}`,
    document: `${origin}/openapi.json`,
  }
  const isPage = (request.headers.get('Accept') ?? '').includes('text/html')
  const response = isPage ? await rootPage(places) : Response.json(places)
  response.headers.set('Vary', 'Accept')
  protectConsole(response)
  return request.method === 'HEAD' ? new Response(null, response) : response
}

async function rootPage(places: Readonly<Record<'console' | 'scim' | 'document', string>>) {
  const { scim } = places
  const body = html`${definitionList([
    ['Console', html`<a href="${routes.home.href()}">Open the console</a>`],
    ['SCIM base URL', code(scim)],
    ['API document', html`<a href="/openapi.json">/openapi.json</a>`],
  ])}`
  const frame = { session: null, sections: [], path: '/', notice: null }
  const text = await renderPage({ title: 'A SCIM 2.0 server', body }, frame)
  return new Response(text, { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
}
