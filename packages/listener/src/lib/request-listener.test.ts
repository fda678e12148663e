import type { Served } from '@plumbline/base'
import { createDocument, defineOperation } from '@plumbline/openapi'
import { bearer } from '@plumbline/openapi/security'
import { implement, type ServerOptions } from '@plumbline/openapi/server'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { listen, requestText } from './listening.cases.ts'
import { createRequestListener } from './request-listener.ts'

const Book = z.object({ title: z.string().min(1) })
const answer = { 200: { description: 'It', body: z.looseObject({}) } }
const info = { title: 'Books', version: '1' }
const builder = createDocument({ info, securitySchemes: { token: bearer() }, defaults: {} }).add(
  defineOperation('list', 'GET /books', {
    summary: 'List',
    query: z.object({ limit: z.int().default(20) }),
    responses: answer,
  }),
  defineOperation('read', 'GET /books/:id', { summary: 'Read', responses: answer }),
  defineOperation('replace', 'PUT /books/:id', {
    summary: 'Replace',
    body: { 'application/json': Book, 'application/x-www-form-urlencoded': Book },
    security: [{ token: [] }],
    bodyLimit: 100_000,
    responses: {
      200: {
        description: 'It',
        body: Book,
        headers: { Location: { schema: z.string(), required: true } },
      },
    },
  }),
  defineOperation('remove', 'DELETE /books/:id', {
    summary: 'Remove',
    responses: { 204: { description: 'Gone' } },
  }),
  defineOperation('cover', 'GET /cover', {
    summary: 'Cover',
    responses: { 200: { description: 'It', body: { 'image/png': z.file() } } },
  }),
)

const serve = (options: ServerOptions = {}) =>
  implement(builder, {
    security: { token: ({ token }) => (token === 'secret' ? { name: 'owner' } : null) },
    handlers: {
      list: ({ query, reply }) => reply(200, { limit: query.limit }),
      read: async ({ params, reply }) => reply(200, { id: params.id }),
      replace: ({ body, reply }) => reply(200, body, { headers: { Location: '/books/b1' } }),
      remove: ({ reply }) => reply(204),
      cover: ({ reply }) => reply(200, new Blob(['png'], { type: 'image/png' })),
    },
    ...options,
  })

const Authorization = 'Bearer secret'
const json = { 'Content-Type': 'application/json', Authorization }
const form = { 'Content-Type': 'application/x-www-form-urlencoded', Authorization }

type Sent = readonly [name: string, path: string, init: RequestInit]

const REQUESTS: readonly Sent[] = [
  ['a query', '/books?limit=5', {}],
  ['a query that is not valid', '/books?limit=x', {}],
  ['a path with encoded characters', '/books/a%2Fb', {}],
  ['HEAD', '/books/b1', { method: 'HEAD' }],
  ['OPTIONS', '/books/b1', { method: 'OPTIONS' }],
  ['a method that the path does not have', '/books', { method: 'PATCH' }],
  ['a path that does not exist', '/nothing', {}],
  ['an answer without content', '/books/b1', { method: 'DELETE' }],
  ['an answer of bytes', '/cover', {}],
  ['a JSON body', '/books/b1', { method: 'PUT', headers: json, body: '{"title":"Emma"}' }],
  ['a body of 50 KB', '/books/b1', { method: 'PUT', headers: json, body: longTitle(50_000) }],
  [
    'a body over the limit',
    '/books/b1',
    { method: 'PUT', headers: json, body: longTitle(100_000) },
  ],
  ['a form', '/books/b1', { method: 'PUT', headers: form, body: 'title=Em%20ma' }],
  ['a body that is not valid', '/books/b1', { method: 'PUT', headers: json, body: '{"title":""}' }],
  ['a body that is not JSON', '/books/b1', { method: 'PUT', headers: json, body: '{' }],
  ['an empty body', '/books/b1', { method: 'PUT', headers: json, body: '' }],
  ['no body', '/books/b1', { method: 'PUT', headers: { Authorization } }],
  ['no credentials', '/books/b1', { method: 'PUT', body: '{}' }],
]

function longTitle(length: number): string {
  return JSON.stringify({ title: 'ä'.repeat(length / 2) })
}

describe('a request over HTTP is answered as `fetch` answers it', () => {
  it.each<Sent>(REQUESTS)('the answer equals the one from `fetch`: %s', async (_, path, init) => {
    const api = serve()
    const { origin } = await listen(api)
    const received = await fetch(origin + path, init)
    const expected = await api.fetch(new Request(origin + path, init))
    const facts = async (response: Response) => ({
      status: response.status,
      headers: Object.fromEntries(
        [...response.headers].filter(
          ([name]) =>
            !/^(?:date|connection|keep-alive|content-length|transfer-encoding)$/.test(name),
        ),
      ),
      text: await response.text(),
    })
    expect(await facts(received)).toEqual(await facts(expected))
  })
})

it('a body in chunks is read (RFC 9112 §7.1)', async () => {
  const { converse } = await listen(serve())
  const headers = [
    'Transfer-Encoding: chunked',
    'Content-Type: application/json',
    `Authorization: ${Authorization}`,
  ]
  const chunks = '8\r\n{"title"\r\n8\r\n:"Emma"}\r\n0\r\n\r\n'
  expect(await converse(requestText('PUT /books/b1', headers, chunks))).toContain(
    '\r\n\r\n{"title":"Emma"}',
  )
})

it('a body in chunks over the limit is answered with 413 (RFC 9110 §15.5.14)', async () => {
  const { converse } = await listen(serve())
  const headers = ['Transfer-Encoding: chunked', `Authorization: ${Authorization}`]
  const chunk = `ffff\r\n${'a'.repeat(0xffff)}\r\n`
  const request = requestText('PUT /books/b1', headers, chunk.repeat(3))
  expect(await converse(request)).toMatch(/^HTTP\/1\.1 413 /)
})

it("an answer's length is in bytes (RFC 9110 §8.6)", async () => {
  const { origin } = await listen(serve())
  const response = await fetch(`${origin}/books/b1`, {
    method: 'PUT',
    headers: json,
    body: '{"title":"Zoë"}',
  })
  expect(response.headers.get('Content-Length')).toBe('16')
})

it('two Authorization headers are malformed credentials (RFC 9110 §5.3)', async () => {
  const { converse } = await listen(serve())
  const twice = ['Authorization: Bearer secret', 'authorization: Bearer other']
  expect(await converse(requestText('PUT /books/b1', twice))).toContain('invalid_token')
})

it.each(['Host: a/b', 'Host: b.example'])(
  'a request with a second header %s is answered with 400',
  async (host) => {
    const { converse } = await listen(serve())
    expect(await converse(requestText('GET /books', [host]))).toMatch(/^HTTP\/1\.1 400 /)
  },
)

it.each<[what: string, served: unknown, found: string]>([
  ['nothing', undefined, 'undefined'],
  ['the function of an API', async () => new Response(), 'a function'],
  ['a document', createDocument({ info: { title: 'A', version: '1' } }), 'an object'],
])('a listener is not created from %s', (_, served, found) => {
  const message = `createRequestListener: the API must be an object with a function fetch, not ${found}`
  expect(() => createRequestListener(served as Served)).toThrow(new TypeError(message))
})

describe('a Request and a Response', () => {
  const { Request, Response } = globalThis
  const made: string[] = []
  const count = <Kind extends typeof Request | typeof Response>(kind: Kind): Kind =>
    new Proxy(kind, {
      construct: (target, given, as) => {
        made.push(target.name)
        return Reflect.construct(target, given, as)
      },
    })

  const send = async (served: Served, path: string, init: RequestInit = {}) => {
    const { origin } = await listen(served)
    made.length = 0
    vi.stubGlobal('Request', count(Request))
    vi.stubGlobal('Response', count(Response))
    try {
      const response = await fetch(origin + path, init)
      return { text: await response.text(), headers: response.headers, made: [...made] }
    } finally {
      vi.unstubAllGlobals()
    }
  }

  it('neither is created for a handler that does not read it', async () => {
    const put = { method: 'PUT', headers: json, body: '{"title":"Emma"}' }
    expect(await send(serve(), '/books/b1', put)).toMatchObject({
      text: '{"title":"Emma"}',
      made: [],
    })
    expect(await send(serve(), '/books?limit=1')).toMatchObject({ text: '{"limit":1}', made: [] })
  })

  it('both are created for a handler that reads the request, also from a copy of its context', async () => {
    const read = defineOperation('read', 'GET /books/:id', { summary: 'Read', responses: answer })
    const api = implement(createDocument({ info, defaults: {} }).add(read), {
      handlers: {
        read: (context) => {
          const { request, reply } = { ...context }
          const given = [request === context.request, request.method, request.headers.get('X-A')]
          return reply(200, { given, isAborted: context.signal.aborted })
        },
      },
    })
    const { text, made } = await send(api, '/books/b1', { headers: { 'X-A': 'b' } })
    expect(JSON.parse(text)).toEqual({ given: [true, 'GET', 'b'], isAborted: false })
    expect(made).toEqual(['Request'])
  })

  it('both are created for a middleware that reads them', async () => {
    const seen: unknown[] = []
    const api = serve({
      middleware: async ({ request, readBytes }, next) => {
        const response = await next()
        seen.push(request.url, request.bodyUsed, new TextDecoder().decode(readBytes() ?? undefined))
        seen.push(await response.clone().json())
        response.headers.set('X-Seen', 'yes')
        return response
      },
    })
    const put = { method: 'PUT', headers: json, body: '{"title":"Emma"}' }
    const { text, headers, made } = await send(api, '/books/b1?x', put)
    expect(text).toBe('{"title":"Emma"}')
    expect(headers.get('X-Seen')).toBe('yes')
    expect(made).toEqual(['Request', 'Response'])
    expect(seen).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/books\/b1\?x$/),
      true,
      '{"title":"Emma"}',
      { title: 'Emma' },
    ])
  })

  it('both are recognized after an adapter has replaced the global Response', async () => {
    class Replaced {}
    // As @hono/node-server does it.
    Object.setPrototypeOf(Replaced.prototype, Response.prototype)
    const { origin } = await listen(serve())
    vi.stubGlobal('Response', Replaced)
    try {
      expect(await (await fetch(`${origin}/books?limit=1`)).json()).toEqual({ limit: 1 })
    } finally {
      vi.unstubAllGlobals()
    }
  })
})
