import { createDocument, defineOperation } from '@plumbline/openapi'
import { openapiHandler } from '@plumbline/openapi/router'
import { implement } from '@plumbline/openapi/server'
import { defineProblems } from '@plumbline/problem'
import { z } from 'zod'

const Book = z.object({ title: z.string().min(1), pages: z.int().min(1) }).meta({ id: 'Book' })
const problems = defineProblems('https://books.example/problems/', {
  notFound: { slug: 'not-found', status: 404, title: 'Book not found' },
})
const builder = createDocument({
  info: { title: 'Books', version: '1.0.0' },
  servers: [{ url: 'http://localhost:3000/api' }],
  problems,
  defaults: {},
}).add(
  defineOperation('saveBook', 'PUT /books/:id', {
    summary: 'Save a book',
    body: Book,
    responses: { 200: { description: 'The book', body: Book } },
  }),
  defineOperation('readBook', 'GET /books/:id', {
    summary: 'Read a book',
    responses: { 200: { description: 'The book', body: Book } },
    problems: ['notFound'],
  }),
)

/** Answers requests for the document, as JSON or YAML. */
export const serveDocument = openapiHandler(() => builder.build())

/** The API, with its books in memory. */
export function createApi() {
  const books = new Map<string, z.infer<typeof Book>>()
  return implement(builder, {
    handlers: {
      saveBook: ({ params, body, reply }) => {
        books.set(params.id, body)
        return reply(200, body)
      },
      readBook: ({ params, reply, problems }) => {
        const book = books.get(params.id)
        return book ? reply(200, book) : problems.notFound()
      },
    },
  })
}
