import { createContractRecorder } from '@plumbline/contract'
import { createDocument, defineOperation } from '@plumbline/openapi'
import { openapiHandler } from '@plumbline/openapi/router'
import { implement } from '@plumbline/openapi/server'
import { checkResponse } from '@plumbline/openapi/testing'
import { isSuccess, unwrap } from '@plumbline/result'
import responseValidator from 'openapi-response-validator'
import { z } from 'zod'
import { printBudget } from '../budget.ts'
import { clock, compare } from '../compare.ts'
import { amount } from '../short.ts'

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
  await recording()
  await recordingWithin()
  await listing()
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

/** A book with members to count: 3 optional ones, one nullable, an enum, a union and two lists. */
const CountedBook = Book.extend({
  subtitle: z.string().nullable().optional(),
  kind: z.enum(['novel', 'poem', 'play']),
  seller: z.union([z.object({ shop: z.string() }), z.object({ person: z.string() })]).optional(),
  reviews: z.array(z.object({ stars: z.int(), text: z.string().optional() })),
}).meta({ id: 'CountedBook' })
const sent = {
  ...book,
  kind: 'novel',
  seller: { shop: 'Corner' },
  reviews: [{ stars: 4 }, { stars: 5, text: 'Good' }],
}

async function recording(): Promise<void> {
  const counted = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(
    defineOperation('addBook', 'POST /books', {
      summary: 'Add a book',
      body: CountedBook,
      responses: { 200: { description: 'The book', body: CountedBook } },
    }),
    defineOperation('readBook', 'GET /books/:id', {
      summary: 'Read a book',
      query: z.object({ page: z.int().optional() }),
      responses: { 200: { description: 'The book', body: CountedBook } },
    }),
  )
  // A recorder does not count members if the document cannot be built.
  const { build: _, ...withoutMembers } = counted
  const text = JSON.stringify(sent)
  const headers = { 'Content-Type': 'application/json' }
  const requests = {
    'GET with a query': () => new Request('http://localhost/books/b1?page=1'),
    'POST of a body': () =>
      new Request('http://localhost/books', { method: 'POST', headers, body: text }),
  }
  const against = 'the recorder without members'
  const copied = 'the recorder without members, and a copy of the request is read'
  for (const [name, prepare] of Object.entries(requests)) {
    const contender = (document: typeof withoutMembers, isCopied = false) => {
      const { middleware } = createContractRecorder(document)
      return async (request: Request) => {
        const copy = isCopied ? request.clone() : null
        const next = async () => {
          if (request.method === 'POST') await request.json()
          return Response.json(sent)
        }
        const { status } = await middleware({ request }, next)
        await copy?.json()
        return status
      }
    }
    const isGet = name.startsWith('GET')
    await compare(
      `Record one exchange: ${name}`,
      [
        { name: '@plumbline/openapi: the recorder', prepare, run: contender(counted) },
        { name: against, prepare, run: contender(withoutMembers) },
        ...(isGet ? [] : [{ name: copied, prepare, run: contender(withoutMembers, true) }]),
      ],
      // A request's body is read a second time. Without members, it is not read at all.
      { budgets: [{ against: isGet ? against : copied, atMost: 1.3 }], rounds: 41 },
    )
  }
}

/** Records answers from `implement`, which keeps the body bytes it reads. */
async function recordingWithin(): Promise<void> {
  const counted = createDocument({ info: { title: 'Books', version: '1' }, defaults: {} }).add(
    defineOperation('addBook', 'POST /books', {
      summary: 'Add a book',
      body: CountedBook,
      responses: { 200: { description: 'The book', body: CountedBook } },
    }),
  )
  const { build: _, ...withoutMembers } = counted
  const against = 'the recorder without members'
  const contender = (document: typeof withoutMembers) => {
    const { middleware } = createContractRecorder(document)
    const { fetch } = implement(counted, {
      middleware,
      handlers: { addBook: ({ body, reply }) => reply(200, body) },
    })
    return async (request: Request) => (await fetch(request)).status
  }
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify(sent)
  const prepare = () => new Request('http://localhost/books', { method: 'POST', headers, body })
  await compare(
    'Record one exchange of `implement`: POST of a body',
    [
      { name: '@plumbline/openapi: the recorder', prepare, run: contender(counted) },
      { name: against, prepare, run: contender(withoutMembers) },
    ],
    { budgets: [{ against, atMost: 1.3 }], rounds: 41 },
  )
}

/** Finds the members in 1,000 operations, each with a body and a response, from a built document. */
async function listing(): Promise<void> {
  const seconds: number[] = []
  let total = 0
  for (let round = 0; round < amount(7, 1); round += 1) {
    const described = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(
      ...Array.from({ length: 1_000 }, (_, at) =>
        defineOperation(`addBook${at}`, { method: 'POST', pattern: `/shelf${at}` } as const, {
          summary: 'Add a book',
          body: CountedBook,
          responses: { 200: { description: 'The book', body: CountedBook } },
        }),
      ),
    )
    unwrap(described.build())
    const started = clock()
    total = createContractRecorder(described).report().members.total
    seconds.push((clock() - started) / 1_000)
  }
  const [median = 0] = seconds.toSorted((a, b) => a - b).slice(seconds.length >> 1)
  console.log(`\nFind the ${total} members of 1,000 operations: ${(median * 1_000).toFixed(0)} ms`)
  printBudget(
    { of: 'Find the members of 1,000 operations', against: 'a second', atMost: 1 },
    seconds,
  )
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
