import { createDocument, defineOperation } from '@plumbline/openapi'
import { openapiHandler } from '@plumbline/openapi/router'
import { checkResponse } from '@plumbline/openapi/testing'
import { unwrap } from '@plumbline/result'
import responseValidator from 'openapi-response-validator'
import { z } from 'zod'
import { compare } from '../compare.ts'

const Book = z
  .object({ id: z.string(), title: z.string(), pages: z.int().min(1), tags: z.array(z.string()) })
  .meta({ id: 'Book' })
const book = { id: 'b1', title: 'A book', pages: 320, tags: ['new'] }

const document = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(
  ...Array.from({ length: 1_000 }, (_, at) =>
    defineOperation(`readBook${at}`, { method: 'GET', pattern: `/shelf${at}/:id` } as const, {
      summary: 'Read a book',
      responses: { 200: { description: 'The book', body: Book } },
    }),
  ),
)
const request = new Request('http://localhost/shelf777/b1')

export async function run(): Promise<void> {
  await checking()
  await serving()
}

async function checking(): Promise<void> {
  const built = unwrap(document.build())
  const validator = new responseValidator.default({
    responses: { 200: { description: 'The book', schema: { $ref: '#/components/schemas/Book' } } },
    components: built.components,
  } as never)
  await compare('Check one exchange against a document of 1,000 operations', [
    {
      name: '@plumbline/openapi: match, media type, headers and body',
      prepare: () => Response.json(book),
      run: async (response: Response) => unwrap(await checkResponse(document, request, response)),
    },
    {
      name: 'the floor: read the body and run its schema',
      prepare: () => Response.json(book),
      run: async (response: Response) => Book.parse(await response.clone().json()),
    },
    {
      name: 'openapi-response-validator: the body alone, its operation known',
      prepare: () => Response.json(book),
      run: async (response: Response) =>
        validator.validateResponse(200, await response.clone().json()),
    },
  ])
}

async function serving(): Promise<void> {
  const handler = openapiHandler(() => document.build())
  const first = await handler(new Request('http://localhost/openapi.json'))
  const tag = first.headers.get('ETag') ?? ''
  const bytes = await first.text()
  await compare(`Serve a document of ${(bytes.length / 1e3).toFixed(0)} kB`, [
    {
      name: '200',
      run: () => handler(new Request('http://localhost/openapi.json')),
    },
    {
      name: '304',
      run: () =>
        handler(
          new Request('http://localhost/openapi.json', { headers: { 'If-None-Match': tag } }),
        ),
    },
    {
      name: 'a constant Response',
      run: () => {
        new Request('http://localhost/openapi.json')
        return new Response(bytes, { headers: { 'Content-Type': 'application/json' } })
      },
    },
  ])
}
