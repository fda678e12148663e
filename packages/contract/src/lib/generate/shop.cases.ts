import { createDocument, defineOperation } from '@plumbline/openapi'
import { bearer } from '@plumbline/openapi/security'
import { implement } from '@plumbline/openapi/server'
import { defineProblems } from '@plumbline/problem'
import { z } from 'zod'

const problems = defineProblems('https://shop.example/problems/', {
  notFound: { slug: 'not-found', status: 404, title: 'Not found' },
})
const Book = z.object({ id: z.string(), title: z.string() }).meta({ id: 'Book' })

/** The document of a small shop. */
export const shopDocument = createDocument({
  info: { title: 'Shop', version: '1.0.0' },
  problems,
  defaults: {},
  securitySchemes: { token: bearer() },
  security: [{ token: [] }],
}).add(
  defineOperation('addBook', 'POST /books', {
    summary: 'Add a book',
    body: z.object({
      title: z.string().min(1).max(50),
      kind: z.enum(['novel', 'poems']).optional(),
    }),
    responses: {
      201: {
        description: 'The book',
        body: Book,
        headers: { Location: { schema: z.string(), required: true } },
      },
    },
  }),
  defineOperation('readBook', 'GET /books/:bookId', {
    summary: 'Read a book',
    responses: { 200: { description: 'The book', body: Book } },
    problems: ['notFound'],
  }),
  defineOperation('deleteBook', 'DELETE /books/:bookId', {
    summary: 'Delete a book',
    responses: { 204: { description: 'Deleted' } },
    problems: ['notFound'],
  }),
  defineOperation('orderBooks', 'POST /orders', {
    summary: 'Order books',
    body: z.object({ prices: z.array(z.int().min(0).max(1_000)).max(5) }),
    responses: { 200: { description: 'The highest price', body: z.object({ highest: z.int() }) } },
  }),
)

/** The bugs that a server of the shop may have. */
export const BUGS = ['status', 'header', 'empty', 'long', 'security'] as const

/** A server of the shop with bugs, its credentials, and the number of requests that it has answered. */
export function createShop(bugs: readonly (typeof BUGS)[number][] = []) {
  const books = new Map<string, { readonly id: string; readonly title: string }>()
  const has = (bug: (typeof BUGS)[number]) => bugs.includes(bug)
  const api = implement(shopDocument, {
    onError: () => undefined,
    security: { token: ({ token }) => (token === 'secret' ? { name: 'ann' } : null) },
    handlers: {
      addBook: ({ body: { title }, reply }) => {
        const book = { id: crypto.randomUUID(), title }
        books.set(book.id, book)
        return reply(201, book, { headers: { Location: `/books/${book.id}` } })
      },
      readBook: ({ params, reply, problems }) => {
        const book = books.get(params.bookId)
        return book === undefined ? problems.notFound() : reply(200, book)
      },
      deleteBook: ({ params, reply, problems }) =>
        books.delete(params.bookId) ? reply(204) : problems.notFound(),
      orderBooks: ({ body: { prices }, reply }) => {
        const highest = has('empty')
          ? prices.reduce((a, b) => Math.max(a, b))
          : Math.max(0, ...prices)
        return reply(200, { highest })
      },
    },
  })
  const answer = async (request: Request): Promise<Response> => {
    const { method, headers } = request
    if (has('security') && method === 'DELETE') headers.set('Authorization', 'Bearer secret')
    const response = await api.fetch(has('long') ? await cut(request) : request)
    if (has('header')) response.headers.delete('Location')
    return has('status') && method === 'GET' && response.ok
      ? new Response(response.body, { status: 203, headers: response.headers })
      : response
  }
  const requests = { count: 0 }
  const fetch = (request: Request) => {
    requests.count += 1
    return answer(request)
  }
  return { document: shopDocument, fetch, requests, credentials: { token: 'secret' } }
}

/** Cuts long titles, so that they are accepted. */
async function cut(request: Request): Promise<Request> {
  if (!request.url.endsWith('/books') || request.method !== 'POST') return request
  const text = await request.clone().text()
  try {
    const { title, ...rest } = JSON.parse(text)
    if (typeof title !== 'string' || title.length <= 50) return request
    const { url, method, headers } = request
    const body = JSON.stringify({ ...rest, title: title.slice(0, 50) })
    return new Request(url, { method, headers, body })
  } catch {
    return request
  }
}
