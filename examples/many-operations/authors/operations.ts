/** The operations of authors. */
import { defineOperation } from '@plumbline/openapi'
import { z } from 'zod'
import { gone, page } from '../shared.ts'

const NewAuthor = z.object({ name: z.string().min(1) }).meta({ id: 'NewAuthor' })
export const Author = NewAuthor.extend({ id: z.string() }).meta({ id: 'Author' })
const author = { description: 'The author', body: Author }
const tags = ['authors']

export const authorOperations = [
  defineOperation('listAuthors', 'GET /authors', {
    summary: 'List authors',
    tags,
    query: page,
    responses: { 200: { description: 'A page of authors', body: z.array(Author) } },
  }),
  defineOperation('addAuthor', 'POST /authors', {
    summary: 'Add an author',
    tags,
    body: NewAuthor,
    responses: { 201: author },
  }),
  defineOperation('readAuthor', 'GET /authors/:id', {
    summary: 'Read an author',
    tags,
    responses: { 200: author },
    problems: ['notFound'],
  }),
  defineOperation('renameAuthor', 'PUT /authors/:id', {
    summary: 'Rename an author',
    tags,
    body: NewAuthor,
    responses: { 200: author },
    problems: ['notFound'],
  }),
  defineOperation('deleteAuthor', 'DELETE /authors/:id', {
    summary: 'Delete an author',
    tags,
    responses: { 204: gone },
    problems: ['notFound', 'hasBooks'],
  }),
] as const
