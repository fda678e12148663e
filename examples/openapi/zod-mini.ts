/** Schemas of zod Mini, whose bundle is smaller. */
import { createDocument, defineOperation } from '@plumbline/openapi'
import { toStandardJsonSchema as json } from '@plumbline/problem/zod-mini'
import { unwrap } from '@plumbline/result'
import * as z from 'zod/mini'

const Book = z
  .object({ title: z.string().check(z.minLength(1)), day: z.optional(z.iso.date()) })
  .check(z.meta({ id: 'Book' }))

// Each schema is converted where it is used. `Book` is nested as it is.
const listBooks = defineOperation('listBooks', 'GET /books', {
  summary: 'List books',
  query: json(z.object({ page: z.optional(z.int()) })),
  responses: { 200: { description: 'The books', body: json(z.array(Book)) } },
})
const request = new Request('http://localhost/books?page=3')
unwrap(await listBooks.parse(request)).query //=> { page: 3 }

const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(listBooks)
const { components } = unwrap(builder.build())
Object.keys(components?.schemas ?? {}) //=> ['Book']
