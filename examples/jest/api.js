/** An API of two operations. */
import { createDocument, defineOperation } from '@plumbline/openapi'
import { implement } from '@plumbline/openapi/server'
import { defineProblems } from '@plumbline/problem'
import { z } from 'zod'

const problems = defineProblems('https://books.example/problems', {
  notFound: { slug: 'not-found', status: 404, title: 'Book not found' },
})
const Book = z.object({ title: z.string() })
export const builder = createDocument({
  info: { title: 'Books', version: '1.0.0' },
  problems,
  defaults: {},
}).add(
  defineOperation('listBooks', 'GET /books', {
    summary: 'List books',
    query: z.object({ limit: z.int().optional() }),
    responses: { 200: { description: 'The books', body: z.array(Book) } },
  }),
  defineOperation('readBook', 'GET /books/:id', {
    summary: 'Read a book',
    responses: { 200: { description: 'The book', body: Book } },
    problems: ['notFound'],
  }),
)

export const api = implement(builder, {
  handlers: {
    listBooks: ({ query: { limit = 1 }, reply }) => reply(200, [{ title: 'Emma' }].slice(0, limit)),
    readBook: ({ params, reply, problems }) =>
      params.id === 'b1' ? reply(200, { title: 'Emma' }) : problems.notFound(),
  },
})
