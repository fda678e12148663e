import { defineProblems, ISSUES_SCHEMA as PLAIN_ISSUES } from '@plumbline/problem'
import { ISSUES_SCHEMA } from '@plumbline/problem/zod'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { ConformanceError } from '../check/violation.ts'
import { createDocument } from '../document/build.ts'
import type { DocumentBuilder } from '../document/builder.ts'
import { defineOperation } from '../operation.ts'
import { bearer, oauth2 } from '../spec/security.ts'
import type { Answer } from './answer.ts'
import { forbidden } from './forbidden.ts'
import { implement } from './implement.ts'
import type { ServerOptions } from './types.ts'

const info = { title: 'Books', version: '1' }
const problems = defineProblems('https://example.com/', {
  unavailable: { slug: 'unavailable', status: 503, title: 'Unavailable' },
  notFound: { slug: 'not-found', status: 404, title: 'Not found' },
})

const readBook = defineOperation('readBook', 'GET /books/:id', {
  summary: 'Read a book',
  query: z.object({ page: z.int().optional() }),
  responses: { 200: { description: 'The book', body: z.object({ title: z.string() }) } },
  problems: ['unavailable'],
})
const addBook = defineOperation('addBook', 'POST /books', {
  summary: 'Add a book',
  body: z.object({ title: z.string() }),
  responses: { 204: { description: 'Added' } },
})
const builder = createDocument({ info, problems, defaults: {} }).add(readBook, addBook)

/** Runs a request for a book whose handler does `work`. */
async function read(
  work: (request: Request) => unknown,
  options: ServerOptions<typeof problems> = {},
  init: RequestInit = {},
): Promise<Response> {
  const api = implement(builder, {
    ...options,
    handlers: {
      readBook: async ({ request, reply }) => {
        const title = await work(request)
        return reply(200, { title: title as string })
      },
      addBook: ({ reply }) => reply(204),
    },
  })
  return await api.fetch(new Request('http://localhost/books/1', init))
}

function fail(error: unknown) {
  return () => {
    throw error
  }
}

it("the 403 for forbidden(detail) has the verifier's detail (RFC 9457 §3.1.4)", async () => {
  const api = implement(
    createDocument({
      info,
      problems,
      defaults: {},
      securitySchemes: { token: bearer() },
      security: [{ token: [] }],
    }).add(readBook),
    {
      security: { token: () => forbidden('This token may only write.') },
      handlers: { readBook: ({ reply }) => reply(200, { title: 'Emma' }) },
    },
  )
  const headers = { Authorization: 'Bearer writer' }
  const response = await api.fetch(new Request('http://localhost/books/1', { headers }))
  expect(response.headers.get('WWW-Authenticate')).toBe('Bearer error="insufficient_scope"')
  expect(await response.json()).toEqual({
    type: 'about:blank',
    title: 'Forbidden',
    status: 403,
    detail: 'This token may only write.',
  })
})

it('a HEAD request is answered like GET, also without a body (RFC 9110 §9.3.2)', async () => {
  const empty = defineOperation(
    'checkBook',
    { method: 'GET', pattern: '/checks/:id' },
    { summary: 'Check a book', responses: { 204: { description: 'It exists' } } },
  )
  const api = implement(createDocument({ info, problems, defaults: {} }).add(empty), {
    handlers: { checkBook: ({ reply }) => reply(204) },
  })
  const response = await api.fetch(new Request('http://localhost/checks/1', { method: 'HEAD' }))
  expect([response.status, response.body]).toEqual([204, null])
})

describe('middleware', () => {
  it("middleware wraps every operation exchange, with the operation's id and pattern", async () => {
    const seen: unknown[] = []
    const middleware: ServerOptions['middleware'] = async (matched, next) => {
      const { status } = await next()
      seen.push([matched.operationId, matched.pattern, matched.request.method, status])
      return new Response(null, { status: 299 })
    }
    const invalid = await read(() => 'Emma', { middleware }, { method: 'HEAD' })
    expect(invalid.status).toBe(299)
    await read(fail('down'), { middleware, onError: () => undefined })
    expect(seen).toEqual([
      ['readBook', '/books/:id', 'HEAD', 200],
      ['readBook', '/books/:id', 'GET', 500],
    ])
  })

  it('middleware does not see a request if no operation matches', async () => {
    const middleware = vi.fn()
    expect((await read(() => 'Emma', { middleware }, { method: 'DELETE' })).status).toBe(405)
    expect(middleware).not.toHaveBeenCalled()
  })

  it.each<[what: string, middleware: unknown]>([
    ['nothing', async (_: unknown, next: () => Promise<Response>) => void (await next())],
    ['text', () => 'ok'],
    ['an answer that cannot be sent', () => Response.error()],
  ])('middleware that returns %s is answered with 500', async (_, middleware) => {
    const errors: unknown[] = []
    const options = { middleware, onError: (error: unknown) => void errors.push(error) } as object
    expect((await read(() => 'Emma', options)).status).toBe(500)
    expect(errors).toEqual([new TypeError('the middleware of readBook did not return an answer')])
  })

  it('middleware that throws is answered with 500, and onError receives the error', async () => {
    const errors: unknown[] = []
    const options = {
      middleware: fail('log'),
      onError: (error: unknown) => void errors.push(error),
    }
    expect((await read(() => 'Emma', options)).status).toBe(500)
    const head = await read(() => 'Emma', options, { method: 'HEAD' })
    expect([head.status, head.body]).toEqual([500, null])
    expect(errors).toEqual(['log', 'log'])
  })
})

describe('a handler error', () => {
  it('the error is answered with 500 without the message, and passed to onError', async () => {
    const errors: unknown[] = []
    const error = new Error('secret')
    const onError = (...given: readonly unknown[]) => void errors.push(given)
    const response = await read(fail(error), { onError })
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Internal server error',
      status: 500,
    })
    expect(errors).toMatchObject([
      [error, { operationId: 'readBook', request: expect.any(Request) }],
    ])
  })

  it('the error is written to the console by default', async () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const error = new Error('secret')
    await read(fail(error))
    expect(written.mock.calls).toEqual([[error]])
    written.mockRestore()
  })

  it('onError may answer with a problem named in the operation', async () => {
    const response = await read(fail('down'), {
      onError: (_, { problems }) => problems.unavailable?.({ headers: { 'Retry-After': '5' } }),
    })
    expect(response.status).toBe(503)
    expect(response.headers.get('Retry-After')).toBe('5')
  })

  it('the error is not answered with a problem the operation does not name', async () => {
    const response = await read(fail('down'), {
      onError: async (_, { problems }) => problems.notFound?.(),
    })
    expect(response.status).toBe(500)
  })

  it.each<[string, () => never]>([
    ['that throws', fail(new Error('again'))],
    ['that rejects', (() => Promise.reject(new Error('again'))) as () => never],
  ])('an onError %s is answered with 500, and both errors are printed', async (_, onError) => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect((await read(fail('down'), { onError })).status).toBe(500)
    expect(print.mock.calls).toEqual([['onError failed:', new Error('again'), 'after', 'down']])
    print.mockRestore()
  })

  it.each([null, undefined, 0, 'text', Symbol('a'), Object.create(null), { status: 200 }])(
    'the error may be any value: %s',
    async (thrown) => {
      expect((await read(fail(thrown), { onError: () => undefined })).status).toBe(500)
    },
  )

  it('onError receives the error with the problems named in the operation', async () => {
    const named: unknown[] = []
    const onError: ServerOptions<typeof problems>['onError'] = (_, { operationId, problems }) =>
      void named.push([operationId, Object.keys(problems)])
    const api = implement(builder, {
      handlers: { readBook: fail('down'), addBook: fail('down') },
      onError,
    })
    await api.fetch(new Request('http://localhost/books/1'))
    const headers = { 'Content-Type': 'application/json' }
    const init = { method: 'POST', body: '{"title":"a"}', headers }
    await api.fetch(new Request('http://localhost/books', init))
    expect(named).toEqual([
      ['readBook', ['unavailable']],
      ['addBook', []],
    ])
  })

  it('the error may be undefined', async () => {
    const errors: unknown[] = []
    await read(fail(undefined), { onError: (error) => void errors.push(error) })
    expect(errors).toEqual([undefined])
  })

  it('a body is an error if JSON cannot represent it', async () => {
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    expect((await read(() => 1n, { onError })).status).toBe(500)
    expect(errors).toMatchObject([{ name: 'TypeError' }])
  })
})

it.each([
  ['undefined', undefined],
  // Fetch §5.5: its status is 0.
  ['Response.error()', Response.error()],
])('a handler that returns %s instead of an answer is an error', async (_, returned) => {
  const errors: unknown[] = []
  const api = implement(createDocument({ info, defaults: {} }).add(addBook), {
    handlers: { addBook: () => returned as unknown as Answer<'addBook'> },
    onError: (error) => void errors.push(error),
  })
  const init = {
    method: 'POST',
    body: '{"title":"a"}',
    headers: { 'Content-Type': 'application/json' },
  }
  const response = await api.fetch(new Request('http://localhost/books', init))
  expect(response.status).toBe(500)
  expect(errors).toMatchObject([{ message: 'the handler of addBook did not return an answer' }])
})

describe('an aborted request', () => {
  it('the handler sees the abort as a signal, and the reason is not an error', async () => {
    const errors: unknown[] = []
    const controller = new AbortController()
    const waiting = read(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          controller.abort()
        }),
      { onError: (error) => void errors.push(error) },
      { signal: controller.signal },
    )
    expect((await waiting).status).toBe(500)
    expect(errors).toEqual([])
  })

  it('the abort does not hide another error', async () => {
    const errors: unknown[] = []
    const controller = new AbortController()
    const work = () => {
      controller.abort()
      throw new Error('down')
    }
    const onError = (error: unknown) => void errors.push(error)
    await read(work, { onError }, { signal: controller.signal })
    expect(errors).toMatchObject([{ message: 'down' }])
  })
})

describe('an exception in a schema', () => {
  const throwing = defineOperation('search', 'GET /search', {
    summary: 'Search',
    query: z.object({ q: z.string().refine(fail(new Error('secret'))) }),
    responses: { 204: { description: 'Found' } },
    problems: ['unavailable'],
  })
  const document = createDocument({ info, problems, defaults: {} }).add(throwing)
  const request = new Request('http://localhost/search?q=a')

  it('the exception is reported, and the request is answered with 422', async () => {
    const errors: unknown[] = []
    const api = implement(document, {
      handlers: { search: ({ reply }) => reply(204) },
      onError: (error) => void errors.push(error),
    })
    const response = await api.fetch(request)
    expect(response.status).toBe(422)
    expect(await response.text()).not.toContain('secret')
    expect(errors).toMatchObject([{ message: 'secret' }])
  })

  it('onError may answer the exception with a problem', async () => {
    const api = implement(document, {
      handlers: { search: ({ reply }) => reply(204) },
      onError: (_, { problems }) => problems.unavailable?.(),
    })
    expect((await api.fetch(request)).status).toBe(503)
  })
})

describe('checked answers', () => {
  const wrong = () => 7

  it('answers are not checked by default', async () => {
    const reported: unknown[] = []
    const response = await read(wrong, { onViolation: (found) => void reported.push(found) })
    expect(await response.json()).toEqual({ title: 7 })
    expect(reported).toEqual([])
  })

  it('bad answers are reported and sent', async () => {
    const reported: unknown[] = []
    const onViolation = (...given: readonly unknown[]) => void reported.push(given)
    const response = await read(wrong, { checkResponses: 'report', onViolation })
    expect(await response.json()).toEqual({ title: 7 })
    expect(reported).toMatchObject([
      [[{ kind: 'body-mismatch', pointer: '/title' }], { operationId: 'readBook' }],
    ])
  })

  it.each([
    () => {
      throw new Error('the log is full')
    },
    () => Promise.reject(new Error('the log is full')),
  ])('answers are sent if onViolation fails: %o', async (onViolation) => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const response = await read(wrong, { checkResponses: 'report', onViolation })
    expect(await response.json()).toEqual({ title: 7 })
    const printed = [['onViolation failed:', new Error('the log is full')]]
    await vi.waitFor(() => expect(print.mock.calls).toEqual(printed))
    print.mockRestore()
  })

  it('a 500 replaces bad answers, and the error lists the violations', async () => {
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    expect((await read(wrong, { checkResponses: 'throw', onError })).status).toBe(500)
    expect(errors).toMatchObject([{ violations: [{ kind: 'body-mismatch' }] }])
    expect(errors[0]).toBeInstanceOf(ConformanceError)
  })

  it('conforming answers are sent, also default problems', async () => {
    const options = { checkResponses: 'throw', onError: fail('not called') } as const
    expect(await (await read(() => 'a', options)).json()).toEqual({ title: 'a' })
    const api = implement(builder, {
      ...options,
      handlers: {
        readBook: ({ reply }) => reply(200, { title: '' }),
        addBook: ({ reply }) => reply(204),
      },
    })
    const { status } = await api.fetch(new Request('http://localhost/books/1?page=x'))
    expect(status).toBe(422)
  })
})

describe('a body', () => {
  const options = { bodyLimit: 20 }
  const send = async (body: BodyInit, headers: Record<string, string> = {}) => {
    const api = implement(builder, {
      ...options,
      handlers: {
        readBook: ({ reply }) => reply(200, { title: '' }),
        addBook: ({ reply }) => reply(204),
      },
    })
    const init = {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'Content-Type': 'application/json', ...headers },
    } as const
    return await api.fetch(new Request('http://localhost/books', init))
  }

  it('a body up to the limit is accepted, and a longer one rejected (RFC 9110 §15.5.14)', async () => {
    expect((await send('{"title":"12345678"}')).status).toBe(204)
    const rejected = await send('{"title":"123456789"}')
    expect(rejected.status).toBe(413)
    expect((await rejected.json()).detail).toContain('20 bytes')
  })

  it("an operation's own limit applies instead", async () => {
    const upload = (bodyLimit: number) =>
      defineOperation('upload', 'POST /upload', {
        summary: 'Upload',
        body: z.string(),
        bodyLimit,
        responses: { 204: { description: 'Uploaded' } },
      })
    const statusWith = async (bodyLimit: number) => {
      const api = implement(createDocument({ info, defaults: {} }).add(upload(bodyLimit)), {
        bodyLimit: 20,
        handlers: { upload: ({ reply }) => reply(204) },
      })
      const headers = { 'Content-Type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify('a'.repeat(28)) }
      return (await api.fetch(new Request('http://localhost/upload', init))).status
    }
    expect([await statusWith(30), await statusWith(29)]).toEqual([204, 413])
  })

  it('a body is rejected if it is longer than the Content-Length', async () => {
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(16)),
    })
    expect((await send(endless, { 'Content-Length': '5' })).status).toBe(413)
  })

  it('a broken-off body is answered with 400', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
    const rejected = await send(broken)
    expect(rejected.status).toBe(400)
    expect((await rejected.json()).detail).toBe('The body could not be read.')
  })

  it('a body the operation does not describe is left to the handler', async () => {
    const notify = defineOperation('notify', 'POST /notify', {
      summary: 'Notify',
      responses: { 200: { description: 'The length', body: z.number() } },
    })
    const api = implement(createDocument({ info, defaults: {} }).add(notify), {
      bodyLimit: 20,
      handlers: {
        notify: async ({ request, reply }) => reply(200, (await request.text()).length),
      },
    })
    const init = { method: 'POST', body: 'a'.repeat(50) }
    expect(await (await api.fetch(new Request('http://localhost/notify', init))).json()).toBe(50)
  })
})

describe('an implementation that cannot work', () => {
  const handlers = { readBook: () => null, addBook: () => null }
  const scoped = defineOperation('scoped', 'GET /scoped', {
    summary: 'Scoped',
    security: [{ key: ['wirte'] }, { token: ['role'] }],
  })
  const secured = defineOperation('secured', 'GET /secured', {
    summary: 'A',
    security: [{ key: [] }],
  })
  const unknown = defineOperation('unknown', 'GET /unknown', { summary: 'A', problems: ['gone'] })
  const odd = defineOperation('odd', 'GET /odd(/a)', { summary: 'A' })
  const unlimited = defineOperation('unlimited', 'GET /unlimited', {
    summary: 'A',
    formFields: Number.NaN,
  })

  it.each<[string, DocumentBuilder, object, string]>([
    [
      'a document without defaults',
      createDocument({ info }),
      { handlers: {} },
      'give createDocument the option defaults',
    ],
    [
      'a missing handler',
      builder,
      { handlers: { readBook: () => null } },
      'the operation addBook does not have a handler',
    ],
    [
      'a handler that is not defined yet',
      builder,
      { handlers: { ...handlers, addBook: undefined } },
      'the operation addBook does not have a handler',
    ],
    [
      'a verifier that is a secret',
      createDocument({ info, defaults: {}, securitySchemes: { token: bearer() } }),
      { handlers: {}, security: { token: 's3cret' } },
      'the scheme token does not have a verifier',
    ],
    [
      'an inherited handler',
      builder,
      { handlers: Object.create(handlers) },
      'the operation readBook does not have a handler; the operation addBook',
    ],
    [
      'an unknown handler',
      builder,
      { handlers: { ...handlers, other: () => null } },
      'the handler other does not belong to an operation',
    ],
    [
      'a scheme without a verifier',
      createDocument({ info, defaults: {}, securitySchemes: { token: bearer() } }),
      { handlers: {} },
      'the scheme token does not have a verifier',
    ],
    [
      'a limit that accepts everything',
      createDocument({ info, defaults: {} }),
      { handlers: {}, bodyLimit: Number.NaN },
      'bodyLimit must be a whole number',
    ],
    [
      'a time that a timer cannot wait for',
      createDocument({ info, defaults: {} }),
      { handlers: {}, heartbeat: 2 ** 31 },
      'heartbeat must be a whole number of at least 0 and at most 2147483647',
    ],
    [
      'an operation with a limit that accepts everything',
      createDocument({ info, defaults: {} }).add(unlimited),
      { handlers: { unlimited: () => null } },
      'formFields of the operation unlimited must be a whole number',
    ],
    [
      'an operation with an unknown scheme',
      createDocument({ info, defaults: {} }).add(secured as never),
      { handlers: { secured: () => null } },
      'the operation secured requires the unknown scheme key',
    ],
    [
      'an operation with an unknown scope',
      createDocument({
        info,
        defaults: {},
        securitySchemes: { key: oauth2({ flows: {} }), token: bearer() },
      }).add(scoped),
      { handlers: { scoped: () => null }, security: { key: () => null, token: () => null } },
      'the operation scoped requires the unknown scope wirte of key',
    ],
    ...[undefined, 'write'].map((scopes): [string, DocumentBuilder, object, string] => [
      'scopes that are not a list',
      createDocument({
        info,
        defaults: {},
        securitySchemes: { token: bearer() },
        security: [{ token: scopes as never }],
      }).add(readBook as never) as never,
      { handlers: { readBook: () => null }, security: { token: () => null } },
      'the security scheme token needs a list of scopes, such as []',
    ]),
    [
      'an operation with an unknown problem',
      createDocument({ info, defaults: {} }).add(unknown as never),
      { handlers: { unknown: () => null } },
      'the operation unknown names the unknown problem gone',
    ],
    [
      'a route that OpenAPI cannot describe',
      createDocument({ info, defaults: {} }).add(odd),
      { handlers: { odd: () => null } },
      'the route of odd cannot be served: the pattern has an optional segment; define one',
    ],
    [
      'two operations of one name',
      createDocument({ info, defaults: {} }).add(odd, odd),
      { handlers: { odd: () => null } },
      'two operations have one operationId',
    ],
    [
      'a deprecation that a header cannot contain',
      createDocument({ info, defaults: {} }).add(
        defineOperation('old', 'GET /old', { summary: 'A', deprecated: { since: new Date('x') } }),
      ),
      { handlers: { old: () => null } },
      'deprecated of old cannot be sent',
    ],
    ...[
      { type: 'apiKey', in: 'header', name: 'a b' } as const,
      { type: 'apiKey', in: 'query', name: 'a\nb' } as const,
      { type: 'http', scheme: '' } as const,
      { type: 'http', scheme: undefined as unknown as string } as const,
    ].map((scheme): [string, DocumentBuilder, object, string] => [
      'a scheme that a challenge cannot name',
      createDocument({ info, securitySchemes: { key: scheme }, defaults: {} }) as never,
      { handlers: {}, security: { key: () => null } },
      'the scheme key does not have a valid name or place',
    ]),
    [
      'a scope that a challenge cannot name',
      createDocument({ info, securitySchemes: { key: bearer() }, defaults: {} }).add(
        defineOperation('secured', 'GET /secured', { summary: 'A', security: [{ key: ['ä'] }] }),
      ),
      { handlers: { secured: () => null }, security: { key: () => null } },
      'the scope ä of secured contains characters that are not ASCII',
    ],
    [
      'a realm that a header cannot contain',
      createDocument({ info, defaults: {} }),
      { handlers: {}, realm: 'a\nb' },
      'the realm contains characters that are not ASCII',
    ],
  ])('the implementation is rejected: %s', (_, document, options, message) => {
    expect(() => implement(document, options as never)).toThrow(message)
  })

  it("a default problem whose extensions contain another library's schema throws", () => {
    const invalid = { slug: 'a', status: 422, title: 'A' }
    const catalog = defineProblems('https://example.com/', {
      invalid: { ...invalid, extensions: z.object({ errors: PLAIN_ISSUES }) },
    })
    const document = createDocument({ info, problems: catalog, defaults: { invalid: 'invalid' } })
    expect(() => implement(document, { handlers: {} })).toThrow(
      'the extensions of the problem invalid are not valid: ISSUES_SCHEMA of @plumbline/problem is not a zod schema; import it from @plumbline/problem/zod',
    )
  })

  it('a default problem throws if it requires other extensions', () => {
    const catalog = defineProblems('https://example.com/', {
      internal: { slug: 'a', status: 500, title: 'A', extensions: z.object({ id: z.string() }) },
    })
    const document = createDocument({ info, problems: catalog, defaults: {} })
    expect(() => implement(document, { handlers: {} })).toThrow(
      'the problem internal is a default of the document, and requires extensions',
    )
  })
})

it('the challenge for a request without credentials has the realm (RFC 9110 §11.5)', async () => {
  const secured = defineOperation('secured', 'GET /secured', {
    summary: 'A',
    security: [{ token: [] }],
    responses: { 204: { description: 'Done' } },
  })
  const securitySchemes = { token: bearer() }
  const document = createDocument({ info, defaults: {}, securitySchemes }).add(secured)
  const api = implement(document, {
    realm: 'the ~ books',
    security: { token: () => ({}) },
    handlers: { secured: ({ reply }) => reply(204) },
  })
  const response = await api.fetch(new Request('http://localhost/secured'))
  expect([response.status, response.headers.get('WWW-Authenticate')]).toEqual([
    401,
    'Bearer realm="the ~ books"',
  ])
})

describe('issues for rejected input', () => {
  const errors = z.object({ errors: ISSUES_SCHEMA })
  const strict = z.object({
    location: z.string().min(1),
    pointer: z.string().startsWith('/'),
    detail: z.string().min(1),
  })
  it.each([
    ['in an extension', errors, { errors: [{ location: 'query', pointer: '/page' }] }],
    ['in an optional extension', errors.partial(), { errors: [{ pointer: '/page' }] }],
    [
      'in a record',
      { errors: PLAIN_ISSUES },
      { errors: [{ location: 'query', pointer: '/page' }] },
    ],
    [
      'in an extension whose elements are strict',
      z.object({ faults: z.array(strict) }),
      { faults: [{ location: 'query', pointer: '/page' }] },
    ],
    [
      'in the detail if the extension has other elements',
      z.object({ names: z.array(z.string()).optional() }),
      { detail: expect.stringContaining('query:') },
    ],
    [
      'in the detail without such an extension',
      undefined,
      { detail: expect.stringContaining('query:') },
    ],
    [
      'in the detail if extensions are optional',
      z.object({ id: z.string().optional() }),
      { detail: expect.any(String) },
    ],
  ])('the issues are %s', async (_, extensions, body) => {
    const spec = { slug: 'invalid', status: 422, title: 'Not valid' }
    const catalog = defineProblems('https://example.com/', {
      unavailable: { slug: 'unavailable', status: 503, title: 'Unavailable' },
      invalid: extensions ? { ...spec, extensions } : spec,
    })
    const api = implement(createDocument({ info, problems: catalog, defaults: {} }).add(readBook), {
      handlers: { readBook: ({ reply }) => reply(200, { title: '' }) },
    })
    const response = await api.fetch(new Request('http://localhost/books/1?page=x'))
    expect([response.status, await response.json()]).toMatchObject([422, body])
  })
})

describe('a default problem with an issue list', () => {
  const extensions = { errors: PLAIN_ISSUES }
  const catalog = defineProblems('https://example.com/', {
    invalid: { slug: 'invalid', status: 422, title: 'Not valid', extensions },
    malformed: { slug: 'malformed', status: 400, title: 'Malformed', extensions },
    notFound: { slug: 'not-found', status: 404, title: 'Not found', extensions },
  })
  const reported: unknown[] = []
  const defaults = { notFound: 'notFound' } as const
  const api = implement(createDocument({ info, problems: catalog, defaults }).add(addBook), {
    handlers: { addBook: ({ reply }) => reply(204) },
    onError: (error) => void reported.push(error),
  })
  const send = async (body: string) => {
    const headers = { 'Content-Type': 'application/json' }
    const request = new Request('http://localhost/books', { method: 'POST', body, headers })
    return await (await api.fetch(request)).json()
  }

  it('invalid input adds issues, and the reason is the detail', async () => {
    expect(await send('{}')).toEqual({
      type: 'https://example.com/invalid',
      title: 'Not valid',
      status: 422,
      detail: expect.stringMatching(/^body: title: ./),
      errors: [{ location: 'body', pointer: '/title', detail: expect.any(String) }],
    })
    expect(reported).toEqual([])
  })

  it('malformed input has the reason in the detail', async () => {
    expect(await send('{')).toMatchObject({
      status: 400,
      detail: expect.stringContaining('JSON'),
      errors: [{ location: 'body' }],
    })
  })

  it('other reasons have an empty list', async () => {
    const response = await api.fetch(new Request('http://localhost/authors'))
    expect(await response.json()).toEqual({
      type: 'https://example.com/not-found',
      title: 'Not found',
      status: 404,
      detail: 'No operation matches the path /authors.',
      errors: [],
    })
  })
})

it('operations added later are not served', async () => {
  const document = createDocument({ info, defaults: {} }).add(addBook)
  const api = implement(document, { handlers: { addBook: ({ reply }) => reply(204) } })
  document.add(defineOperation('later', 'GET /later', { summary: 'A' }))
  expect((await api.fetch(new Request('http://localhost/later'))).status).toBe(404)
})
