/** The metadata of a protected resource (RFC 9728) from the scopes that operations require. */
import { createDocument, defineOperation } from '@plumbline/openapi'
import { oauth2 } from '@plumbline/openapi/security'

const scopes = { 'books:read': 'Read books', 'books:write': 'Change books' }
const oauth = oauth2({
  description: 'Metadata: https://auth.example.com/.well-known/oauth-authorization-server',
  flows: { clientCredentials: { tokenUrl: 'https://auth.example.com/token', scopes } },
})
const responses = { 204: { description: 'Done' } }
const builder = createDocument({
  info: { title: 'Books', version: '1.0.0' },
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

const metadata = {
  resource: 'https://api.example.com',
  authorization_servers: ['https://auth.example.com'],
  scopes_supported: builder.scopes().oauth ?? [],
}
metadata.scopes_supported //=> ['books:read', 'books:write']
