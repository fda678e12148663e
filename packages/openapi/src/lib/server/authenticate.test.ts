import { describe, expect, it } from 'vitest'
import type { SecurityRequirement } from '../openapi.ts'
import { apiKey, basic, bearer } from '../spec/security.ts'
import { type Authentication, prepareAuthentication } from './authenticate.ts'
import { FORBIDDEN, forbidden } from './forbidden.ts'

const schemes = {
  token: bearer(),
  key: apiKey({ in: 'header', name: 'X-Key' }),
  login: basic(),
  certificate: { type: 'mutualTLS' },
} as const

const token = { Authorization: 'Bearer good' }
const key = { 'X-Key': 'k' }

/** Authenticates a request with these headers. Each verifier records its calls. */
async function check(
  requirements: readonly SecurityRequirement[],
  headers: Readonly<Record<string, string>>,
  { realm }: { readonly realm?: string } = {},
): Promise<Authentication & { readonly calls: readonly string[] }> {
  const calls: string[] = []
  const verifiers = {
    token: async ({ token, scopes }: { token: string; scopes: readonly string[] }) => {
      calls.push(`token ${token} ${scopes.join(' ')}`.trim())
      if (token !== 'good') return null
      return scopes.includes('admin') ? FORBIDDEN : { name: 'token' }
    },
    key: ({ key }: { key: string }) => {
      calls.push(`key ${key}`)
      if (key === 'weak') return FORBIDDEN
      if (key === 'old') return forbidden('the key is too old')
      return key === 'k' ? 'client' : undefined
    },
    login: () => false,
    certificate: () => ({ name: 'certificate' }),
  }
  const request = new Request('http://localhost/', { headers })
  const authenticate = prepareAuthentication(requirements, { schemes, verifiers, realm })
  const result = await authenticate(request)
  return { ...result, calls }
}

describe('a security requirement (OpenAPI 3.1.1 §4.8.30)', () => {
  it('is not checked if the list is empty', async () => {
    expect(await check([], token)).toEqual({ principal: null, calls: [] })
  })

  it('of one scheme has the principal of its verifier', async () => {
    expect(await check([{ token: [] }], token)).toMatchObject({ principal: { name: 'token' } })
  })

  it('of several schemes needs all of them, and has an object of their principals', async () => {
    const both = [{ token: [], key: [] }]
    const principal = { token: { name: 'token' }, key: 'client' }
    expect(await check(both, { ...token, ...key })).toMatchObject({ principal })
    expect(await check(both, token)).toMatchObject({ rejection: { reason: 'unauthorized' } })
    expect(await check(both, key)).toMatchObject({ rejection: { reason: 'unauthorized' } })
  })

  it('is one of several alternatives, tried in order', async () => {
    const either = [{ token: [] }, { key: [] }]
    expect(await check(either, { ...token, ...key })).toMatchObject({
      principal: { name: 'token' },
      calls: ['token good'],
    })
    expect(await check(either, { Authorization: 'Bearer bad', ...key })).toMatchObject({
      principal: 'client',
      calls: ['token bad', 'key k'],
    })
  })

  it('that is empty allows requests without valid credentials, and is tried last', async () => {
    const optional = [{}, { token: [] }]
    expect(await check(optional, {})).toMatchObject({ principal: null })
    expect(await check(optional, token)).toMatchObject({ principal: { name: 'token' } })
    expect(await check(optional, { Authorization: 'Bearer bad' })).toMatchObject({
      principal: null,
    })
  })

  it('runs each verifier once for a request, or once for each list of scopes', async () => {
    const requirements = [{ token: [], login: [] }, { token: [], key: [] }, { token: ['read'] }]
    const { calls } = await check(requirements, token)
    expect(calls).toEqual(['token good', 'token good read'])
  })

  it('does not call a verifier without credentials of its scheme', async () => {
    const { calls } = await check([{ token: [] }, { key: [] }], { Authorization: 'Basic YTpi' })
    expect(calls).toEqual([])
  })

  it('does not call a verifier with credentials that are malformed (RFC 6750 §2.1)', async () => {
    const { calls } = await check([{ token: [] }], { Authorization: 'Bearer x, Bearer y' })
    expect(calls).toEqual([])
  })

  it('rejects a verifier that returns undefined or false', async () => {
    const unauthorized = { rejection: { reason: 'unauthorized' } }
    expect(await check([{ key: [] }], { 'X-Key': 'other' })).toMatchObject(unauthorized)
    expect(await check([{ login: [] }], { Authorization: 'Basic YTpi' })).toMatchObject(
      unauthorized,
    )
  })
})

describe('a rejection', () => {
  it.each<
    [string, readonly SecurityRequirement[], Readonly<Record<string, string>>, readonly string[]]
  >([
    ['of a request without a token', [{ token: [] }], {}, ['Bearer']],
    [
      'of an unknown token',
      [{ token: [] }],
      { Authorization: 'Bearer x' },
      ['Bearer error="invalid_token"'],
    ],
    [
      'of two tokens',
      [{ token: [] }],
      { Authorization: 'Bearer x, Bearer y' },
      ['Bearer error="invalid_token"'],
    ],
    ['of a request without a key', [{ key: [] }], {}, ['ApiKey in="header", name="X-Key"']],
    [
      'of a request without a password',
      [{ login: [] }],
      {},
      ['Basic realm="api", charset="UTF-8"'],
    ],
    [
      'of alternatives, each challenge once',
      [{ token: [] }, { token: ['read'] }, { token: [], key: [] }],
      {},
      ['Bearer', 'ApiKey in="header", name="X-Key"'],
    ],
  ])(
    '%s has the challenges of the schemes (RFC 6750 §3)',
    async (_, requirements, headers, challenges) => {
      expect(await check(requirements, headers)).toMatchObject({
        rejection: { reason: 'unauthorized', challenges },
      })
    },
  )

  it('for valid credentials that do not permit the operation is forbidden (RFC 6750 §3.1)', async () => {
    expect(await check([{ token: ['admin', 'x'] }], token)).toMatchObject({
      rejection: {
        reason: 'forbidden',
        challenges: ['Bearer error="insufficient_scope", scope="admin x"'],
      },
    })
  })

  it('does not have the challenges of schemes that new credentials do not help', async () => {
    expect(await check([{ key: [] }], { 'X-Key': 'weak' })).toMatchObject({
      rejection: { reason: 'forbidden', challenges: [] },
    })
  })

  it('has the detail that the verifier has named', async () => {
    const requirement = [{ token: ['admin'], key: [] }]
    expect(await check(requirement, { ...token, 'X-Key': 'old' })).toMatchObject({
      rejection: { reason: 'forbidden', detail: 'the key is too old' },
    })
    expect((await check(requirement, { ...token, ...key })).rejection?.detail).toBeUndefined()
  })

  it('is forbidden only if the credentials of all schemes of an alternative are valid', async () => {
    const both = [{ token: ['admin'], key: [] }]
    expect(await check(both, token)).toMatchObject({ rejection: { reason: 'unauthorized' } })
    expect(await check(both, { ...token, ...key })).toMatchObject({
      rejection: {
        reason: 'forbidden',
        challenges: ['Bearer error="insufficient_scope", scope="admin"'],
      },
    })
  })

  it('has the realm, as a quoted string (RFC 9110 §5.6.4)', async () => {
    const realm = 'a "b" \\ c'
    expect(await check([{ token: [] }, { login: [] }], {}, { realm })).toMatchObject({
      rejection: {
        challenges: [
          'Bearer realm="a \\"b\\" \\\\ c"',
          'Basic realm="a \\"b\\" \\\\ c", charset="UTF-8"',
        ],
      },
    })
  })
})

it('a client certificate is checked without a header', async () => {
  const { principal } = await check([{ certificate: [] }], {})
  expect(principal).toEqual({ name: 'certificate' })
})

it('a requirement of a scheme without a verifier throws', () => {
  const options = { schemes, verifiers: {}, realm: undefined }
  expect(() => prepareAuthentication([{ token: [] }], options)).toThrow(
    'scheme token is not defined',
  )
})

it.each(['constructor', '__proto__', 'toString'])(
  'a requirement of the scheme %s, which is not defined, throws',
  async (name) => {
    await expect(check([{ [name]: [] }], token)).rejects.toThrow(`scheme ${name} is not defined`)
  },
)
