/** Schemas of ArkType and Valibot in one document. */
import { createDocument, defineOperation } from '@plumbline/openapi'
import { unwrap } from '@plumbline/result'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'

const Page = type({ 'page?': 'number.integer > 0' })
const Book = v.pipe(v.object({ title: v.string() }), v.metadata({ id: 'Book' }))

const listBooks = defineOperation('listBooks', 'GET /books', {
  summary: 'List books',
  query: Page,
  responses: {
    200: { description: 'The books', body: toStandardJsonSchema(v.array(Book)) },
  },
})
const request = new Request('http://localhost/books?page=3')
unwrap(await listBooks.parse(request)).query //=> { page: 3 }

const builder = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(listBooks)
const { components } = unwrap(builder.build())
Object.keys(components?.schemas ?? {}) //=> ['Book']
