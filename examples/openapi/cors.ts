/** CORS around an API: the preflight of a browser, and the headers of each answer, also of errors. */
import { createDocument, defineOperation } from '@plumbline/openapi'
import { bearer } from '@plumbline/openapi/security'
import { implement } from '@plumbline/openapi/server'

const builder = createDocument({
  info: { title: 'Books', version: '1.0.0' },
  securitySchemes: { token: bearer() },
  security: [{ token: [] }],
  defaults: {},
}).add(
  defineOperation('clearBooks', 'DELETE /books', {
    summary: 'Clear',
    responses: { 204: { description: 'Done' } },
  }),
)
const api = implement(builder, {
  security: { token: ({ token }) => (token === 'secret' ? { name: 'owner' } : null) },
  handlers: { clearBooks: ({ reply }) => reply(204) },
})

/** The sites whose pages may call the API. */
const SITES: ReadonlySet<string> = new Set(['https://shop.example'])

async function fetch(request: Request): Promise<Response> {
  // The answer to OPTIONS lists the methods of the path in `Allow`, without credentials.
  const response = await api.fetch(request)
  const { headers } = response
  // A cache must not give the answer for one site to another.
  headers.append('Vary', 'Origin')
  const origin = request.headers.get('Origin')
  if (origin === null || !SITES.has(origin)) return response
  headers.set('Access-Control-Allow-Origin', origin)
  headers.set('Access-Control-Expose-Headers', 'Link, Location, ETag')
  if (request.headers.has('Access-Control-Request-Method')) {
    headers.set('Access-Control-Allow-Methods', headers.get('Allow') ?? '')
    headers.set('Access-Control-Allow-Headers', 'Authorization, Content-Type')
    headers.set('Access-Control-Max-Age', '600')
  }
  return response
}

const send = (method: string, origin: string, more: Record<string, string> = {}) =>
  fetch(new Request('http://localhost/books', { method, headers: { Origin: origin, ...more } }))

const asked = { 'Access-Control-Request-Method': 'DELETE' }
const preflight = await send('OPTIONS', 'https://shop.example', asked)
preflight.ok //=> true
preflight.headers.get('Access-Control-Allow-Methods') //=> 'DELETE, OPTIONS'

// The page can read why its request was rejected.
const rejected = await send('DELETE', 'https://shop.example')
rejected.status //=> 401
rejected.headers.get('Access-Control-Allow-Origin') //=> 'https://shop.example'

const other = await send('OPTIONS', 'https://other.example', asked)
other.headers.has('Access-Control-Allow-Origin') //=> false
