import { createDocument, defineOperation } from '@plumbline/openapi'
import { z } from 'zod'

const Book = z.object({
  title: z.string(),
  note: z.string().nullable().optional(),
  kind: z.enum(['novel', 'poem', 'map']).optional(),
})
const added = { 204: { description: 'Added' } }

/** The document that production serves. */
export const current = createDocument({
  info: { title: 'Books', version: '1.0.0' },
  defaults: {},
}).add(
  defineOperation('readBook', 'GET /books/:id', {
    summary: 'Read a book',
    query: z.object({ view: z.enum(['short', 'whole']).optional() }),
    responses: { 200: { description: 'The book', body: Book.meta({ id: 'Book' }) } },
  }),
  defineOperation('addBook', 'POST /books', {
    summary: 'Add a book',
    body: Book,
    responses: added,
  }),
  defineOperation('readCover', 'GET /books/:id/cover', {
    summary: 'Read the cover',
    responses: { 204: { description: 'No cover' } },
  }),
)

const NextBook = Book.extend({ note: z.string().optional(), kind: z.enum(['novel', 'poem']) })

/** A proposal: one view, new books without `null` and with a kind that is not a map, and no covers. */
export const next = createDocument({
  info: { title: 'Books', version: '2.0.0' },
  defaults: {},
}).add(
  defineOperation('readBook', 'GET /books/:id', {
    summary: 'Read a book',
    query: z.object({ view: z.enum(['whole']).optional() }),
    responses: { 200: { description: 'The book', body: Book.meta({ id: 'Book' }) } },
  }),
  defineOperation('addBook', 'POST /books', {
    summary: 'Add a book',
    body: NextBook,
    responses: added,
  }),
)
