import { describe, expect, it } from 'vitest'
import type { SecurityScheme } from '../openapi.ts'
import { apiKey, basic, bearer, oauth2, openIdConnect } from '../spec/security.ts'
import { readCredentials } from './credentials.ts'

type Row = readonly [name: string, scheme: SecurityScheme, send: Sent, expected: object | string]

/** A header, or a query. */
type Sent = { readonly [header: string]: string } | string

const url = 'https://example.com/'
const SCHEMES = { tokenUrl: url, scopes: {} }
const header = apiKey({ in: 'header', name: 'X-Key' })
const query = apiKey({ in: 'query', name: 'key' })
const cookie = apiKey({ in: 'cookie', name: 'session' })
const digest: SecurityScheme = { type: 'http', scheme: 'Digest' }

const base64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))

const ROWS: readonly Row[] = [
  // RFC 6750 §2.1
  ['a bearer token', bearer(), { Authorization: 'Bearer aZ0-._~+/==' }, { token: 'aZ0-._~+/==' }],
  ['the scheme in other letter case', bearer(), { authorization: 'bEARER a' }, { token: 'a' }],
  ['several spaces before a token', bearer(), { Authorization: 'Bearer   a' }, { token: 'a' }],
  [
    'a token of OAuth 2.0',
    oauth2({ flows: { clientCredentials: SCHEMES } }),
    { Authorization: 'Bearer a' },
    { token: 'a' },
  ],
  [
    'a token of OpenID Connect',
    openIdConnect({ openIdConnectUrl: url }),
    { Authorization: 'Bearer a' },
    { token: 'a' },
  ],
  ['no header', bearer(), {}, 'absent'],
  ['another scheme', bearer(), { Authorization: 'Basic YTpi' }, 'absent'],
  ['a scheme that begins with the name', bearer(), { Authorization: 'Bearers a' }, 'absent'],
  ['a token in the query only', bearer(), '?access_token=a', 'absent'],
  ['a scheme without a token', bearer(), { Authorization: 'Bearer' }, 'malformed'],
  ['two headers', bearer(), { Authorization: 'Bearer a, Bearer b' }, 'malformed'],
  ['a token with a space', bearer(), { Authorization: 'Bearer a b' }, 'malformed'],
  ['a token with a quote', bearer(), { Authorization: 'Bearer "a"' }, 'malformed'],
  ['an equals sign within a token', bearer(), { Authorization: 'Bearer a=b' }, 'malformed'],
  // RFC 7617 §2
  [
    'a user and a password',
    basic(),
    { Authorization: `Basic ${base64('ann:pass')}` },
    { username: 'ann', password: 'pass' },
  ],
  [
    'a colon in the password',
    basic(),
    { Authorization: `Basic ${base64('ann:a:b')}` },
    { username: 'ann', password: 'a:b' },
  ],
  [
    'letters beyond ASCII',
    basic(),
    { Authorization: `Basic ${base64('zoë:pä€s')}` },
    { username: 'zoë', password: 'pä€s' },
  ],
  [
    'an empty user and password',
    basic(),
    { Authorization: `Basic ${base64(':')}` },
    { username: '', password: '' },
  ],
  ['text without a colon', basic(), { Authorization: `Basic ${base64('ann')}` }, 'malformed'],
  ['a control character', basic(), { Authorization: `Basic ${base64('ann:a\0')}` }, 'malformed'],
  [
    'bytes that are not UTF-8',
    basic(),
    { Authorization: `Basic ${btoa('ann:\xff')}` },
    'malformed',
  ],
  ['text that is not base64', basic(), { Authorization: 'Basic ann:pass' }, 'malformed'],
  ['base64 with a space', basic(), { Authorization: 'Basic YTpi YTpi' }, 'malformed'],
  ['base64 of a wrong length', basic(), { Authorization: 'Basic YTpiY' }, 'malformed'],
  // OpenAPI 3.1.1 §4.8.27
  ['a key in a header', header, { 'x-key': 'k' }, { key: 'k' }],
  ['an empty key', header, { 'X-Key': '' }, 'absent'],
  ['a repeated header', header, { 'X-Key': 'a, b' }, 'malformed'],
  ['a key in the query', query, '?key=a%20b&x=1', { key: 'a b' }],
  ['a key with a comma in the query', query, '?key=a,b', { key: 'a,b' }],
  ['a key in the path', query, 'books&key=a', 'absent'],
  ['a key in the fragment', query, '?x=1#?key=a', 'absent'],
  ['a query without the key', query, '?Key=a&constructor=b', 'absent'],
  ['a repeated key in the query', query, '?key=a&key=b', 'malformed'],
  ['a repeated key whose first value is empty', query, '?key=&key=b', 'malformed'],
  ['a key in a cookie', cookie, { Cookie: 'a=b; session="k%20"; c=d' }, { key: 'k%20' }],
  ['a cookie without a value', cookie, { Cookie: 'session' }, 'absent'],
  ['a cookie without an equals sign', cookie, { Cookie: 'sessions' }, 'absent'],
  ['a cookie with spaces', cookie, { Cookie: 'a=b; session = k ; c=d' }, { key: 'k' }],
  ['a cookie that ends with quotes', cookie, { Cookie: 'session=a"b"' }, { key: 'a"b"' }],
  ['a cookie that begins with quotes', cookie, { Cookie: 'session="a"b' }, { key: '"a"b' }],
  ['a cookie whose name ends with the name', cookie, { Cookie: 'xsession=k' }, 'absent'],
  ['two cookies of one name', cookie, { Cookie: 'session=a; session=b' }, 'malformed'],
  [
    'another scheme of the header',
    digest,
    { Authorization: 'Digest a="b"' },
    { credentials: 'a="b"' },
  ],
  ['another scheme without credentials', digest, { Authorization: 'Digest' }, 'malformed'],
  ['a client certificate', { type: 'mutualTLS' }, {}, {}],
]

describe('request credentials', () => {
  it.each(ROWS)('credentials are read: %s', (_, scheme, send, expected) => {
    const path = typeof send === 'string' ? send : ''
    const headers = typeof send === 'string' ? {} : send
    const request = new Request(`http://localhost/${path}`, { headers })
    const into = {}
    const sent = readCredentials(scheme, request, into)
    const isSent = typeof expected === 'object'
    expect([sent, into]).toEqual(isSent ? ['sent', expected] : [expected, {}])
  })
})

it('a bearer token is malformed if it is also in the query (RFC 6750 §2)', () => {
  const headers = { Authorization: 'Bearer a' }
  const request = new Request('http://localhost/?access_token=a', { headers })
  expect(readCredentials(bearer(), request, {})).toBe('malformed')
})
