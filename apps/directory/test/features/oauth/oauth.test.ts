import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { connect } from '../../support/harness.ts'

let store: Store
beforeAll(async () => {
  store = await openSqlite(':memory:')
})
afterAll(() => store.close())

it('the metadata document names the token endpoint below /scim (RFC 8414 §2)', async () => {
  const { directory } = await connect(store, { publicOrigin: 'https://directory.example.com' })
  const url = 'http://localhost/.well-known/oauth-authorization-server'
  const response = await directory.fetch(new Request(url))
  expect(response.headers.get('Content-Type')).toBe('application/json')
  expect(await response.json()).toEqual({
    issuer: 'https://directory.example.com',
    token_endpoint: 'https://directory.example.com/scim/oauth/token',
    token_endpoint_auth_methods_supported: [
      'client_secret_basic',
      'client_secret_post',
      'private_key_jwt',
    ],
    token_endpoint_auth_signing_alg_values_supported: ['ES256', 'RS256'],
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    scopes_supported: ['scim:read', 'scim:write', 'scim'],
  })
})

it.each(['GET', 'PUT', 'DELETE'])(
  'the token endpoint rejects %s with 405 (RFC 6749 §3.2)',
  async (method) => {
    const { directory } = await connect(store)
    const response = await directory.fetch(
      new Request('http://localhost/scim/oauth/token', { method }),
    )
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST, OPTIONS'])
  },
)

it('the ServiceProviderConfig lists bearer tokens and OAuth 2.0 (RFC 7643 §5)', async () => {
  const { send } = await connect(store)
  const { body } = await send('GET', '/ServiceProviderConfig')
  expect(body.authenticationSchemes).toEqual([
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token of this directory in the Authorization header (RFC 6750)',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
    {
      type: 'oauth2',
      name: 'OAuth 2.0 client credentials',
      description:
        'An access token for the secret of a client, or for a JWT that it has signed (RFC 6749 §4.4, RFC 7523 §2.2)',
      specUri: 'https://www.rfc-editor.org/info/rfc6749',
    },
  ])
})
