import { defineProblems } from '@plumbline/problem'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import { createDocument, defineOperation } from './index.ts'
import { apiKey, basic, bearer } from './security.ts'
import {
  type Answer,
  type Api,
  type Bytes,
  FORBIDDEN,
  forbidden,
  type HandlersOf,
  implement,
} from './server.ts'

declare const request: Request

const info = { title: 'Books', version: '1' }
const problems = defineProblems('https://example.com/', {
  notFound: { slug: 'a', status: 404, title: 'A' },
  soldOut: { slug: 'b', status: 409, title: 'B', extensions: z.object({ stock: z.int() }) },
})
const securitySchemes = {
  token: bearer(),
  key: apiKey({ in: 'query', name: 'key' }),
  login: basic(),
  digest: { type: 'http', scheme: 'digest' },
  certificate: { type: 'mutualTLS' },
} as const

const read = defineOperation('read', 'GET /books/:id', {
  summary: 'Read',
  query: z.object({ page: z.int().default(1) }),
  responses: {
    200: {
      description: 'A',
      body: z.object({
        at: z.codec(z.string(), z.date(), {
          decode: (text) => new Date(text),
          encode: (date) => date.toISOString(),
        }),
      }),
    },
    '2XX': { description: 'B', body: { 'text/plain': z.string() } },
    404: { description: 'C' },
  },
  problems: ['soldOut'],
  security: [{ token: [] }, { key: [], login: [] }, {}],
})
const write = defineOperation('write', 'POST /books', {
  summary: 'Write',
  body: { 'application/json': z.object({ title: z.string() }), 'text/plain': z.string() },
  responses: { default: { description: 'A', body: { 'image/*': z.file() } } },
})
const open = defineOperation('open', 'GET /open', { summary: 'Open', security: [] })

const builder = createDocument({
  info,
  problems,
  defaults: { notFound: 'notFound' },
  securitySchemes,
  security: [{ login: [] }],
}).add(read, write, open)

const api = implement(builder, {
  security: {
    token: async ({ token, scopes, request }) => {
      expectTypeOf(token).toEqualTypeOf<string>()
      expectTypeOf(scopes).toEqualTypeOf<readonly string[]>()
      expectTypeOf(request).toEqualTypeOf<Request>()
      return token === '' ? null : token === 'a' ? FORBIDDEN : { name: token }
    },
    key: ({ key }) => (key === 'weak' ? forbidden('The key is weak.') : key === 'k' && 7),
    login: ({ username, password }) => (password === '' ? undefined : { user: username }),
    digest: ({ credentials }) => credentials,
    certificate: ({ request }) => request.url,
  },
  handlers: {
    read: ({ params, query, body, headers, principal, problems, reply, request, signal }) => {
      expectTypeOf(params).toEqualTypeOf<{ id: string }>()
      expectTypeOf(query).toEqualTypeOf<{ page: number }>()
      expectTypeOf(body).toEqualTypeOf<undefined>()
      expectTypeOf(headers).toEqualTypeOf<undefined>()
      expectTypeOf(request).toEqualTypeOf<Request>()
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
      expectTypeOf(principal).toEqualTypeOf<
        { name: string } | { readonly key: 7; readonly login: { user: string } } | null
      >()
      expectTypeOf<keyof typeof problems>().toEqualTypeOf<'soldOut'>()
      if (signal.aborted) return problems.soldOut({ extensions: { stock: 1 } })
      // The body is the value that is sent, which is the schema's input.
      if (query.page === 1) return reply(200, { at: '2026-01-01' })
      if (query.page === 2) return reply(202, 'later')
      // @ts-expect-error the extensions of the problem are required
      if (query.page === 3) return problems.soldOut()
      // @ts-expect-error the body is not the schema's output
      if (query.page === 4) return reply(200, { at: new Date() })
      // @ts-expect-error a range does not declare other statuses
      if (query.page === 5) return reply(300, 'a')
      const made = reply(404)
      expectTypeOf(made).toEqualTypeOf<Answer<'read'>>()
      return made
    },
    write: async ({ body, principal, reply }) => {
      expectTypeOf(body).toEqualTypeOf<{ title: string } | string>()
      expectTypeOf(principal).toEqualTypeOf<{ user: string }>()
      expectTypeOf<Uint8Array<ArrayBuffer>>().toExtend<Bytes>()
      // @ts-expect-error the media type of a range must be named
      if (body === '') return reply(200, new Blob())
      // @ts-expect-error the range does not match the media type
      if (body === 'a') return reply(200, new Blob(), { contentType: 'text/plain' })
      return reply(200, new Blob(), { contentType: 'image/png' })
    },
    // @ts-expect-error an operation without responses has nothing to reply
    open: ({ principal, reply }) => {
      expectTypeOf(principal).toEqualTypeOf<null>()
      return reply
    },
  },
})

expectTypeOf(api.fetch(request)).toEqualTypeOf<Promise<Response>>()
void api.handlers.read(request, { id: '1' })
void api.handlers.write(request)
// @ts-expect-error the pattern has a variable
void api.handlers.read(request)
// @ts-expect-error the document does not have this operation
api.handlers.other
expectTypeOf(api).toExtend<Api>()

// Handlers in files of their own

type Own = HandlersOf<typeof builder, { readonly login: () => { readonly user: string } }>
const own: Pick<Own, 'write'> = {
  write: ({ principal, reply }) => {
    expectTypeOf(principal).toEqualTypeOf<{ readonly user: string }>()
    return reply(200, new Blob(), { contentType: 'image/png' })
  },
}
void own

// The names of operations in a list are known, and the order of calls does not matter

const listed = createDocument({ info, defaults: {} }).add(
  defineOperation('a', 'GET /a', { summary: 'A', responses: { 204: { description: 'A' } } }),
  defineOperation('b', 'GET /b', { summary: 'B', responses: { 204: { description: 'B' } } }),
)
implement(listed, { handlers: { a: ({ reply }) => reply(204), b: ({ reply }) => reply(204) } })
// @ts-expect-error a handler is missing
implement(listed, { handlers: { a: ({ reply }) => reply(204) } })
// @ts-expect-error an answer of another operation
implement(listed, { handlers: { a: ({ reply }) => reply(204), b: (): Answer<'a'> => reply() } })
declare const reply: () => Answer<'a'>
