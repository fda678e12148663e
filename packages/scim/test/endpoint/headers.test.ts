import { describe, expect, it } from 'vitest'
import { ERROR_SCHEMA } from '../../src/lib/constants.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import { type ServeOptions, serve, USER_DEFINITIONS } from './serve.ts'

const headers = (request: Request) => ({ 'X-Request-Id': request.headers.get('X-Id') ?? 'new' })

it.each([
  ['GET', '/Users', 200],
  ['HEAD', '/Users', 200],
  ['GET', '/Users/missing', 404],
  ['HEAD', '/Users/missing', 404],
  ['GET', '/Nothing', 404],
  ['PUT', '/Users', 405],
])('headers from the application are part of the answer to %s %s', async (method, path, status) => {
  const { send } = serve({ headers })
  const response = await send(method, path, undefined, { 'X-Id': 'a1' })
  expect(response.status).toBe(status)
  expect(response.headers.get('X-Request-Id')).toBe('a1')
})

it("headers from the application do not replace the endpoint's own", async () => {
  const { send } = serve({ headers: () => ({ 'Cache-Control': 'public', ETag: 'W/"other"' }) })
  const created = await send('POST', '/Users', { userName: 'a' })
  expect(created.headers.get('Cache-Control')).toBe('no-store')
  expect(created.headers.get('ETag')).not.toBe('W/"other"')
})

it('an error in headers is a 500 without them, and reaches onError', async () => {
  const errors: unknown[] = []
  const { send } = serve({
    headers: () => {
      throw new RangeError('no id')
    },
    onError: (error) => errors.push(error),
  })
  const response = await send('GET', '/Users')
  expect(response.status).toBe(500)
  expect(response.headers.get('X-Request-Id')).toBeNull()
  expect(errors).toEqual([new RangeError('no id')])
})

describe('invalid HTTP headers', () => {
  it.each<[string, unknown]>([
    ['a line break', { 'X-A': 'a\r\nSet-Cookie: b=c' }],
    ['a line feed', { 'X-A': 'a\nb' }],
    ['U+0000', { 'X-A': 'a\0b' }],
    ['a control character', { 'X-A': 'a\x1bb' }],
    ['a character outside Latin-1', { 'X-A': '☃' }],
    ['a name with a space', { 'X A': 'a' }],
    ['a name with a colon', { 'X:A': 'a' }],
    ['an empty name', { '': 'a' }],
    ['a value that is not a string', { 'X-A': undefined }],
    ['a list as the value', { 'X-A': ['a'] }],
    ['null instead of headers', null],
    ['undefined instead of headers', undefined],
    ['a list instead of headers', [['X-A', 'a']]],
    ['a promise that is not awaited', Promise.resolve({ 'X-A': 'a' })],
    ['an instance of Headers', new Headers({ 'X-A': 'a' })],
  ])(
    'invalid headers are a 500 without them, for each request, and nothing is written: %s',
    async (_, headers) => {
      const errors: unknown[] = []
      const users = memoryStore({ definitions: USER_DEFINITIONS })
      // A program in JavaScript may return any value.
      const untyped = { headers: () => headers } as unknown as ServeOptions
      const { send } = serve({ users, ...untyped, onError: (error) => errors.push(error) })
      for (const [method, path, body] of [
        ['POST', '/Users', { userName: 'a' }],
        ['GET', '/Users/missing', undefined],
        ['GET', '/Nothing', undefined],
        ['HEAD', '/Users', undefined],
        ['PUT', '/Users', {}],
      ] as const) {
        const response = await send(method, path, body)
        expect(response.status).toBe(500)
        expect([...response.headers.keys()].filter((name) => name.startsWith('x-a'))).toEqual([])
        if (method === 'HEAD') continue
        expect(response.body).toMatchObject({ schemas: [ERROR_SCHEMA], status: '500' })
      }
      expect(errors).toHaveLength(5)
      expect(String(errors[0])).toMatch(/^TypeError: headers must /)
      expect((await serve({ users }).send('GET', '/Users')).body.totalResults).toBe(0)
    },
  )

  it('invalid headers fail only the requests they belong to', async () => {
    const { send } = serve({
      headers: ({ url }) => ({ 'X-Path': decodeURIComponent(new URL(url).pathname) }),
    })
    expect((await send('GET', '/Users/a%0Ab')).status).toBe(500)
    expect((await send('GET', '/Users')).headers.get('X-Path')).toBe('/scim/v2/Users')
  })
})

it.each(['Bearer\r\nX: 1', 'Bearer realm="☃"', '', ' ', 5, null])(
  'an invalid challenge is a TypeError when the endpoint is created: %j',
  (challenge) => {
    const untyped = { challenge } as unknown as ServeOptions
    expect(() => serve(untyped)).toThrow(/^challenge must be the value of a header/)
  },
)
