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
  it('an empty list is not checked', async () => {
    expect(await check([], token)).toEqual({ principal: null, calls: [] })
  })

  it("a requirement with one scheme has the verifier's principal", async () => {
    expect(await check([{ token: [] }], token)).toMatchObject({ principal: { name: 'token' } })
  })

  it('a requirement with several schemes needs all, and has an object with their principals', async () => {
    const both = [{ token: [], key: [] }]
    const principal = { token: { name: 'token' }, key: 'client' }
    expect(await check(both, { ...token, ...key })).toMatchObject({ principal })
    expect(await check(both, token)).toMatchObject({ rejection: { reason: 'unauthorized' } })
    expect(await check(both, key)).toMatchObject({ rejection: { reason: 'unauthorized' } })
  })

  it('alternatives are tried in order', async () => {
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

  it('an empty requirement allows requests without valid credentials, and is tried last', async () => {
    const optional = [{}, { token: [] }]
    expect(await check(optional, {})).toMatchObject({ principal: null })
    expect(await check(optional, token)).toMatchObject({ principal: { name: 'token' } })
    expect(await check(optional, { Authorization: 'Bearer bad' })).toMatchObject({
      principal: null,
    })
  })

  it('each verifier runs once per request, or once per scope list', async () => {
    const requirements = [{ token: [], login: [] }, { token: [], key: [] }, { token: ['read'] }]
    const { calls } = await check(requirements, token)
    expect(calls).toEqual(['token good', 'token good read'])
  })

  it('a verifier is not called without credentials for the scheme', async () => {
    const { calls } = await check([{ token: [] }, { key: [] }], { Authorization: 'Basic YTpi' })
    expect(calls).toEqual([])
  })

  it('a verifier is not called with malformed credentials (RFC 6750 §2.1)', async () => {
    const { calls } = await check([{ token: [] }], { Authorization: 'Bearer x, Bearer y' })
    expect(calls).toEqual([])
  })

  it('a request is rejected if the verifier returns undefined or false', async () => {
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
    ['a request without a token', [{ token: [] }], {}, ['Bearer']],
    [
      'an unknown token',
      [{ token: [] }],
      { Authorization: 'Bearer x' },
      ['Bearer error="invalid_token"'],
    ],
    [
      'two tokens',
      [{ token: [] }],
      { Authorization: 'Bearer x, Bearer y' },
      ['Bearer error="invalid_token"'],
    ],
    ['a request without a key', [{ key: [] }], {}, ['ApiKey in="header", name="X-Key"']],
    ['a request without a password', [{ login: [] }], {}, ['Basic realm="api", charset="UTF-8"']],
    [
      'alternatives, each challenge once',
      [{ token: [] }, { token: ['read'] }, { token: [], key: [] }],
      {},
      ['Bearer', 'ApiKey in="header", name="X-Key"'],
    ],
  ])(
    "a rejection has the schemes' challenges (RFC 6750 §3): %s",
    async (_, requirements, headers, challenges) => {
      expect(await check(requirements, headers)).toMatchObject({
        rejection: { reason: 'unauthorized', challenges },
      })
    },
  )

  it('valid credentials are forbidden if they do not permit the operation (RFC 6750 §3.1)', async () => {
    expect(await check([{ token: ['admin', 'x'] }], token)).toMatchObject({
      rejection: {
        reason: 'forbidden',
        challenges: ['Bearer error="insufficient_scope", scope="admin x"'],
      },
    })
  })

  it('a scheme sends no challenge if new credentials do not help', async () => {
    expect(await check([{ key: [] }], { 'X-Key': 'weak' })).toMatchObject({
      rejection: { reason: 'forbidden', challenges: [] },
    })
  })

  it("the rejection has the verifier's detail", async () => {
    const requirement = [{ token: ['admin'], key: [] }]
    expect(await check(requirement, { ...token, 'X-Key': 'old' })).toMatchObject({
      rejection: { reason: 'forbidden', detail: 'the key is too old' },
    })
    expect((await check(requirement, { ...token, ...key })).rejection?.detail).toBeUndefined()
  })

  it('a request is forbidden only if the credentials for all schemes in an alternative are valid', async () => {
    const both = [{ token: ['admin'], key: [] }]
    expect(await check(both, token)).toMatchObject({ rejection: { reason: 'unauthorized' } })
    expect(await check(both, { ...token, ...key })).toMatchObject({
      rejection: {
        reason: 'forbidden',
        challenges: ['Bearer error="insufficient_scope", scope="admin"'],
      },
    })
  })

  it('the challenge has the realm as a quoted string (RFC 9110 §5.6.4)', async () => {
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

describe('scopes', () => {
  /** Authenticates a request with a token and a key. Their verifiers return these principals. */
  const authenticate = async (
    requirements: readonly SecurityRequirement[],
    principals: { readonly token: unknown; readonly key?: unknown },
  ) => {
    const calls: string[] = []
    const verifiers = {
      token: async ({ scopes }: { scopes: readonly string[] }) => {
        calls.push(`token ${scopes.join(' ')}`)
        return principals.token
      },
      key: () => principals.key,
    }
    const request = new Request('http://localhost/', { headers: { ...token, ...key } })
    const check = prepareAuthentication(requirements, { schemes, verifiers, realm: undefined })
    return { ...(await check(request)), calls }
  }

  it("required scopes are compared with the principal's scopes", async () => {
    const principal = { scopes: ['read', 'write'] }
    expect(await authenticate([{ token: ['write', 'read'] }], { token: principal })).toMatchObject({
      principal,
    })
  })

  it.each<[string, readonly string[], readonly string[], string]>([
    ['one is missing', ['read'], ['read', 'write'], 'scope write.'],
    ['all are missing', [], ['read', 'write'], 'scopes read, write.'],
    ['a scope only starts alike', ['read:all', 'READ'], ['read'], 'scope read.'],
  ])(
    'the request is forbidden if %s, and the detail names the scopes',
    async (_, scopes, wanted, named) => {
      expect(await authenticate([{ token: wanted }], { token: { scopes } })).toMatchObject({
        rejection: {
          reason: 'forbidden',
          challenges: [`Bearer error="insufficient_scope", scope="${wanted.join(' ')}"`],
          detail: `The credentials do not have the ${named}`,
        },
      })
    },
  )

  it('scopes are compared for each scheme in a requirement', async () => {
    const both = [{ token: ['read'], key: ['admin'] }]
    const principals = { token: { scopes: ['read'] }, key: { scopes: ['admin'] } }
    expect(await authenticate(both, principals)).toMatchObject({ principal: principals })
    // The scopes of one scheme are not those of the other.
    const swapped = { token: principals.key, key: principals.token }
    expect(await authenticate(both, swapped)).toMatchObject({
      rejection: {
        reason: 'forbidden',
        challenges: ['Bearer error="insufficient_scope", scope="read"'],
        detail:
          'The credentials do not have the scope read. The credentials do not have the scope admin.',
      },
    })
  })

  it('the first alternative whose scopes suffice is chosen', async () => {
    const either = [{ token: ['admin'] }, { token: ['read'] }, { key: [] }]
    const read = { scopes: ['read'] }
    const { principal, calls } = await authenticate(either, { token: read, key: 'client' })
    expect(principal).toBe(read)
    expect(calls).toEqual(['token admin', 'token read'])
    const none = { scopes: [] }
    expect(await authenticate(either, { token: none, key: 'client' })).toMatchObject({
      principal: 'client',
    })
    expect(await authenticate(either, { token: none })).toMatchObject({
      rejection: { reason: 'forbidden', detail: 'The credentials do not have the scope admin.' },
    })
  })

  it('missing scopes do not matter next to an empty requirement', async () => {
    const optional = [{}, { token: ['read'] }]
    expect(await authenticate(optional, { token: { scopes: [] } })).toMatchObject({
      principal: null,
    })
  })

  it.each<[string, unknown]>([
    ['an object without scopes', { name: 'Anne' }],
    ['text', 'Anne'],
    ['a number', 1],
    ['true', true],
  ])('scopes are left to the verifier if the principal is %s', async (_, principal) => {
    expect(await authenticate([{ token: ['read'] }], { token: principal })).toMatchObject({
      principal,
    })
  })

  it.each<[string, unknown]>([
    ['text', 'read write'],
    ['a set', new Set(['read'])],
    ['undefined', undefined],
    ['null', null],
    ['a record', { read: true }],
    ['a list of objects', [{ name: 'read' }]],
  ])('principal scopes throw a TypeError if they are %s', async (_, scopes) => {
    const either = [{ token: ['read'] }, { key: [] }]
    await expect(authenticate(either, { token: { scopes }, key: 'client' })).rejects.toThrow(
      new TypeError('the verifier token returned scopes that are not an array of strings'),
    )
  })

  it('scopes are read from a class instance', async () => {
    class Token {
      get scopes() {
        return ['read']
      }
    }
    const principal = new Token()
    expect(await authenticate([{ token: ['read'] }], { token: principal })).toMatchObject({
      principal,
    })
    expect(await authenticate([{ token: ['write'] }], { token: principal })).toMatchObject({
      rejection: { reason: 'forbidden' },
    })
  })

  it('scopes are read from a function', async () => {
    const token = Object.assign(() => 'Anne', { scopes: ['write'] })
    expect(await authenticate([{ token: ['read'] }], { token })).toMatchObject({
      rejection: { reason: 'forbidden' },
    })
  })

  it('scopes do not matter if the operation requires none', async () => {
    const principal = { scopes: 'any' }
    expect(await authenticate([{ token: [] }], { token: principal })).toMatchObject({ principal })
  })
})

it('a rejection without a reason forbids the request', async () => {
  const verifiers = { key: () => forbidden(undefined as never) }
  const request = new Request('http://localhost/', { headers: key })
  const authenticate = prepareAuthentication([{ key: [] }], {
    schemes,
    verifiers,
    realm: undefined,
  })
  expect((await authenticate(request)).rejection?.reason).toBe('forbidden')
})

it('a client certificate is checked without a header', async () => {
  const { principal } = await check([{ certificate: [] }], {})
  expect(principal).toEqual({ name: 'certificate' })
})

it('a requirement for a scheme without a verifier throws', () => {
  const options = { schemes, verifiers: {}, realm: undefined }
  expect(() => prepareAuthentication([{ token: [] }], options)).toThrow(
    'scheme token is not defined',
  )
})

it.each(['constructor', '__proto__', 'toString'])(
  'a requirement for the undefined scheme %s throws',
  async (name) => {
    await expect(check([{ [name]: [] }], token)).rejects.toThrow(`scheme ${name} is not defined`)
  },
)
