import { createDocument, defineOperation } from '@plumbline/openapi'
import { bearer } from '@plumbline/openapi/security'
import { implement } from '@plumbline/openapi/server'
import { defineProblems } from '@plumbline/problem'
import { z } from 'zod'

const problems = defineProblems('https://books.example/problems/', {
  notFound: { slug: 'not-found', status: 404, title: 'Book not found' },
})
const Book = z.object({ title: z.string().min(1) }).meta({ id: 'Book' })
const known = { responses: { 200: { description: 'The book', body: Book } } } as const
const info = { title: 'Books', version: '1.0.0' }
const security = { securitySchemes: { token: bearer() }, security: [{ token: [] }] } as const

/** The document of an API at this url, such as `https://books.example/api`. */
export function describeBooks(url: string) {
  const servers = [{ url }]
  return createDocument({ info, servers, ...security, problems, defaults: {} }).add(
    defineOperation('readBook', 'GET /books/:id', {
      summary: 'Read a book',
      ...known,
      problems: ['notFound'],
      query: z.object({ upperCase: z.boolean().default(false) }),
      security: [],
    }),
    defineOperation('saveBook', 'PUT /books/:id', { summary: 'Save a book', body: Book, ...known }),
    defineOperation('deleteBook', 'DELETE /books/:id', {
      summary: 'Delete a book',
      problems: ['notFound'],
      responses: { 204: { description: 'Deleted' } },
    }),
    defineOperation('echoCover', 'POST /covers', {
      summary: 'Receive a cover',
      body: { 'image/png': z.file() },
      responses: { 200: { description: 'The cover', body: { 'image/png': z.file() } } },
    }),
  )
}

/** The API. `basePath` is necessary only for a server without a router, which passes all paths. */
export function createApi(url: string, options: { readonly basePath?: string } = {}) {
  const books = new Map<string, z.infer<typeof Book>>()
  return implement(describeBooks(url), {
    ...options,
    security: { token: ({ token }) => (token === 'secret' ? { name: 'owner' } : null) },
    handlers: {
      readBook: ({ params, query, reply, problems }) => {
        const book = books.get(params.id)
        if (book === undefined) return problems.notFound()
        return reply(200, query.upperCase ? { title: book.title.toUpperCase() } : book)
      },
      saveBook: ({ params, body, reply }) => {
        books.set(params.id, body)
        return reply(200, body)
      },
      deleteBook: ({ params, reply, problems }) =>
        books.delete(params.id) ? reply(204) : problems.notFound(),
      echoCover: ({ body, reply }) => reply(200, body),
    },
  })
}
