/** Examples of bodies, parameters and headers, which the build checks against their schemas. */
import { createDocument, defineOperation } from '@plumbline/openapi'
import { isFailure, unwrap } from '@plumbline/result'
import { z } from 'zod'

const info = { title: 'Books', version: '1.0.0' }
const Book = z.object({ title: z.string().meta({ examples: ['Emma'] }) })
const readBook = defineOperation('readBook', 'GET /books/:bookId', {
  summary: 'Read a book',
  params: z.object({ bookId: z.string() }),
  examples: { params: { bookId: { known: { value: 'b1' } } } },
  responses: {
    200: {
      description: 'The book',
      body: Book,
      examples: { emma: { summary: 'A novel', value: { title: 'Emma' } } },
    },
  },
})
const { paths } = unwrap(createDocument({ info }).add(readBook).build())
paths?.['/books/{bookId}']?.get?.parameters //=> [
//     {
//       name: 'bookId',
//       in: 'path',
//       required: true,
//       schema: { type: 'string' },
//       examples: { known: { value: 'b1' } },
//     },
//   ]

// An example that a schema rejects is a fault, also one that the schema itself has.
const wrong = defineOperation('addBook', 'POST /books', {
  summary: 'Add a book',
  body: z.object({ pages: z.int().meta({ examples: ['many'] }) }),
  examples: { body: { short: { value: { pages: 'few' } } } },
  responses: { 204: { description: 'Added' } },
})
const built = createDocument({ info }).add(wrong).build()
isFailure(built) && built.error.errors.map(({ code, pointer }) => `${code} ${pointer}`) //=> [
//     'invalid-example /paths/~1books/post/requestBody/content/application~1json/examples/short',
//     'invalid-example /paths/~1books/post/requestBody/content/application~1json/schema/properties/pages/examples/0',
//   ]
