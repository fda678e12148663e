/** The API, whose document is the type of the client. */
import { createDocument, defineOperation } from '@plumbline/openapi'
import { implement } from '@plumbline/openapi/server'
import { defineProblems } from '@plumbline/problem'
import { z } from 'zod'

const problems = defineProblems('https://books.example/problems', {
  notFound: { slug: 'not-found', status: 404, title: 'Book not found' },
  gone: {
    slug: 'gone',
    status: 404,
    title: 'The book is gone',
    extensions: z.object({ since: z.string() }),
  },
})
const Book = z.object({ title: z.string(), pages: z.int() }).meta({ id: 'Book' })
const info = { title: 'Books', version: '1.0.0' }
export const builder = createDocument({ info, problems, defaults: {} }).add(
  defineOperation('readBook', 'GET /api/books/:id', {
    summary: 'Read a book',
    query: z.object({ pages: z.int().optional() }),
    responses: { 200: { description: 'The book', body: Book } },
    problems: ['notFound', 'gone'],
  }),
  defineOperation('saveCover', 'PUT /api/books/:id/cover', {
    summary: 'Save the cover of a book, and return it',
    body: { 'image/png': z.file() },
    responses: { 200: { description: 'The cover', body: { 'image/png': z.file() } } },
  }),
)

export const api = implement(builder, {
  handlers: {
    readBook: ({ params: { id }, query: { pages = 100 }, reply, problems }) => {
      if (id === 'b1') return reply(200, { title: 'Emma', pages })
      return id === 'b2' ? problems.gone({ extensions: { since: '2026' } }) : problems.notFound()
    },
    saveCover: async ({ body, reply }) => reply(200, new Uint8Array(await body.arrayBuffer())),
  },
})
