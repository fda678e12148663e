import { blankProblem } from '@plumbline/problem/core'
import { isFailure } from '@plumbline/result'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createDocument } from '../document/build.ts'
import { type AnyOperation, defineOperation } from '../operation.ts'
import type { OperationSpec } from '../spec/operation-spec.ts'
import { bearer } from '../spec/security.ts'
import { Book, book, info, problems, request, route, violationsOf } from './check.cases.ts'
import { checkResponse } from './check-response.ts'
import { ConformanceError, type ViolationKind } from './violation.ts'

/** One violation without its message. */
function one(kind: ViolationKind, pointer?: string): readonly unknown[] {
  const message = expect.stringMatching(/\w/)
  return [{ kind, operationId: 'readBook', message, ...(pointer === undefined ? {} : { pointer }) }]
}

describe('the operation', () => {
  const readBook = defineOperation('readBook', route, {
    summary: 'Read a book',
    responses: { 200: { description: 'The book' } },
  })
  const builder = createDocument({ info }).add(readBook)

  it.each([
    ['GET', '/books'],
    ['GET', '/books/b1/pages'],
    ['GET', '/books/b1/'],
    ['GET', '/books/%zz'],
    ['POST', '/books/b1'],
    ['OPTIONS', '/books/b1'],
  ])('%s %s matches no operation, which is a violation', async (method, path) => {
    const sent = new Request(`http://localhost${path}`, { method })
    const checked = await checkResponse(builder, sent, new Response())
    expect(isFailure(checked) && checked.error.violations).toEqual([
      {
        kind: 'undocumented-operation',
        operationId: null,
        message: `no operation is bound to ${method} ${path}`,
      },
    ])
  })

  it('the operation matches with any query, and with any method case in the route', async () => {
    const lower = createDocument({ info }).add(
      defineOperation(
        'readBook',
        { method: 'get', pattern: '/books/:bookId' },
        { summary: 'Read a book', responses: { 200: { description: 'The book' } } },
      ),
    )
    const sent = new Request('http://localhost/books/b1?page=2#top')
    expect(isFailure(await checkResponse(lower, sent, new Response()))).toBe(false)
  })

  it('the most specific operation matches, as in a router', async () => {
    const latest = { method: 'GET', pattern: '/books/latest' } as const
    const both = createDocument({ info }).add(
      defineOperation('readBook', route, {
        summary: 'One',
        responses: { 200: { description: '' } },
      }),
      defineOperation('latest', latest, {
        summary: 'Two',
        responses: { 202: { description: '' } },
      }),
    )
    const sent = new Request('http://localhost/books/latest')
    const accepted = new Response(null, { status: 202 })
    expect(isFailure(await checkResponse(both, sent, accepted))).toBe(false)
    expect(isFailure(await checkResponse(both, request, accepted))).toBe(true)
  })

  it('an operation matches next to a route OpenAPI cannot describe', async () => {
    const any = { method: 'ANY', pattern: '/any' } as const
    const both = createDocument({ info }).add(
      defineOperation('any', any, { summary: 'Any', responses: {} }),
      readBook,
    )
    const sent = new Request('http://localhost/any')
    const checked = await checkResponse(both, sent, new Response())
    expect(isFailure(checked) && checked.error.violations[0]?.operationId).toBe(null)
    expect(isFailure(await checkResponse(both, request, new Response()))).toBe(false)
  })

  it('an operation matches in a document without servers', async () => {
    const document = { operations: builder.operations, problems: builder.problems }
    expect(isFailure(await checkResponse(document, request, new Response()))).toBe(false)
  })

  it('an operation declares security problems only if the document has security', async () => {
    const securitySchemes = { token: bearer() }
    const document = createDocument({
      info,
      securitySchemes,
      security: [{ token: [] }],
      defaults: {},
    }).add(readBook)
    const { operations, problems, defaults } = document
    const answer = () => blankProblem(401, 'Unauthorized')
    expect(isFailure(await checkResponse(document, request, answer()))).toBe(false)
    const open = { operations, problems, defaults }
    const checked = await checkResponse(open, request, answer())
    expect(isFailure(checked) && checked.error.violations).toEqual(one('undocumented-status'))
  })

  it('an undefined response counts as undeclared', async () => {
    const responses = Object.assign({}, { 200: undefined, 204: { description: 'Done' } })
    const spec = { summary: 'Read a book', responses }
    const document = createDocument({ info }).add(
      defineOperation('readBook', route, spec as OperationSpec),
    )
    const checked = await checkResponse(document, request, new Response())
    expect(isFailure(checked) && checked.error.violations).toEqual(one('undocumented-status'))
    const done = new Response(null, { status: 204 })
    expect(isFailure(await checkResponse(document, request, done))).toBe(false)
  })

  it('each operation is prepared once for all checks against a document', async () => {
    const document = { operations: builder.operations, problems: vi.fn(builder.problems) }
    await checkResponse(document, request, new Response())
    const calls = document.problems.mock.calls.length
    await checkResponse(document, request, new Response())
    expect(document.problems).toHaveBeenCalledTimes(calls)
  })

  it('a problem inherited from the prototype, such as toString, is rejected', async () => {
    const operation: AnyOperation = defineOperation('readBook', route, {
      summary: 'Read a book',
      problems: ['toString', 'lost'],
    })
    const checked = await checkResponse(
      createDocument({ info, problems }).add(operation),
      request,
      new Response(null, { status: 404 }),
    )
    expect(isFailure(checked) && checked.error.violations).toEqual(one('undocumented-status'))
  })

  it('an operation may be added after the first check', async () => {
    const growing = createDocument({ info })
    expect(isFailure(await checkResponse(growing, request, new Response()))).toBe(true)
    growing.add(readBook)
    expect(isFailure(await checkResponse(growing, request, new Response()))).toBe(false)
  })
})

describe('the status (OpenAPI 3.1.1 §4.8.16)', () => {
  const text = (constant: string) => ({
    description: '',
    body: z.object({ by: z.literal(constant) }),
  })
  const responses = { 200: text('code'), '2XX': text('range'), default: text('default') }

  it.each([
    [200, 'code'],
    [201, 'range'],
    [299, 'range'],
    [300, 'default'],
    [404, 'default'],
    [500, 'default'],
  ])('%i conforms to the response %s', async (status, by) => {
    expect(await violationsOf({ responses }, Response.json({ by }, { status }))).toEqual([])
    const other = Response.json({ by: 'another' }, { status })
    expect(await violationsOf({ responses }, other)).toEqual(one('body-mismatch', '/by'))
  })

  it.each([201, 299, 400, 599])('an undeclared %i is a violation', async (status) => {
    const spec = { responses: { 200: text('code'), '3XX': text('range') } }
    const response = new Response(null, { status })
    expect(await violationsOf(spec, response)).toEqual(one('undocumented-status'))
  })

  it("a network error's status is a violation", async () => {
    const spec = { responses: { '2XX': text('range') } }
    expect(await violationsOf(spec, Response.error())).toEqual(one('undocumented-status'))
  })

  it("a problem's status takes precedence over a range and default", async () => {
    const spec = {
      responses: { '4XX': { description: '' }, default: { description: '' } },
      problems: ['notFound'] as const,
    }
    expect(await violationsOf(spec, problems.notFound())).toEqual([])
    const bare = new Response(null, { status: 404 })
    expect(await violationsOf(spec, bare)).toEqual(one('undocumented-media-type'))
    expect(await violationsOf(spec, new Response(null, { status: 410 }))).toEqual([])
  })

  it('the message names the status, the operation and the request', async () => {
    const spec = { responses: { 200: text('code') } }
    const [violation] = await violationsOf(spec, new Response(null, { status: 418 }))
    expect(violation?.message).toContain('418')
    expect(new ConformanceError(violation ? [violation] : []).message).toContain('readBook')
  })
})

describe('required headers', () => {
  const schema = z.string()
  const headers = {
    ETag: { schema, required: true },
    'X-Page': { schema, required: true },
    'X-Next': { schema },
    'X-Last': { schema, required: false },
  }
  const responses = { 200: { description: '', headers, body: Book } }

  it('a header may be sent in any letter case', async () => {
    const sent = { etag: '"1"', 'x-page': '1' }
    expect(await violationsOf({ responses }, Response.json(book, { headers: sent }))).toEqual([])
  })

  it('all missing headers are reported, along with a body mismatch', async () => {
    const found = await violationsOf({ responses }, Response.json({ ...book, title: 7 }))
    expect(found.map(({ kind, pointer }) => [kind, pointer])).toEqual([
      ['missing-header', undefined],
      ['missing-header', undefined],
      ['body-mismatch', '/title'],
    ])
    expect(found[0]?.message).toContain('ETag')
    expect(found[1]?.message).toContain('X-Page')
  })

  it('a response to HEAD also needs the required headers (RFC 9110 §9.3.2)', async () => {
    const head = new Request(request, { method: 'HEAD' })
    const response = new Response(null, { headers: { ETag: '"1"' } })
    expect(await violationsOf({ responses }, response, head)).toEqual(one('missing-header'))
  })
})

describe('responses without content (RFC 9110 §6.4.1)', () => {
  const described = { description: '', body: Book }

  it.each([204, 205, 304])('%i needs neither a media type nor a body', async (status) => {
    const spec = { responses: { [status]: described } }
    for (const headers of [undefined, { 'Content-Type': 'text/html' }]) {
      const response = new Response(null, { status, ...(headers && { headers }) })
      expect(await violationsOf(spec, response)).toEqual([])
    }
  })

  it('a HEAD response is checked like GET, except for the body', async () => {
    const head = new Request(request, { method: 'HEAD' })
    const spec = { responses: { 200: described }, problems: ['notFound'] as const }
    expect(await violationsOf(spec, new Response(), head)).toEqual([])
    expect(await violationsOf(spec, new Response(null, { status: 404 }), head)).toEqual([])
    const undeclared = new Response(null, { status: 400 })
    expect(await violationsOf(spec, undeclared, head)).toEqual(one('undocumented-status'))
  })

  it('a HEAD response is checked against a HEAD operation if one is defined', async () => {
    const sent = new Request(request, { method: 'HEAD' })
    const ownRoute = { method: 'HEAD', pattern: '/books/:bookId' } as const
    const builder = createDocument({ info }).add(
      defineOperation('readBook', route, { summary: 'One', responses: { 200: described } }),
      defineOperation('hasBook', ownRoute, {
        summary: 'Two',
        responses: { 204: { description: 'The book exists' } },
      }),
    )
    const there = new Response(null, { status: 204 })
    expect(isFailure(await checkResponse(builder, sent, there))).toBe(false)
    const checked = await checkResponse(builder, sent, new Response())
    expect(isFailure(checked) && checked.error.violations[0]?.operationId).toBe('hasBook')
  })
})
