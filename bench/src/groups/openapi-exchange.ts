import { createDocument, defineOperation } from '@plumbline/openapi'
import { openapiHandler } from '@plumbline/openapi/router'
import { checkResponse } from '@plumbline/openapi/testing'
import { isSuccess, unwrap } from '@plumbline/result'
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
      run: async (response: Response) =>
        isSuccess(await checkResponse(document, request, response)),
    },
    {
      name: 'the floor: read the body and run its schema',
      prepare: () => Response.json(book),
      run: async (response: Response) => Book.safeParse(await response.clone().json()).success,
    },
    {
      name: 'openapi-response-validator: only the body, its operation known',
      prepare: () => Response.json(book),
      run: async (response: Response) =>
        validator.validateResponse(200, await response.clone().json()) === undefined,
    },
  ])
}

async function serving(): Promise<void> {
  let builds = 0
  const handler = openapiHandler(() => {
    builds += 1
    return document.build()
  })
  const first = await handler(new Request('http://localhost/openapi.json'))
  const headers = Object.fromEntries(first.headers)
  const bytes = new Uint8Array(await first.arrayBuffer())
  await compare(
    `Serve a document of ${(bytes.length / 1e3).toFixed(0)} kB: 200`,
    [
      {
        name: '@plumbline/openapi',
        run: () => handler(new Request('http://localhost/openapi.json')),
        answer: contentOf,
      },
      {
        name: 'a constant Response',
        run: () => {
          new Request('http://localhost/openapi.json')
          return new Response(bytes, { headers })
        },
        answer: contentOf,
      },
    ],
    { rounds: 61 },
  )
  const { 'content-type': _, ...revalidated } = headers
  const conditional = { headers: { 'If-None-Match': headers.etag ?? '' } }
  await compare('Serve the same document: 304', [
    {
      name: '@plumbline/openapi',
      run: () => handler(new Request('http://localhost/openapi.json', conditional)),
      answer: contentOf,
    },
    {
      name: 'a constant Response',
      run: () => {
        new Request('http://localhost/openapi.json', conditional)
        return new Response(null, { status: 304, headers: revalidated })
      },
      answer: contentOf,
    },
  ])
  if (builds !== 1) throw new Error(`the document was built ${builds} times`)
}

async function contentOf(response: Response): Promise<unknown> {
  const { status, headers } = response
  return { status, headers: [...headers], text: await response.text() }
}
