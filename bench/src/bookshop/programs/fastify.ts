/** The bookshop on Fastify with its zod provider. */
import bearerAuth from '@fastify/bearer-auth'
import swagger from '@fastify/swagger'
import Fastify, { type onRequestHookHandler } from 'fastify'
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod'
import { z } from 'zod'

const NewBook = z
  .object({ title: z.string().min(1), stock: z.int().min(0) })
  .meta({ id: 'NewBook' })
const Book = NewBook.extend({ id: z.string() }).meta({ id: 'Book' })
const Problem = z.object({ message: z.string() }).meta({ id: 'Problem' })
const params = z.object({ id: z.string() })
const security = [{ token: [] }]

const books = new Map<string, z.infer<typeof Book>>()
function save(id: string, book: z.infer<typeof NewBook>) {
  books.set(id, { ...book, id })
  return { ...book, id }
}
const missing = { message: 'Book not found' }
export const app = Fastify().withTypeProvider<ZodTypeProvider>()
app.setValidatorCompiler(validatorCompiler)
app.setSerializerCompiler(serializerCompiler)
await app.register(swagger, {
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Bookshop', version: '1.0.0' },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  },
  transform: jsonSchemaTransform,
  transformObject: jsonSchemaTransformObject,
})
await app.register(bearerAuth, { keys: ['secret'], addHook: false })
const onRequest = app.verifyBearerAuth as onRequestHookHandler
app.get(
  '/books',
  {
    schema: {
      summary: 'List books',
      querystring: z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
      response: { 200: z.array(Book) },
    },
  },
  async (request) => [...books.values()].slice(0, request.query.limit),
)
app.post(
  '/books',
  {
    onRequest,
    schema: { summary: 'Add a book', security, body: NewBook, response: { 201: Book } },
  },
  async (request, reply) => {
    const book = save(crypto.randomUUID(), request.body)
    return reply.code(201).header('Location', `/books/${book.id}`).send(book)
  },
)
app.get(
  '/books/:id',
  { schema: { summary: 'Read a book', params, response: { 200: Book, 404: Problem } } },
  async (request, reply) => {
    const book = books.get(request.params.id)
    return book ? reply.code(200).send(book) : reply.code(404).send(missing)
  },
)
app.put(
  '/books/:id',
  {
    onRequest,
    schema: {
      summary: 'Replace a book',
      security,
      params,
      body: NewBook,
      response: { 200: Book, 404: Problem },
    },
  },
  async (request, reply) => {
    const { id } = request.params
    return books.has(id)
      ? reply.code(200).send(save(id, request.body))
      : reply.code(404).send(missing)
  },
)
app.delete(
  '/books/:id',
  {
    onRequest,
    schema: {
      summary: 'Delete a book',
      security,
      params,
      response: { 204: z.undefined(), 404: Problem },
    },
  },
  async (request, reply) =>
    books.delete(request.params.id) ? reply.code(204).send() : reply.code(404).send(missing),
)
app.post(
  '/books/:id/purchases',
  {
    onRequest,
    schema: {
      summary: 'Buy a book',
      security,
      params,
      response: { 200: Book, 404: Problem, 409: Problem },
    },
  },
  async (request, reply) => {
    const { id } = request.params
    const book = books.get(id)
    if (book === undefined) return reply.code(404).send(missing)
    const stock = book.stock - 1
    return stock < 0
      ? reply.code(409).send({ message: 'Book sold out' })
      : reply.code(200).send(save(id, { ...book, stock }))
  },
)
await app.ready()
export const document = app.swagger()
