import { createRoute, OpenAPIHono } from '@hono/zod-openapi'
import { OpenAPIHandler } from '@orpc/openapi/fetch'
import { os } from '@orpc/server'
import { defineOperation } from '@plumbline/openapi'
import { unwrap } from '@plumbline/result'
import { z } from 'zod'
import { compare } from '../compare.ts'

const params = z.object({ shelf: z.string() })
const query = z.object({ page: z.coerce.number().int().optional(), draft: z.string().optional() })
const body = z.object({
  title: z.string().min(1),
  subtitle: z.string().optional(),
  author: z.string(),
  isbn: z.string().length(13),
  pages: z.int().min(1),
  price: z.number(),
  inPrint: z.boolean(),
  language: z.enum(['en', 'de', 'fr']),
  publisher: z.string(),
  notes: z.string().max(1000),
})

const url = 'http://localhost/shelves/s1/books?page=2&draft=yes'
const json = JSON.stringify({
  title: 'A book',
  subtitle: 'of ten fields',
  author: 'Somebody',
  isbn: '9780000000002',
  pages: 320,
  price: 12.5,
  inPrint: true,
  language: 'en',
  publisher: 'A house',
  notes: 'Some words about the book that are not very long.',
})

const operation = defineOperation(
  'addBook',
  { method: 'POST', pattern: '/shelves/:shelf/books' } as const,
  { summary: 'Add a book', params, query, body, responses: { 204: { description: 'Added' } } },
)

export async function run(): Promise<void> {
  const hono = honoApp()
  const orpc = orpcHandler()
  await compare(
    'Parse a request: params, two query parameters, a JSON body of ten fields',
    [
      { name: '@plumbline/openapi', prepare: request, run: ours, answer: partsOf },
      {
        name: 'the floor: request.json(), new URL and the three schemas',
        prepare: request,
        run: floor,
      },
      {
        name: '@hono/zod-openapi, routing included',
        prepare: request,
        run: (one: Request) => hono.fetch(one),
        answer: () => handled,
      },
      {
        name: 'oRPC, routing included',
        prepare: request,
        run: (one: Request) => orpc.handle(one, { context: {} }),
        answer: () => handled,
      },
    ],
    {
      budgets: [
        { against: 'the floor: request.json(), new URL and the three schemas', atMost: 1.25 },
      ],
    },
  )
}

function request(): Request {
  return new Request(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: json,
  })
}

async function ours(one: Request) {
  return unwrap(await operation.parse(one, { shelf: 's1' }))
}

/** The values that the handlers of the peers received; their responses take no time. */
let handled: unknown

/** The parts that this request has. */
function partsOf({ params, query, body }: Awaited<ReturnType<typeof ours>>): unknown {
  return { params, query, body }
}

async function floor(one: Request): Promise<unknown> {
  const search: Record<string, string> = {}
  for (const [name, value] of new URL(one.url).searchParams) search[name] = value
  return {
    params: params.parse({ shelf: 's1' }),
    query: query.parse(search),
    body: body.parse(await one.json()),
  }
}

function honoApp(): OpenAPIHono {
  const route = createRoute({
    method: 'post',
    path: '/shelves/{shelf}/books',
    request: {
      params,
      query,
      body: { required: true, content: { 'application/json': { schema: body } } },
    },
    responses: { 204: { description: 'Added' } },
  })
  const app = new OpenAPIHono()
  app.openapi(route, (context) => {
    handled = {
      params: context.req.valid('param'),
      query: context.req.valid('query'),
      body: context.req.valid('json'),
    }
    return new Response(null, { status: 204 })
  })
  return app
}

function orpcHandler() {
  const router = {
    addBook: os
      .route({ method: 'POST', path: '/shelves/{shelf}/books', inputStructure: 'detailed' })
      .input(z.object({ params, query, body }))
      .handler(({ input }) => {
        handled = input
      }),
  }
  return new OpenAPIHandler(router)
}
