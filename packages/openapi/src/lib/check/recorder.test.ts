import { defineProblems } from '@plumbline/problem'
import { createRouter } from '@remix-run/fetch-router'
import { createRoutes, del, get, head, post } from '@remix-run/fetch-router/routes'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createDocument } from '../document/build.ts'
import { defineOperation } from '../operation.ts'
import { createConformanceRecorder } from './recorder.ts'

const problems = defineProblems('https://example.com/problems', {
  notFound: { slug: 'not-found', status: 404, title: 'No such book' },
  gone: { slug: 'gone', status: 404, title: 'The book is gone' },
  invalid: { slug: 'invalid', status: 422, title: 'Not a book' },
})

const routes = createRoutes('/books', {
  listBooks: get('/'),
  createBook: post('/'),
  readBook: get('/:bookId'),
  headBook: head('/:bookId'),
  deleteBook: del('/:bookId'),
})

const Book = z.object({ title: z.string() })

const builder = createDocument({ info: { title: 'Books', version: '1.0.0' }, problems }).add(
  defineOperation('listBooks', routes.listBooks, {
    summary: 'List the books',
    responses: { 200: { description: 'All of them', body: z.array(Book) } },
  }),
  defineOperation('createBook', routes.createBook, {
    summary: 'Create a book',
    responses: {
      201: { description: 'The book', body: Book },
      '3XX': { description: 'Elsewhere' },
    },
    problems: ['invalid'],
  }),
  defineOperation('readBook', routes.readBook, {
    summary: 'Read a book',
    responses: { 200: { description: 'The book', body: Book }, default: { description: 'Else' } },
    problems: ['notFound', 'gone'],
  }),
  defineOperation('deleteBook', routes.deleteBook, {
    summary: 'Delete a book',
    responses: { 204: { description: 'It is gone' } },
  }),
)

const declared = [
  'listBooks 200',
  'createBook 201',
  'createBook 422',
  'readBook 200',
  'readBook 404',
  'deleteBook 204',
]

/** A recorder in front of a router that answers with `respond`. */
function recorded(respond: () => Response | Promise<Response>) {
  const recorder = createConformanceRecorder(builder)
  const router = createRouter({ middleware: [recorder.middleware] })
  for (const route of Object.values(routes)) router.map(route, { handler: respond })
  return {
    ask: (method: string, path: string) =>
      router.fetch(new Request(`http://localhost${path}`, { method })),
    found: () => recorder.violations().map(({ operationId, kind }) => `${operationId} ${kind}`),
    left: () => recorder.uncovered().map(({ operationId, status }) => `${operationId} ${status}`),
  }
}

describe('the recorder in front of a router', () => {
  it('a recorder starts without violations and covered pairs', () => {
    const { found, left } = recorded(() => new Response())
    expect(found()).toEqual([])
    // Ranges and `default` are not pairs. Two problems of one status are one pair.
    expect([...new Set(left())]).toEqual(declared)
    expect(left()).toHaveLength(declared.length)
  })

  it("the client receives the handler's response, and the recorder records it", async () => {
    const response = Response.json({ title: 'A' }, { headers: { 'X-Trace': '1' } })
    const { ask, found, left } = recorded(() => response)
    const answer = await ask('GET', '/books/b1')
    expect(answer).toBe(response)
    expect(await answer.json()).toEqual({ title: 'A' })
    expect(found()).toEqual([])
    expect(left()).toEqual(declared.filter((pair) => pair !== 'readBook 200'))
  })

  it('violations are listed in exchange order', async () => {
    const answers = [
      Response.json({ title: 7 }),
      Response.json({}, { status: 500 }),
      new Response(null, { status: 418 }),
      new Response(null, { status: 204 }),
    ]
    const { ask, found } = recorded(() => answers.shift() ?? new Response())
    await ask('GET', '/books/b1')
    await ask('GET', '/books')
    await ask('DELETE', '/books/b1')
    await ask('DELETE', '/books/b1')
    expect(found()).toEqual([
      'readBook body-mismatch',
      'listBooks undocumented-status',
      'deleteBook undocumented-status',
    ])
  })

  it('problems count as pairs', async () => {
    const { ask, left } = recorded(() => problems.gone())
    await ask('GET', '/books/b1')
    expect(left()).not.toContain('readBook 404')
    expect(left()).toContain('createBook 422')
  })

  it('only declared pairs count, and a range or default counts none', async () => {
    const { ask, found, left } = recorded(() => new Response(null, { status: 302 }))
    await ask('POST', '/books')
    await ask('GET', '/books/b1')
    expect(found()).toEqual([])
    expect(left()).toEqual(declared)
  })

  it('one exchange may have more violations than a call may have arguments', async () => {
    const books = Array.from({ length: 200_000 }, () => ({}))
    const { ask, found } = recorded(() => Response.json(books))
    await ask('GET', '/books')
    expect(found()).toHaveLength(200_000)
  })

  it('an exchange with a violation counts, because the status was returned', async () => {
    const { ask, found, left } = recorded(() => Response.json({}))
    await ask('GET', '/books/b1')
    expect(found()).toEqual(['readBook body-mismatch'])
    expect(left()).not.toContain('readBook 200')
  })

  it('HEAD counts nothing, because the response has an empty body', async () => {
    const { ask, found, left } = recorded(() => new Response())
    await ask('HEAD', '/books/b1')
    expect(found()).toEqual([])
    expect(left()).toEqual(declared)
  })

  it('HEAD counts if a HEAD operation is defined', async () => {
    const route = { method: 'HEAD', pattern: '/books' } as const
    const responses = { 200: { description: 'There are books' } }
    const headBooks = defineOperation('headBooks', route, { summary: 'Books', responses })
    const info = { title: 'Books', version: '1' }
    const recorder = createConformanceRecorder(createDocument({ info }).add(headBooks))
    const request = new Request('http://h/books', { method: 'HEAD' })
    await recorder.middleware({ request }, async () => new Response())
    expect(recorder.uncovered()).toEqual([])
  })

  it('requests that match no route are recorded', async () => {
    const { ask, found } = recorded(() => new Response())
    expect((await ask('GET', '/authors')).status).toBe(404)
    expect((await ask('PUT', '/books/b1')).status).toBe(404)
    expect(found()).toEqual(['null undocumented-operation', 'null undocumented-operation'])
  })

  it('a handler error is rethrown, and the exchange is not recorded', async () => {
    const thrown = new Error('no connection')
    const { ask, found, left } = recorded(() => {
      throw thrown
    })
    await expect(ask('GET', '/books/b1')).rejects.toBe(thrown)
    expect(found()).toEqual([])
    expect(left()).toEqual(declared)
  })

  it('a stream is passed on immediately', async () => {
    const open = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => undefined) })
    const headers = { 'Content-Type': 'text/event-stream' }
    const { ask, found } = recorded(() => new Response(open, { headers }))
    const answer = await ask('GET', '/books/b1')
    expect(answer.bodyUsed).toBe(false)
    expect(found()).toEqual(['readBook undocumented-media-type'])
  })

  it('the recorder returns copies of the lists', async () => {
    const recorder = createConformanceRecorder(builder)
    const sent = new Request('http://localhost/authors')
    await recorder.middleware({ request: sent }, async () => new Response())
    const before = recorder.violations()
    await recorder.middleware({ request: sent }, async () => new Response())
    expect(before).toHaveLength(1)
    expect(recorder.violations()).toHaveLength(2)
  })

  it('two recorders for the same document are independent', async () => {
    const one = recorded(() => new Response())
    const other = recorded(() => new Response())
    await one.ask('GET', '/authors')
    expect(one.found()).toHaveLength(1)
    expect(other.found()).toEqual([])
  })

  it('an operation added while recording is covered', async () => {
    const growing = createDocument({ info: { title: 'Books', version: '1.0.0' } })
    const recorder = createConformanceRecorder(growing)
    const exchange = () =>
      recorder.middleware({ request: new Request('http://localhost/books') }, async () =>
        Response.json([]),
      )
    await exchange()
    growing.add(
      defineOperation('listBooks', routes.listBooks, {
        summary: 'List the books',
        responses: { 200: { description: 'All of them', body: z.array(Book) } },
      }),
    )
    expect(recorder.uncovered()).toEqual([{ operationId: 'listBooks', status: 200 }])
    await exchange()
    expect(recorder.uncovered()).toEqual([])
    expect(recorder.violations()).toHaveLength(1)
  })
})
