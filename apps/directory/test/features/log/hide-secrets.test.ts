import { expect, it } from 'vitest'
import { hideSecrets } from '../../../src/kernel/hide-secrets.ts'

const KEY = 'MfKQ9r8GKY/qrTwj+UPD8ILPZIo2LaLaSw=='
const SECRET = `whsec_${KEY}`
const JWT = `${Buffer.from('{"alg":"ES256"}').toString('base64url')}.eyJqdGkiOiJhY21lLjEifQ.c2lnbmF0dXJl`

it.each([
  ['a header', `Authorization: Bearer ${SECRET}`],
  ['JSON', JSON.stringify({ headers: { authorization: `Bearer ${SECRET}` } })],
  ['JSON with escaped slashes', `"Bearer ${SECRET.replaceAll('/', '\\/')}"`],
  ['JSON with escaped signs', `"Bearer ${SECRET.replaceAll('+', '\\u002B')}"`],
  ['a query', `?token=${encodeURIComponent(SECRET)}`],
  ['a form', new URLSearchParams({ authorization: `Bearer ${SECRET}` }).toString()],
  [
    'HTML',
    `<td>${SECRET.replaceAll('/', '&#x2F;').replaceAll('+', '&#43;').replaceAll('=', '&#61;')}</td>`,
  ],
  ['a decoded secret', `key=${KEY}`],
  ['a decoded secret in a query', `key=${encodeURIComponent(KEY)}`],
])('a secret is replaced in %s', (_, answer) => {
  const hidden = hideSecrets(answer, [SECRET, null])
  expect(hidden).toContain('***')
  for (const part of [KEY.slice(0, 8), KEY.slice(-10, -2), 'qrTwj']) {
    expect(hidden).not.toContain(part)
  }
})

it.each(Array.from({ length: KEY.length - 8 }, (_, at) => at + 8))(
  'a secret cut after %d characters is replaced',
  (length) => {
    const cut = KEY.slice(0, length)
    for (const answer of [`key: ${cut}`, `key: whsec_${cut}`, `Bearer whsec_${cut}`]) {
      expect(hideSecrets(answer, [SECRET])).toMatch(/\*\*\*$/)
    }
  },
)

it.each([
  ['a token', `got ${JWT}`, 'got ***'],
  ['the start of a token', `got ${JWT.slice(0, 30)}`, 'got ***'],
  [
    'a signature',
    'webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    'webhook-signature: ***',
  ],
  ['a signature in a URL', 'signature%3A%20v1%2CK5oZfzN95Z9UVu1Es%2FQmf%3D', 'signature%3A%20***'],
  ['a signature that is encoded twice', 'a%253Av1%252CK5oZfzN95Z9UVu1Es%252FQ', 'a%253A***'],
  ['a signature in HTML', 'signature&#x3a; v1&#x2c;K5oZfzN95Z9UVu1Es&#x3d;', 'signature&#x3a; ***'],
  ['a signature in JSON', '"v1\\u002cK5oZfzN95Z9UVu1EsfQm"', '"***"'],
  ['a token in a URL', `body%3D${JWT}`, 'body%3D***'],
  [
    'the credentials of a gateway',
    'authorization: Basic dXNlcjpwYXNzd29yZA==',
    'authorization: Basic ***',
  ],
  ['a secret of another webhook', `old whsec_${KEY}`, 'old ***'],
])('%s is replaced', (_, answer, hidden) => {
  expect(hideSecrets(answer, [])).toBe(hidden)
})

it.each([
  'thanks',
  '{"err":"invalid_key","description":"Expected https://app.example.com"}',
  '',
  'Bearer of news',
  'v1,ok',
])('an ordinary answer stays as it is: %s', (answer) => {
  expect(hideSecrets(answer, [SECRET])).toBe(answer)
})
