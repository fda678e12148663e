/** The catalog of problems, and schemas that operations of several topics use. */
import { defineProblems } from '@plumbline/problem'
import { z } from 'zod'

export const problems = defineProblems('https://library.example/problems/', {
  notFound: { slug: 'not-found', status: 404, title: 'Not found' },
  unknownAuthor: { slug: 'unknown-author', status: 409, title: 'The author is not known' },
  hasBooks: { slug: 'has-books', status: 409, title: 'The author has books' },
})
export const page = z.object({
  limit: z.int().min(1).max(100).default(20),
  offset: z.int().min(0).default(0),
})
export const gone = { description: 'Deleted' }
