/** The verifier of a token returns a principal, and handlers use it: its tenant, and what it may do. */
import { createDocument, defineOperation } from '@plumbline/openapi'
import { bearer } from '@plumbline/openapi/security'
import { FORBIDDEN, implement } from '@plumbline/openapi/server'
import { z } from 'zod'

interface Principal {
  readonly tenant: string
  readonly role: 'reader' | 'owner' | 'suspended'
}

/** The tokens of this example. An application looks up a hash, or checks the signature and the expiry of a JWT. */
const principals: ReadonlyMap<string, Principal> = new Map([
  ['token-of-anna', { tenant: 'acme', role: 'owner' }],
  ['token-of-bjorn', { tenant: 'acme', role: 'reader' }],
  ['token-of-chloe', { tenant: 'initech', role: 'owner' }],
  ['token-of-dora', { tenant: 'initech', role: 'suspended' }],
])
const books = new Map([
  ['acme', ['Emma']],
  ['initech', ['Ulysses']],
])

const listBooks = defineOperation('listBooks', 'GET /books', {
  summary: 'List the books of the tenant',
  responses: { 200: { description: 'The books', body: z.array(z.string()) } },
})
const clearBooks = defineOperation('clearBooks', 'DELETE /books', {
  summary: 'Delete the books of the tenant',
  responses: { 204: { description: 'Deleted' }, 403: { description: 'Only an owner may do so' } },
})
const builder = createDocument({
  info: { title: 'Books', version: '1.0.0' },
  securitySchemes: { token: bearer() },
  security: [{ token: [] }],
  defaults: {},
}).add(listBooks, clearBooks)

const api = implement(builder, {
  security: {
    // Null is 401 with `WWW-Authenticate`, and FORBIDDEN is 403. A handler runs only with a principal.
    token: ({ token }) => {
      const principal = principals.get(token) ?? null
      return principal?.role === 'suspended' ? FORBIDDEN : principal
    },
  },
  handlers: {
    // The tenant is that of the token, and never one that the client sends.
    listBooks: ({ principal, reply }) => reply(200, books.get(principal.tenant) ?? []),
    clearBooks: ({ principal, reply }) => {
      if (principal.role !== 'owner') return reply(403)
      books.delete(principal.tenant)
      return reply(204)
    },
  },
})

const send = (method: string, token: string) =>
  api.fetch(
    new Request('http://localhost/books', {
      method,
      headers: { Authorization: `Bearer ${token}` },
    }),
  )

const ofAcme = await send('GET', 'token-of-bjorn')
await ofAcme.json() //=> ['Emma']
const ofInitech = await send('GET', 'token-of-chloe')
await ofInitech.json() //=> ['Ulysses']

const unknown = await send('GET', 'unknown')
unknown.status //=> 401
unknown.headers.get('WWW-Authenticate') //=> 'Bearer error="invalid_token"'
const suspended = await send('GET', 'token-of-dora')
suspended.status //=> 403
const reader = await send('DELETE', 'token-of-bjorn')
reader.status //=> 403
const owner = await send('DELETE', 'token-of-anna')
owner.status //=> 204
