/** The operations of books. This file has schemas and no code of the server, so that a client may import it. */
import { defineOperation } from '@plumbline/openapi'
import { z } from 'zod'
import { gone, page } from '../shared.ts'

const NewBook = z.object({ title: z.string().min(1), authorId: z.string() }).meta({ id: 'NewBook' })
export const Book = NewBook.extend({ id: z.string() }).meta({ id: 'Book' })
const book = { description: 'The book', body: Book }
const tags = ['books']

export const bookOperations = [
  defineOperation('listBooks', 'GET /books', {
    summary: 'List books',
    tags,
    query: page,
    responses: { 200: { description: 'A page of books', body: z.array(Book) } },
  }),
  defineOperation('addBook', 'POST /books', {
    summary: 'Add a book',
    tags,
    body: NewBook,
    responses: { 201: book },
    problems: ['unknownAuthor'],
  }),
  defineOperation('readBook', 'GET /books/:id', {
    summary: 'Read a book',
    tags,
    responses: { 200: book },
    problems: ['notFound'],
  }),
  defineOperation('replaceBook', 'PUT /books/:id', {
    summary: 'Replace a book',
    tags,
    body: NewBook,
    responses: { 200: book },
    problems: ['notFound', 'unknownAuthor'],
  }),
  defineOperation('deleteBook', 'DELETE /books/:id', {
    summary: 'Delete a book',
    tags,
    responses: { 204: gone },
    problems: ['notFound'],
  }),
] as const
