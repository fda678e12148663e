/** The bookshop on @hono/zod-openapi. */
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { bearerAuth } from 'hono/bearer-auth'

const NewBook = z.object({ title: z.string().min(1), stock: z.int().min(0) }).openapi('NewBook')
const Book = NewBook.extend({ id: z.string() }).openapi('Book')
const Problem = z.object({ message: z.string() }).openapi('Problem')
const json = <T extends z.ZodType>(description: string, schema: T) => ({
  description,
  content: { 'application/json': { schema } },
})
const body = { ...json('A book', NewBook), required: true }
const owner = { security: [{ token: [] }], middleware: bearerAuth({ token: 'secret' }) }
const one = { path: '/books/{id}', request: { params: z.object({ id: z.string() }) } } as const
const notFound = json('Book not found', Problem)

const books = new Map<string, z.infer<typeof Book>>()
function save(id: string, book: z.infer<typeof NewBook>) {
  books.set(id, { ...book, id })
  return { ...book, id }
}
const missing = { message: 'Book not found' }
export const app = new OpenAPIHono()
app.openAPIRegistry.registerComponent('securitySchemes', 'token', {
  type: 'http',
  scheme: 'bearer',
})
app.openapi(
  createRoute({
    method: 'get',
    path: '/books',
    summary: 'List books',
    request: { query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }) },
    responses: { 200: json('The books', z.array(Book)) },
  }),
  (c) => c.json([...books.values()].slice(0, c.req.valid('query').limit), 200),
)
app.openapi(
  createRoute({
    method: 'post',
    path: '/books',
    summary: 'Add a book',
    ...owner,
    request: { body },
    responses: { 201: { ...json('The book', Book), headers: z.object({ Location: z.string() }) } },
  }),
  (c) => {
    const book = save(crypto.randomUUID(), c.req.valid('json'))
    return c.json(book, 201, { Location: `/books/${book.id}` })
  },
)
app.openapi(
  createRoute({
    method: 'get',
    summary: 'Read a book',
    ...one,
    responses: { 200: json('The book', Book), 404: notFound },
  }),
  (c) => {
    const book = books.get(c.req.valid('param').id)
    return book ? c.json(book, 200) : c.json(missing, 404)
  },
)
app.openapi(
  createRoute({
    method: 'put',
    summary: 'Replace a book',
    ...one,
    ...owner,
    request: { ...one.request, body },
    responses: { 200: json('The book', Book), 404: notFound },
  }),
  (c) => {
    const { id } = c.req.valid('param')
    return books.has(id) ? c.json(save(id, c.req.valid('json')), 200) : c.json(missing, 404)
  },
)
app.openapi(
  createRoute({
    method: 'delete',
    summary: 'Delete a book',
    ...one,
    ...owner,
    responses: { 204: { description: 'Gone' }, 404: notFound },
  }),
  (c) => (books.delete(c.req.valid('param').id) ? c.body(null, 204) : c.json(missing, 404)),
)
app.openapi(
  createRoute({
    method: 'post',
    summary: 'Buy a book',
    ...one,
    path: '/books/{id}/purchases',
    ...owner,
    responses: { 200: json('The book', Book), 404: notFound, 409: json('Sold out', Problem) },
  }),
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
export const document = app.getOpenAPI31Document({
  openapi: '3.1.0',
  info: { title: 'Bookshop', version: '1.0.0' },
})
