/** The bookshop on oRPC. */
import { OpenAPIGenerator, oo } from '@orpc/openapi'
import { OpenAPIHandler } from '@orpc/openapi/fetch'
import { ORPCError, os } from '@orpc/server'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import { z } from 'zod'

const NewBook = z.object({ title: z.string().min(1), stock: z.int().min(0) })
const Book = NewBook.extend({ id: z.string() })
const Id = z.object({ id: z.string() })

const books = new Map<string, z.infer<typeof Book>>()
function save(id: string, book: z.infer<typeof NewBook>) {
  books.set(id, { ...book, id })
  return { ...book, id }
}
const base = os.$context<{ headers: Headers }>()
const authenticate = base.middleware(({ context, next }) => {
  if (context.headers.get('Authorization') === 'Bearer secret') return next()
  throw new ORPCError('UNAUTHORIZED')
})
const owner = base.use(oo.spec(authenticate, { security: [{ token: [] }] }))
const NOT_FOUND = { message: 'Book not found' }
const router = {
  listBooks: base
    .route({ method: 'GET', path: '/books', summary: 'List books' })
    .input(z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }))
    .output(z.array(Book))
    .handler(({ input }) => [...books.values()].slice(0, input.limit)),
  addBook: owner
    .route({
      method: 'POST',
      path: '/books',
      summary: 'Add a book',
      successStatus: 201,
      outputStructure: 'detailed',
    })
    .input(NewBook)
    .output(z.object({ headers: z.object({ location: z.string() }), body: Book }))
    .handler(({ input }) => {
      const book = save(crypto.randomUUID(), input)
      return { headers: { location: `/books/${book.id}` }, body: book }
    }),
  readBook: base
    .route({ method: 'GET', path: '/books/{id}', summary: 'Read a book' })
    .errors({ NOT_FOUND })
    .input(Id)
    .output(Book)
    .handler(({ input, errors }) => {
      const book = books.get(input.id)
      if (book === undefined) throw errors.NOT_FOUND()
      return book
    }),
  replaceBook: owner
    .route({ method: 'PUT', path: '/books/{id}', summary: 'Replace a book' })
    .errors({ NOT_FOUND })
    .input(NewBook.extend(Id.shape))
    .output(Book)
    .handler(({ input: { id, ...book }, errors }) => {
      if (!books.has(id)) throw errors.NOT_FOUND()
      return save(id, book)
    }),
  deleteBook: owner
    .route({
      method: 'DELETE',
      path: '/books/{id}',
      summary: 'Delete a book',
      successStatus: 204,
    })
    .errors({ NOT_FOUND })
    .input(Id)
    .handler(({ input, errors }) => {
      if (!books.delete(input.id)) throw errors.NOT_FOUND()
    }),
  buyBook: owner
    .route({ method: 'POST', path: '/books/{id}/purchases', summary: 'Buy a book' })
    .errors({ NOT_FOUND, SOLD_OUT: { status: 409, message: 'Book sold out' } })
    .input(Id)
    .output(Book)
    .handler(({ input: { id }, errors }) => {
      const book = books.get(id)
      if (book === undefined) throw errors.NOT_FOUND()
      const stock = book.stock - 1
      if (stock < 0) throw errors.SOLD_OUT()
      return save(id, { ...book, stock })
    }),
}
const handler = new OpenAPIHandler(router)
export async function fetch(request: Request): Promise<Response> {
  const { headers } = request
  const { matched, response } = await handler.handle(request, { context: { headers } })
  return matched ? response : new Response('Not found', { status: 404 })
}
const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] })
export const document = await generator.generate(router, {
  info: { title: 'Bookshop', version: '1.0.0' },
  commonSchemas: { NewBook: { schema: NewBook }, Book: { schema: Book } },
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
})
