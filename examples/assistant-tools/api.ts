import { createDocument, defineOperation } from '@plumbline/openapi'
import { implement } from '@plumbline/openapi/server'
import { defineProblems } from '@plumbline/problem'
import { z } from 'zod'

const problems = defineProblems('https://books.example/problems/', {
  notFound: { slug: 'not-found', status: 404, title: 'Book not found' },
})
const Book = z.object({ title: z.string().min(1), pages: z.int().min(1) }).meta({ id: 'Book' })
const known = { description: 'The book', body: Book }

export const builder = createDocument({
  info: { title: 'Books', version: '1.0.0' },
  problems,
  defaults: {},
}).add(
  defineOperation('findBooks', 'GET /books', {
    summary: 'Find books by a word of their title',
    query: z.object({ word: z.string(), limit: z.int().min(1).max(10).default(3) }),
    responses: { 200: { description: 'The books', body: z.array(Book) } },
  }),
  defineOperation('saveBook', 'PUT /books/:id', {
    summary: 'Save a book',
    description: 'Replaces the book if it exists.',
    body: Book,
    responses: { 200: known },
  }),
  defineOperation('deleteBook', 'DELETE /books/:id', {
    summary: 'Delete a book',
    responses: { 204: { description: 'Deleted' } },
    problems: ['notFound'],
  }),
)

const books = new Map([['b1', { title: 'Emma', pages: 320 }]])
export const api = implement(builder, {
  handlers: {
    findBooks: ({ query, reply }) => {
      const found = [...books.values()].filter(({ title }) => title.includes(query.word))
      return reply(200, found.slice(0, query.limit))
    },
    saveBook: ({ params, body, reply }) => {
      books.set(params.id, body)
      return reply(200, body)
    },
    deleteBook: ({ params, reply, problems }) =>
      books.delete(params.id) ? reply(204) : problems.notFound(),
  },
})
