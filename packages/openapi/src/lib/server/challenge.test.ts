import { expect, it } from 'vitest'
import type { SecurityScheme } from '../openapi.ts'
import { apiKey, basic, bearer, oauth2, openIdConnect } from '../spec/security.ts'
import { challengeOf, type Verified } from './challenge.ts'

const url = 'https://example.com/token'
const header = apiKey({ in: 'header', name: 'X-Key' })
const oauth = oauth2({ flows: { clientCredentials: { tokenUrl: url, scopes: {} } } })
const digest: SecurityScheme = { type: 'http', scheme: 'Digest' }

type Row = readonly [
  name: string,
  scheme: SecurityScheme,
  verified: Partial<Verified>,
  challenge: string | null,
]

it.each<Row>([
  // RFC 6750 §3
  ['a bearer token', bearer(), { outcome: 'absent' }, 'Bearer realm="r"'],
  [
    'a bearer token that is not valid',
    bearer(),
    { outcome: 'invalid' },
    'Bearer realm="r", error="invalid_token"',
  ],
  [
    'a bearer token without the scopes',
    bearer(),
    { outcome: 'forbidden', scopes: ['a', 'b'] },
    'Bearer realm="r", error="insufficient_scope", scope="a b"',
  ],
  [
    'a bearer token without a role that is not a scope (RFC 6749 §3.3)',
    bearer(),
    { outcome: 'forbidden', scopes: ['a', 'chef de rayon', 'é'] },
    'Bearer realm="r", error="insufficient_scope"',
  ],
  [
    'a bearer token without scopes of all permitted characters',
    bearer(),
    { outcome: 'forbidden', scopes: ['!#$[', ']~https://example.com/a.read'] },
    'Bearer realm="r", error="insufficient_scope", scope="!#$[ ]~https://example.com/a.read"',
  ],
  [
    'a bearer token without a permission that is not a scope',
    bearer(),
    { outcome: 'forbidden' },
    'Bearer realm="r", error="insufficient_scope"',
  ],
  ['a token of OAuth 2.0', oauth, { outcome: 'absent' }, 'Bearer realm="r"'],
  [
    'a token of OpenID Connect',
    openIdConnect({ openIdConnectUrl: url }),
    { outcome: 'absent' },
    'Bearer realm="r"',
  ],
  // RFC 7617 §2
  ['a password', basic(), { outcome: 'invalid' }, 'Basic realm="r", charset="UTF-8"'],
  ['a password without the permission', basic(), { outcome: 'forbidden' }, null],
  // RFC 9110 §11.6.1
  ['another scheme', digest, { outcome: 'absent' }, 'digest realm="r"'],
  ['a key', header, { outcome: 'invalid' }, 'ApiKey realm="r", in="header", name="X-Key"'],
  ['a key without the permission', header, { outcome: 'forbidden' }, null],
  ['a certificate', { type: 'mutualTLS' }, { outcome: 'absent' }, 'MutualTLS realm="r"'],
  ['a certificate without the permission', { type: 'mutualTLS' }, { outcome: 'forbidden' }, null],
])('the challenge is correct for %s', (_, scheme, verified, challenge) => {
  const parts = { name: 's', scheme, scopes: [], outcome: 'absent', principal: null } as const
  expect(challengeOf({ ...parts, ...verified }, 'r')).toBe(challenge)
})
