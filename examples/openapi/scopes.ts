/** The scopes of operations are enforced, tested, and listed in the metadata of a protected resource (RFC 9728). */

import { generateTests } from '@plumbline/contract'
import { createDocument, defineOperation } from '@plumbline/openapi'
import { oauth2 } from '@plumbline/openapi/security'
import { implement } from '@plumbline/openapi/server'

const scopes = { 'books:read': 'Read books', 'books:write': 'Change books' }
const oauth = oauth2({
  description: 'Metadata: https://auth.example.com/.well-known/oauth-authorization-server',
  flows: { clientCredentials: { tokenUrl: 'https://auth.example.com/token', scopes } },
})
const responses = { 204: { description: 'Done' } }
const builder = createDocument({
  info: { title: 'Books', version: '1.0.0' },
  defaults: {},
  securitySchemes: { oauth },
  security: [{ oauth: ['books:read'] }],
}).add(
  defineOperation('readBooks', 'GET /books', { summary: 'Read', responses }),
  defineOperation('clearBooks', 'DELETE /books', {
    summary: 'Clear',
    responses,
    security: [{ oauth: ['books:write'] }],
  }),
  defineOperation('health', 'GET /health', { summary: 'Health', responses, security: [] }),
)

/** The scopes of the tokens in this example. An application reads `scope` of a JWT, and splits it at spaces. */
const granted = new Map([
  ['token-of-anna', 'books:read books:write'],
  ['token-of-bjorn', 'books:read'],
])
const api = implement(builder, {
  security: {
    oauth: ({ token }) => {
      const scope = granted.get(token)
      return scope === undefined ? null : { scopes: scope.split(' ') }
    },
  },
  handlers: {
    readBooks: ({ reply }) => reply(204),
    clearBooks: ({ reply }) => reply(204),
    health: ({ reply }) => reply(204),
  },
})

const headers = { Authorization: 'Bearer token-of-bjorn' }
const read = await api.fetch(new Request('http://localhost/books', { headers }))
read.status //=> 204
const clear = await api.fetch(new Request('http://localhost/books', { method: 'DELETE', headers }))
clear.status //=> 403
clear.headers.get('WWW-Authenticate') //=> 'Bearer error="insufficient_scope", scope="books:write"'
const { detail } = await clear.json()
detail //=> 'The credentials do not have the scope books:write.'

// A function for a scheme makes credentials with the scopes of each request, so tests also try too few of them.
const tokenWith = (wanted: readonly string[]) => {
  const token = crypto.randomUUID()
  granted.set(token, wanted.join(' '))
  return token
}
const tests = generateTests(api, {
  credentials: { oauth: ({ scopes }) => tokenWith(scopes) },
})
for (const { run } of tests) await run()
const names = tests.map(({ name }) => name).filter((name) => name.includes('scopes'))
names[1] //=> 'clearBooks: requests with too few scopes are rejected'

const metadata = {
  resource: 'https://api.example.com',
  authorization_servers: ['https://auth.example.com'],
  scopes_supported: builder.scopes().oauth ?? [],
}
metadata.scopes_supported //=> ['books:read', 'books:write']
