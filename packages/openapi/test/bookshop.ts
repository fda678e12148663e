import { defineProblems } from '@plumbline/problem'
import { ISSUES_SCHEMA } from '@plumbline/problem/zod'
import { z } from 'zod'
import { createDocument, defineOperation } from '../src/index.ts'
import { apiKey, basic, bearer } from '../src/security.ts'
import { FORBIDDEN, implement, type ServerOptions } from '../src/server.ts'

export const problems = defineProblems('https://bookshop.example/problems/', {
  invalid: {
    slug: 'invalid',
    status: 422,
    title: 'Not valid',
    extensions: z.object({ errors: ISSUES_SCHEMA }),
  },
  noAccess: { slug: 'no-access', status: 403, title: 'No access' },
  notFound: { slug: 'not-found', status: 404, title: 'Not found' },
  soldOut: {
    slug: 'sold-out',
    status: 409,
    title: 'Sold out',
    extensions: z.object({ stock: z.int() }),
  },
  unavailable: { slug: 'unavailable', status: 503, title: 'Unavailable' },
})

const NewBook = z
  .object({ title: z.string().min(1), stock: z.int().min(0) })
  .meta({ id: 'NewBook' })
const Book = NewBook.extend({ id: z.string() }).meta({ id: 'Book' })

const operations = [
  defineOperation('listBooks', 'GET /books', {
    summary: 'List books',
    query: z.object({ limit: z.int().min(1).max(100).default(20) }),
    responses: {
      200: {
        description: 'The books',
        body: { 'application/json': z.array(Book), 'text/csv': z.string() },
      },
    },
    security: [],
  }),
  defineOperation('addBook', 'POST /books', {
    summary: 'Add a book',
    body: NewBook,
    responses: {
      201: {
        description: 'The book',
        body: Book,
        headers: { Location: { schema: z.string(), required: true } },
      },
    },
    security: [{ token: ['books:write'] }],
  }),
  defineOperation('readBook', 'GET /books/:id', {
    summary: 'Read a book',
    responses: {
      200: { description: 'The book', body: Book, headers: { ETag: { schema: z.string() } } },
      304: { description: 'Not changed' },
    },
    problems: ['notFound', 'unavailable'],
    security: [{ token: [] }, { key: [] }, {}],
  }),
  defineOperation('deleteBook', 'DELETE /books/:id', {
    summary: 'Delete a book',
    responses: { 204: { description: 'Deleted' } },
    problems: ['notFound'],
    security: [{ login: [], key: [] }],
  }),
  defineOperation('readCover', 'GET /books/:id/cover', {
    summary: 'Read the cover of a book',
    responses: {
      200: { description: 'The cover', body: { 'image/png': z.file() } },
      303: { description: 'Stored elsewhere' },
    },
    problems: ['notFound'],
    security: [],
  }),
  defineOperation('buyBook', 'POST /books/:id/purchases', {
    summary: 'Buy a book',
    params: z.object({ id: z.string().max(10) }),
    body: z.object({ quantity: z.int().min(1) }),
    responses: { 200: { description: 'The book', body: Book } },
    problems: ['notFound', 'soldOut'],
  }),
] as const

/** The document of a bookshop of six operations, which uses every kind of credentials. */
export const bookshopDocument = createDocument({
  info: { title: 'Bookshop', version: '1.0.0' },
  problems,
  defaults: { forbidden: 'noAccess' },
  securitySchemes: {
    token: bearer(),
    key: apiKey({ in: 'header', name: 'X-Key' }),
    login: basic(),
  },
  security: [{ token: [] }],
}).add(...operations)

/** A server of the bookshop with two books: b1, of which there is one copy, and b2 without a cover. */
export function createBookshop(options: ServerOptions<typeof problems> = {}) {
  const books = new Map([
    ['b1', { id: 'b1', title: 'Emma', stock: 1 }],
    ['b2', { id: 'b2', title: 'Persuasion', stock: 0 }],
  ])
  return implement(bookshopDocument, {
    ...options,
    security: {
      token: async ({ token, scopes }) => {
        if (token !== 'writer' && token !== 'reader') return null
        return token === 'reader' && scopes.includes('books:write') ? FORBIDDEN : { name: token }
      },
      key: ({ key }) => key === 'k1' && { client: 1 },
      login: ({ username, password }) =>
        username === 'ann' && password === 'a:b' ? { user: username } : null,
    },
    handlers: {
      listBooks: ({ query, request, reply }) => {
        const listed = [...books.values()].slice(0, query.limit)
        return request.headers.get('Accept') === 'text/csv'
          ? reply(200, listed.map(({ title }) => title).join('\n'), { contentType: 'text/csv' })
          : reply(200, listed, { contentType: 'application/json' })
      },
      addBook: ({ body, principal, reply }) => {
        const book = { ...body, id: principal.name }
        books.set(book.id, book)
        return reply(201, book, { headers: { Location: `/books/${book.id}` } })
      },
      readBook: ({ params, request, reply, problems }) => {
        const book = books.get(params.id)
        if (book === undefined) return problems.notFound()
        if (request.headers.get('If-None-Match') === `"${book.stock}"`) return reply(304)
        return reply(200, book, { headers: { ETag: `"${book.stock}"` } })
      },
      deleteBook: ({ params, principal, reply, problems }) =>
        principal.login.user === 'ann' && principal.key.client === 1 && books.delete(params.id)
          ? reply(204)
          : problems.notFound(),
      readCover: ({ params: { id }, reply, problems }) => {
        if (!books.has(id)) return problems.notFound()
        if (id === 'b2') return reply(303, null, { headers: { Location: '/covers/none.png' } })
        return reply(200, new Uint8Array([137, 80, 78, 71]))
      },
      buyBook: ({ params, body, reply, problems }) => {
        const book = books.get(params.id)
        if (book === undefined) return problems.notFound()
        const stock = book.stock - body.quantity
        if (stock < 0) return problems.soldOut({ extensions: { stock: book.stock } })
        books.set(book.id, { ...book, stock })
        return reply(200, { ...book, stock })
      },
    },
  })
}
