/** The bookshop on hono-openapi. */
import { Hono } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import { describeRoute, generateSpecs, resolver, validator } from 'hono-openapi'
import { z } from 'zod'

const NewBook = z
  .object({ title: z.string().min(1), stock: z.int().min(0) })
  .meta({ id: 'NewBook' })
const Book = NewBook.extend({ id: z.string() }).meta({ id: 'Book' })
const Problem = z.object({ message: z.string() }).meta({ id: 'Problem' })
const json = (description: string, schema: z.ZodType) => ({
  description,
  content: { 'application/json': { schema: resolver(schema) } },
})
const notFound = json('Book not found', Problem)
const oneBook = { 200: json('The book', Book), 404: notFound }
const id = validator('param', z.object({ id: z.string() }))
const owner = bearerAuth({ token: 'secret' })
const security = [{ token: [] }]

const books = new Map<string, z.infer<typeof Book>>()
function save(id: string, book: z.infer<typeof NewBook>) {
  books.set(id, { ...book, id })
  return { ...book, id }
}
const missing = { message: 'Book not found' }
export const app = new Hono()
app.get(
  '/books',
  describeRoute({ summary: 'List books', responses: { 200: json('The books', z.array(Book)) } }),
  validator('query', z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) })),
  (c) => c.json([...books.values()].slice(0, c.req.valid('query').limit), 200),
)
app.post(
  '/books',
  describeRoute({
    summary: 'Add a book',
    security,
    responses: {
      201: {
        ...json('The book', Book),
        headers: { Location: { schema: { type: 'string' }, required: true } },
      },
    },
  }),
  owner,
  validator('json', NewBook),
  (c) => {
    const book = save(crypto.randomUUID(), c.req.valid('json'))
    return c.json(book, 201, { Location: `/books/${book.id}` })
  },
)
app.get('/books/:id', describeRoute({ summary: 'Read', responses: oneBook }), id, (c) => {
  const book = books.get(c.req.valid('param').id)
  return book ? c.json(book, 200) : c.json(missing, 404)
})
app.put(
  '/books/:id',
  describeRoute({ summary: 'Replace', security, responses: oneBook }),
  owner,
  id,
  validator('json', NewBook),
  (c) => {
    const { id } = c.req.valid('param')
    return books.has(id) ? c.json(save(id, c.req.valid('json')), 200) : c.json(missing, 404)
  },
)
app.delete(
  '/books/:id',
  describeRoute({
    summary: 'Delete a book',
    security,
    responses: { 204: { description: 'Gone' }, 404: notFound },
  }),
  owner,
  id,
  (c) => (books.delete(c.req.valid('param').id) ? c.body(null, 204) : c.json(missing, 404)),
)
app.post(
  '/books/:id/purchases',
  describeRoute({
    summary: 'Buy a book',
    security,
    responses: { ...oneBook, 409: json('Book sold out', Problem) },
  }),
  owner,
  id,
  (c) => {
    const { id } = c.req.valid('param')
    const book = books.get(id)
    if (book === undefined) return c.json(missing, 404)
    const stock = book.stock - 1
    return stock < 0
      ? c.json({ message: 'Book sold out' }, 409)
      : c.json(save(id, { ...book, stock }), 200)
  },
)
export const document = await generateSpecs(app, {
  documentation: {
    info: { title: 'Bookshop', version: '1.0.0' },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  },
})
