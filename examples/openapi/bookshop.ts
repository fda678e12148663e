/** A bookshop of six operations. Its handlers cannot answer what its document does not declare. */
import { createDocument, defineOperation } from '@plumbline/openapi'
import { bearer } from '@plumbline/openapi/security'
import { implement } from '@plumbline/openapi/server'
import { defineProblems } from '@plumbline/problem'
import { z } from 'zod'

const problems = defineProblems('https://bookshop.example/problems/', {
  notFound: { slug: 'not-found', status: 404, title: 'Book not found' },
  soldOut: { slug: 'sold-out', status: 409, title: 'Book sold out' },
})
const NewBook = z
  .object({ title: z.string().min(1), stock: z.int().min(0) })
  .meta({ id: 'NewBook' })
const Book = NewBook.extend({ id: z.string() }).meta({ id: 'Book' })
const book = { description: 'The book', body: Book }
const known = { responses: { 200: book }, problems: ['notFound'] } as const
const gone = { responses: { 204: { description: 'Gone' } }, problems: ['notFound'] } as const
const info = { title: 'Bookshop', version: '1.0.0' }
const security = { securitySchemes: { token: bearer() }, security: [{ token: [] }] } as const
export const builder = createDocument({ info, ...security, problems, defaults: {} }).add(
  defineOperation('listBooks', 'GET /books', {
    summary: 'List books',
    query: z.object({ limit: z.int().min(1).max(100).default(20) }),
    responses: { 200: { description: 'The books', body: z.array(Book) } },
    security: [],
  }),
  defineOperation('addBook', 'POST /books', {
    summary: 'Add a book',
    body: NewBook,
    responses: { 201: { ...book, headers: { Location: { schema: z.string(), required: true } } } },
  }),
  defineOperation('readBook', 'GET /books/:id', { summary: 'Read', ...known, security: [] }),
  defineOperation('replaceBook', 'PUT /books/:id', { summary: 'Replace', ...known, body: NewBook }),
  defineOperation('deleteBook', 'DELETE /books/:id', { summary: 'Delete a book', ...gone }),
  defineOperation('buyBook', 'POST /books/:id/purchases', {
    summary: 'Buy a book',
    ...known,
    problems: ['notFound', 'soldOut'],
  }),
)
const books = new Map<string, z.infer<typeof Book>>()
function save(id: string, book: z.infer<typeof NewBook>) {
  books.set(id, { ...book, id })
  return { ...book, id }
}
export const bookshop = implement(builder, {
  security: { token: ({ token }) => (token === 'secret' ? { name: 'owner' } : null) },
  handlers: {
    listBooks: ({ query, reply }) => reply(200, [...books.values()].slice(0, query.limit)),
    addBook: ({ body, reply }) => {
      const book = save(crypto.randomUUID(), body)
      return reply(201, book, { headers: { Location: `/books/${book.id}` } })
    },
    readBook: ({ params, reply, problems }) => {
      const book = books.get(params.id)
      return book ? reply(200, book) : problems.notFound()
    },
    replaceBook: ({ params: { id }, body, reply, problems }) =>
      books.has(id) ? reply(200, save(id, body)) : problems.notFound(),
    deleteBook: ({ params, reply, problems }) =>
      books.delete(params.id) ? reply(204) : problems.notFound(),
    buyBook: ({ params: { id }, reply, problems }) => {
      const book = books.get(id)
      if (book === undefined) return problems.notFound()
      const stock = book.stock - 1
      return stock < 0 ? problems.soldOut() : reply(200, save(id, { ...book, stock }))
    },
  },
})
const response = await bookshop.fetch(new Request('http://localhost/books/b1'))
response.status //=> 404
