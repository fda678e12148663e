import { defineProblems } from '@plumbline/problem'
import { z } from 'zod'
import { defineOperation } from '../operation.ts'

/** The problems of the operations below. */
export const problems = defineProblems('https://example.com/problems', {
  notFound: { slug: 'not-found', status: 404, title: 'Book not found' },
  gone: {
    slug: 'gone',
    status: 404,
    title: 'The book is gone',
    extensions: z.object({ since: z.string() }),
  },
})

const Book = z.object({ id: z.string(), title: z.string(), pages: z.int().default(1) })

/** Operations with each kind of input and answer. */
export const operations = {
  listBooks: defineOperation(
    'listBooks',
    { method: 'GET', pattern: '/books' },
    {
      summary: 'List books',
      query: z.object({ page: z.int().optional(), tag: z.array(z.string()).optional() }),
      responses: {
        200: { description: 'The books', body: z.array(Book) },
        '4XX': { description: 'A text', body: { 'text/plain': z.string() } },
      },
    },
  ),
  readBook: defineOperation(
    'readBook',
    { method: 'GET', pattern: '/books/:bookId' },
    {
      summary: 'Read a book',
      headers: z.object({ 'X-Trace': z.string() }),
      cookies: z.object({ session: z.string().optional() }),
      responses: { 200: { description: 'The book', body: Book } },
      problems: ['notFound', 'gone'],
    },
  ),
  createBook: defineOperation(
    'createBook',
    { method: 'post', pattern: '/books' },
    {
      summary: 'Create a book',
      body: Book,
      responses: { 201: { description: 'The book', body: Book }, 204: { description: 'Known' } },
    },
  ),
  importBooks: defineOperation(
    'importBooks',
    { method: 'POST', pattern: '/imports' },
    {
      summary: 'Import books',
      body: {
        'text/csv': z.string(),
        'application/x-www-form-urlencoded': z.object({
          title: z.string(),
          tag: z.array(z.string()),
        }),
        'multipart/form-data': z.object({
          covers: z.array(z.file()),
          details: z.object({ pages: z.int() }),
        }),
        'image/*': z.file(),
      },
      responses: { default: { description: 'Any' } },
    },
  ),
  replaceCover: defineOperation(
    'replaceCover',
    { method: 'PUT', pattern: '/books/:bookId/cover' },
    { summary: 'Replace the cover', body: z.file(), responses: { 204: { description: 'Done' } } },
  ),
  readCover: defineOperation(
    'readCover',
    { method: 'GET', pattern: '/books/:bookId/cover' },
    {
      summary: 'Read the cover',
      params: z.object({ bookId: z.int() }),
      responses: {
        200: {
          description: 'The cover',
          body: {
            'image/*': z.file(),
            'application/json': z.object({ url: z.string() }),
            'text/event-stream': z.string(),
          },
        },
      },
    },
  ),
}
