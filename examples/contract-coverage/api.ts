/** An API of three operations, as one fetch handler. */
import { createDocument, defineOperation } from '@plumbline/openapi'
import { defineProblems } from '@plumbline/problem'
import { isFailure } from '@plumbline/result'
import { z } from 'zod'

export const problems = defineProblems('https://books.example/problems', {
  notFound: { slug: 'not-found', status: 404, title: 'Book not found' },
  invalid: { slug: 'invalid', status: 422, title: 'The request is not valid' },
})

const Book = z.object({ id: z.string(), title: z.string() })

const listBooks = defineOperation('listBooks', 'GET /books', {
  summary: 'List books',
  query: z.object({ title: z.string().optional() }),
  headers: z.object({ 'X-Request-Id': z.string().optional() }),
  responses: {
    200: { description: 'The books', body: z.array(Book) },
    503: { description: 'The books are not available' },
  },
})

const createBook = defineOperation('createBook', 'POST /books', {
  summary: 'Create a book',
  body: {
    'application/json': z.object({ title: z.string().min(1) }),
    'application/x-www-form-urlencoded': z.object({ title: z.string().min(1) }),
  },
  responses: { 201: { description: 'The book', body: Book } },
  problems: ['invalid'],
})

const readBook = defineOperation('readBook', 'GET /books/:id', {
  summary: 'Read a book',
  responses: { 200: { description: 'The book', body: Book } },
  problems: ['notFound'],
})

export const api = createDocument({
  info: { title: 'Books', version: '1.0.0' },
  problems,
}).add(listBooks, createBook, readBook)

const books = new Map([['b1', { id: 'b1', title: 'Emma' }]])

/** Answers a request to the API. */
export async function fetchBooks(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname !== '/books') {
    const book = books.get(pathname.replace('/books/', ''))
    return book ? Response.json(book) : problems.notFound()
  }
  if (request.method === 'POST') {
    const parsed = await createBook.parse(request)
    if (isFailure(parsed)) return problems.invalid()
    const book = { id: `b${books.size + 1}`, title: parsed.data.body.title }
    books.set(book.id, book)
    return Response.json(book, { status: 201 })
  }
  const parsed = await listBooks.parse(request)
  if (isFailure(parsed)) return problems.invalid()
  const { title = '' } = parsed.data.query
  return Response.json([...books.values()].filter((book) => book.title.includes(title)))
}
