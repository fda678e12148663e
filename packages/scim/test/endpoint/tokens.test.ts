import { describe, expect, it, vi } from 'vitest'
import {
  bearerTokens,
  type IssueTokenOptions,
  issueToken,
  type OneToken,
  type StoredTokens,
} from '../../src/lib/endpoint/options/tokens.ts'
import { ScimError } from '../../src/lib/error.ts'
import { serve } from './serve.ts'

/** Finds a client as a program in JavaScript may, whose callback can return any value. */
type Find = StoredTokens<{ token: string }>['find']

function requestWith(authorization: string): Request {
  return new Request('https://example.com/Users', { headers: { Authorization: authorization } })
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

describe('issueToken', () => {
  it('issueToken returns a new token with 256 random bits, and the SHA-256', async () => {
    const { token, hash } = await issueToken({ prefix: 'acme_scim_' })
    expect(token).toMatch(/^acme_scim_[0-9a-f]{64}$/)
    expect(hash).toBe(await sha256(token))
    expect((await issueToken({ prefix: 'acme_scim_' })).token).not.toBe(token)
  })

  it.each([[undefined], [{}], [{ prefix: undefined }]])(
    'issueToken starts tokens with scim_ by default: %j',
    async (options) => {
      expect((await issueToken(options)).token).toMatch(/^scim_[0-9a-f]{64}$/)
    },
  )

  it.each(['a b', 'acme-', 'é', 'a\n', 'a'.repeat(101), null, 5])(
    'issueToken rejects a prefix that is not a short word: %j',
    async (prefix) => {
      await expect(issueToken({ prefix } as IssueTokenOptions)).rejects.toThrow(
        /^issueToken: prefix must be /,
      )
    },
  )
})

describe('bearerTokens reads one token from the header (RFC 6750 §2.1)', async () => {
  const { token, hash } = await issueToken()
  const context = { tenant: 'a' }
  const stored = bearerTokens({ find: (found) => (found === hash ? context : null) })
  const single = bearerTokens({ token, context })

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer  '])(
    'bearerTokens accepts the scheme in any letter case: %s',
    async (scheme) => {
      const request = requestWith(`${scheme} ${token}`)
      expect(await stored(request)).toBe(context)
      expect(await single(request)).toBe(context)
    },
  )

  it.each([
    ['the token in another letter case', `Bearer ${token.toUpperCase()}`],
    ['half a token', `Bearer ${token.slice(0, -1)}`],
    ['a longer token', `Bearer ${token}0`],
    ['the hash', `Bearer ${hash}`],
    ['the text undefined', 'Bearer undefined'],
    ['the text null', 'Bearer null'],
    ['an empty header', ''],
    ['no token', 'Bearer'],
    ['a blank in place of a token', 'Bearer '],
    ['no scheme', token],
    ['another scheme', `Basic ${token}`],
    ['a scheme that ends like Bearer', `XBearer ${token}`],
    ['a colon after the scheme', `Bearer: ${token}`],
    ['a tab after the scheme', `Bearer\t${token}`],
    ['the scheme twice', `Bearer Bearer ${token}`],
    ['two tokens', `Bearer ${token} ${token}`],
    ['two headers joined by a comma', `Bearer ${token}, Bearer ${token}`],
    ['two tokens joined by a comma', `Bearer ${token},${token}`],
    ['a quoted token', `Bearer "${token}"`],
    ['a token with a Latin-1 character', `Bearer ${token}é`],
    ['a header of 1 MB', `Bearer ${'a'.repeat(2 ** 20)}`],
    ['1 MB of blanks', `Bearer ${' '.repeat(2 ** 20)}x,`],
  ])('bearerTokens rejects %s', async (_, authorization) => {
    expect(await stored(requestWith(authorization))).toBeNull()
    expect(await single(requestWith(authorization))).toBeNull()
  })

  it('bearerTokens rejects a request without the header', async () => {
    expect(await stored(new Request('https://example.com/Users'))).toBeNull()
    expect(await single(new Request('https://example.com/Users'))).toBeNull()
  })

  it('bearerTokens rejects two headers joined by a server', async () => {
    const headers = new Headers()
    for (const _ of [1, 2]) headers.append('Authorization', `Bearer ${token}`)
    expect(await stored(new Request('https://example.com/Users', { headers }))).toBeNull()
  })

  it.each(['a', '-._~+/', 'dG9rZW4=', 'dG9rZQ==', 'a'.repeat(1000)])(
    'bearerTokens looks up every token in the grammar: %s',
    async (text) => {
      const find = vi.fn(() => context)
      expect(await bearerTokens({ find })(requestWith(`Bearer ${text}`))).toBe(context)
      expect(find).toHaveBeenCalledExactlyOnceWith(await sha256(text), expect.any(Request))
    },
  )

  it.each(['=', 'a=b', 'a===', 'a'.repeat(1001)])(
    'bearerTokens looks up nothing but tokens: %s',
    async (text) => {
      const find = vi.fn(() => context)
      expect(await bearerTokens({ find })(requestWith(`Bearer ${text}`))).toBeNull()
      expect(find).not.toHaveBeenCalled()
    },
  )

  it('find gets the request, for example to read the tenant from the path', async () => {
    const find: StoredTokens<{ path: string }>['find'] = (_, { url }) => ({
      path: new URL(url).pathname,
    })
    const authenticate = bearerTokens({ find })
    expect(await authenticate(requestWith(`Bearer ${token}`))).toEqual({ path: '/Users' })
  })
})

describe('an endpoint answers based on what find returns', () => {
  async function statusOf(find: () => unknown) {
    const errors: unknown[] = []
    const { send } = serve({
      authenticate: bearerTokens({ find: find as Find }),
      onError: (error) => void errors.push(error),
    })
    const { status } = await send('GET', '/Users')
    return { status, errors: errors.map(String) }
  }

  it.each([null, undefined, false, 0, ''])('find returning %j is 401', async (returned) => {
    expect(await statusOf(() => returned)).toEqual({ status: 401, errors: [] })
    expect(await statusOf(async () => returned)).toEqual({ status: 401, errors: [] })
  })

  it.each([true, 'acme', [[]], new Error('x')])(
    'find returning %o is 500 and reported',
    async (returned) => {
      const { status, errors } = await statusOf(async () => returned)
      expect(status).toBe(500)
      expect(errors).toEqual([
        expect.stringMatching(/^TypeError: authenticate must return an object/),
      ])
    },
  )

  it('an error in find is 500 and reported, not 401', async () => {
    const fail = () => {
      throw new Error('the database is down')
    }
    const failed = { status: 500, errors: ['Error: the database is down'] }
    expect(await statusOf(fail)).toEqual(failed)
    expect(await statusOf(async () => fail())).toEqual(failed)
  })

  it('a ScimError in find sets the status', async () => {
    const reject = () => {
      throw new ScimError(403, 'the tenant is disabled')
    }
    expect(await statusOf(reject)).toEqual({ status: 403, errors: [] })
  })
})

describe('invalid options of bearerTokens', () => {
  it.each<[unknown, string]>([
    [undefined, 'not undefined'],
    [null, 'not null'],
    ['', 'not a string of 0'],
    ['undefined', 'not a string of 9'],
    ['secret', 'not a string of 6'],
    ['a'.repeat(19), 'not a string of 19'],
    [`${'a'.repeat(64)}\n`, 'not a string of 65'],
    [`Bearer ${'a'.repeat(64)}`, 'not a string of 71'],
    ['a'.repeat(1001), 'not a string of 1001'],
    [['a'.repeat(64)], 'not a list'],
  ])('bearerTokens throws for the token %j', (token, message) => {
    const create = () => bearerTokens({ token, context: {} } as OneToken<object>)
    expect(create).toThrow(TypeError)
    expect(create).toThrow(/^token must be 20 to 1000 letters, digits or /)
    expect(create).toThrow(message)
  })

  it('the error from bearerTokens does not contain the token', () => {
    const token = 'a secret of 20 characters'
    const error = expect.objectContaining({ message: expect.not.stringContaining(token) })
    expect(() => bearerTokens({ token, context: {} })).toThrow(error)
  })

  it.each<[string, unknown]>([
    ['the options of bearerTokens must be an object, not undefined', undefined],
    ['the options of bearerTokens must be an object, not a function', () => null],
    ['the options of bearerTokens must be an object, not a string', 'a secret'],
    ['token must be ', {}],
    ['find must be a function, not undefined', { find: undefined }],
    ['bearerTokens: hashs is unknown: expected one of ', { find: () => null, hashs: 1 }],
    ['find must be a function, not an object', { find: {} }],
    ['context must be an object, not undefined', { token: 'a'.repeat(20) }],
    ['context must be an object, not a boolean', { token: 'a'.repeat(20), context: true }],
    ['needs token or find, not both', { token: 'a'.repeat(20), context: {}, find: () => null }],
  ])('bearerTokens throws a TypeError: %s', (message, options) => {
    const create = () => bearerTokens(options as OneToken<object>)
    expect(create).toThrow(TypeError)
    expect(create).toThrow(message)
  })
})
