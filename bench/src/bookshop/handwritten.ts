/** Three bookshop operations with @plumbline/openapi, and a hand-written handler that runs the same schemas. */
import { createDocument, defineOperation } from '@plumbline/openapi'
import { implement } from '@plumbline/openapi/server'
import { z } from 'zod'

const NewBook = z.object({ title: z.string().min(1), stock: z.int().min(0) })
const Book = NewBook.extend({ id: z.string() })
const Params = z.object({ id: z.string().min(1) })
const limit = z.int().min(1).max(100)
const Query = z.object({ limit: limit.default(20) })
const TextQuery = z.object({ limit: z.coerce.number().pipe(limit).default(20) })
const emma = { title: 'Emma', stock: 3, id: 'b1' }
const book = { description: 'The book', body: Book }

export const implemented = implement(
  createDocument({ info: { title: 'Bookshop', version: '1.0.0' }, defaults: {} }).add(
    defineOperation('listBooks', 'GET /books', {
      summary: 'List books',
      query: Query,
      responses: { 200: { description: 'The books', body: z.array(Book) } },
    }),
    defineOperation('addBook', 'POST /books', {
      summary: 'Add a book',
      body: NewBook,
      responses: { 201: book },
    }),
    defineOperation('readBook', 'GET /books/:id', {
      summary: 'Read a book',
      params: Params,
      responses: { 200: book },
    }),
  ),
  {
    handlers: {
      listBooks: ({ query, reply }) => reply(200, [{ ...emma, stock: query.limit }]),
      addBook: ({ body, reply }) => reply(201, { ...body, id: 'b1' }),
      readBook: ({ params, reply }) => reply(200, { ...emma, id: params.id }),
    },
  },
)

export async function handwritten(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname === '/books' && request.method === 'GET') {
    const query = TextQuery.safeParse(Object.fromEntries(searchParams))
    return query.success ? json(200, [{ ...emma, stock: query.data.limit }]) : invalid()
  }
  if (pathname === '/books' && request.method === 'POST') {
    const body = NewBook.safeParse(await request.json().catch(() => undefined))
    return body.success ? json(201, { ...body.data, id: 'b1' }) : invalid()
  }
  const found = /^\/books\/([^/]+)$/.exec(pathname)
  if (!found || request.method !== 'GET') return new Response(null, { status: 404 })
  const params = Params.safeParse({ id: decodeURIComponent(found[1] ?? '') })
  return params.success ? json(200, { ...emma, id: params.data.id }) : invalid()
}

function json(status: number, body: unknown): Response {
  const headers = { 'Content-Type': 'application/json' }
  return new Response(JSON.stringify(body), { status, headers })
}

function invalid(): Response {
  return new Response(null, { status: 400 })
}

const url = 'http://localhost/books'

/** The requests to compare. A server makes them, too. */
export const REQUESTS: Readonly<Record<string, () => Request>> = {
  '`GET` with params': () => new Request(`${url}/b1`),
  '`GET` with a query': () => new Request(`${url}?limit=5`),
  '`POST` of a body': () =>
    new Request(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"title":"Emma","stock":3}',
    }),
}
