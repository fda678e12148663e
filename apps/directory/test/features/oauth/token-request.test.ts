import { isFailure } from '@plumbline/result'
import { expect, it } from 'vitest'
import { ASSERTION_TYPE } from '../../../src/features/oauth/assertion.ts'
import { accessOfScope } from '../../../src/features/oauth/scopes.ts'
import { type Form, readTokenRequest } from '../../../src/features/oauth/token-request.ts'
import {
  isAccessToken,
  readAccessToken,
  writeAccessToken,
} from '../../../src/kernel/access/access-token.ts'
import { encode } from '../../support/assertion.ts'

const GRANT = { grant_type: 'client_credentials' }
const POST = { client_id: 'c', client_secret: 's' }
const BASIC = { username: 'c', password: 's' }
const READ = {
  grantType: 'client_credentials',
  credentials: { clientId: 'c', clientSecret: 's' },
  scope: null,
}
const PARTS = [{ alg: 'ES256', kid: 'k' }, { sub: 'c' }].map(encode)
const ASSERTION = {
  client_assertion_type: ASSERTION_TYPE,
  client_assertion: `${PARTS.join('.')}.AAAA`,
}

it.each<[string, Form, typeof BASIC | 'malformed' | null, object]>([
  ['client_secret_basic (§2.3.1)', GRANT, BASIC, READ],
  ['client_secret_post (§2.3.1)', { ...GRANT, ...POST }, null, READ],
  ['a scope (§3.3)', { ...GRANT, ...POST, scope: 'a b' }, null, { ...READ, scope: 'a b' }],
  ['an empty scope, as if it were omitted (§3.2)', { ...GRANT, scope: '' }, BASIC, READ],
  ['an empty type of a JWT (§3.2)', { ...GRANT, client_assertion_type: '' }, BASIC, READ],
  ['an unknown parameter (§3.2)', { ...GRANT, resource: 'x' }, BASIC, READ],
  ['Basic with the same client_id in the form', { ...GRANT, client_id: 'c' }, BASIC, READ],
  [
    'Basic that is encoded as a form (§2.3.1)',
    GRANT,
    { username: 'a%3Ab', password: '%C3%A4+%2B%25' },
    { ...READ, credentials: { clientId: 'a:b', clientSecret: 'ä +%' } },
  ],
  [
    'private_key_jwt (RFC 7523 §2.2)',
    { ...GRANT, ...ASSERTION, client_id: 'c' },
    null,
    {
      ...READ,
      credentials: {
        clientId: 'c',
        assertion: { clientId: 'c', keyId: 'k', text: [...PARTS, 'AAAA'].join('.') },
      },
    },
  ],
  ['any grant type', { ...POST, grant_type: 'password' }, null, { ...READ, grantType: 'password' }],
])('a token request is read: %s', (_, form, basic, expected) => {
  expect(readTokenRequest(form, basic)).toEqual({ status: 'success', data: expected })
})

it.each<[string, Form, typeof BASIC | 'malformed' | null, string]>([
  ['no parameter', {}, null, 'invalid_request'],
  ['no grant_type', POST, null, 'invalid_request'],
  ['an empty grant_type', { ...POST, grant_type: '' }, null, 'invalid_request'],
  ['a repeated grant_type', { ...POST, grant_type: ['a', 'a'] }, null, 'invalid_request'],
  [
    'a repeated secret',
    { ...GRANT, client_id: 'c', client_secret: ['s', 's'] },
    null,
    'invalid_request',
  ],
  ['a repeated unknown parameter', { ...GRANT, ...POST, x: ['1', '2'] }, null, 'invalid_request'],
  ['two methods (§2.3)', { ...GRANT, ...POST }, BASIC, 'invalid_request'],
  ['two methods, one of them malformed', { ...GRANT, ...POST }, 'malformed', 'invalid_request'],
  ['another client_id than in Basic', { ...GRANT, client_id: 'd' }, BASIC, 'invalid_request'],
  ['a JWT and Basic (§2.3)', { ...GRANT, ...ASSERTION }, BASIC, 'invalid_request'],
  [
    'the type of a JWT without one (RFC 7521 §4.2)',
    { ...GRANT, client_assertion_type: ASSERTION_TYPE },
    BASIC,
    'invalid_request',
  ],
  ['a JWT and a secret (§2.3)', { ...GRANT, ...ASSERTION, ...POST }, null, 'invalid_request'],
  [
    'a JWT of another client (RFC 7521 §4.2)',
    { ...GRANT, ...ASSERTION, client_id: 'd' },
    null,
    'invalid_request',
  ],
  [
    'an assertion of another type (RFC 7521 §4.2.1)',
    { ...GRANT, ...ASSERTION, client_assertion_type: 'saml' },
    null,
    'invalid_client',
  ],
  [
    'an assertion without a type',
    { ...GRANT, client_assertion: ASSERTION.client_assertion },
    null,
    'invalid_client',
  ],
  [
    'an assertion that is not a JWT',
    { ...GRANT, ...ASSERTION, client_assertion: 'a.b' },
    null,
    'invalid_client',
  ],
  ['no credentials', GRANT, null, 'invalid_client'],
  ['no secret', { ...GRANT, client_id: 'c' }, null, 'invalid_client'],
  ['no id', { ...GRANT, client_secret: 's' }, null, 'invalid_client'],
  ['a malformed header', GRANT, 'malformed', 'invalid_client'],
  ['a percent sign without digits', GRANT, { username: 'c', password: '100%' }, 'invalid_client'],
  ['bytes that are not UTF-8', GRANT, { username: 'c', password: '%ff' }, 'invalid_client'],
  ['a parameter that every object inherits', { ...GRANT, scope: 'x' }, null, 'invalid_client'],
])('a token request is rejected: %s (RFC 6749 §5.2)', (_, form, basic, code) => {
  const result = readTokenRequest(form, basic)
  expect(isFailure(result) && result.error.code).toBe(code)
  // error_description = %x20-21 / %x23-5B / %x5D-7E
  expect(isFailure(result) && result.error.message).toMatch(/^[ !#-[\]-~]+$/)
})

it.each([
  [null, 'write', 'write'],
  [null, 'read', 'read'],
  ['scim:read', 'write', 'read'],
  ['scim:write', 'write', 'write'],
  ['scim:write scim:read', 'write', 'write'],
  ['scim:read scim:read', 'read', 'read'],
  ['scim:write', 'read', null],
  ['scim:read scim:write', 'read', null],
  ['scim', 'write', 'write'],
  ['scim', 'read', null],
  ['scim:admin', 'write', null],
  ['SCIM:READ', 'write', null],
  [' scim:read', 'write', null],
  ['scim:read  scim:write', 'write', null],
  ['scim:read,scim:write', 'write', null],
] as const)(
  'the scope %j for a client that may %s is the access %j (§3.3)',
  (scope, allowed, access) => {
    expect(accessOfScope(scope, allowed)).toBe(access)
  },
)

const TOKEN = {
  clientId: '0195f0e0-0000-7000-8000-000000000000',
  tenantId: 'a'.repeat(63),
  revision: 12,
  access: 'write',
  expiresAt: 1_800_000_000_000,
} as const

it('an access token contains only bearer token characters, and is short (RFC 6750 §2.1)', () => {
  const text = writeAccessToken(TOKEN, 'key')
  expect(text).toMatch(/^[\w.~+/-]+=*$/)
  expect(text.length).toBeLessThan(400)
  expect(isAccessToken(text)).toBe(true)
  expect(readAccessToken(text, 'key')).toEqual(TOKEN)
})

it('an access token is rejected if a character was changed, or the key is another', () => {
  const text = writeAccessToken(TOKEN, 'key')
  expect(readAccessToken(text, 'other')).toBeNull()
  for (let at = 0; at < text.length; at += 1) {
    const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
    expect(readAccessToken(changed, 'key')).toBeNull()
  }
  for (const changed of [`${text}A`, `${text}=`, `${text}.`, text.slice(0, -1), ` ${text}`, '']) {
    expect(readAccessToken(changed, 'key')).toBeNull()
  }
})

it.each(['id.secret', 'oauth.secret', 'a.b.c', 'oauth.b.c.d', 'oauth', '', 'OAUTH.b.c'])(
  'the bearer token %j is not an access token',
  (text) => {
    expect(isAccessToken(text)).toBe(false)
  },
)
