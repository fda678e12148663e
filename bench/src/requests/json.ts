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

const FLOOR = 'the floor: request.json(), new URL and the three schemas'

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

/** A request with params, a query and a JSON body, next to two peers. */
export async function compareJson(): Promise<void> {
  const hono = honoApp()
  const orpc = orpcHandler()
  await compare(
    'Parse a request: params, two query parameters, a JSON body of ten fields',
    [
      {
        name: '@plumbline/openapi',
        prepare: request,
        run: (one: Request) => operation.parse(one, { shelf: 's1' }),
        answer: partsOf,
      },
      { name: FLOOR, prepare: request, run: floor },
      { name: 'the steps that any correct parser takes', prepare: request, run: least },
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
    { budgets: [{ against: FLOOR, atMost: 1.15 }], rounds: 31 },
  )
}

function request(): Request {
  return new Request(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: json,
  })
}

/** The values the peers' handlers receive. Their responses take no time. */
let handled: unknown

/** The parts in this request. */
function partsOf(parsed: Awaited<ReturnType<typeof operation.parse>>): unknown {
  const { params, query, body } = unwrap(parsed)
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

/** The floor, without a URL object. Rejects a wrong media type or a body read before. */
async function least(one: Request): Promise<unknown> {
  if (one.bodyUsed || one.body?.locked) throw new TypeError('the body was read before')
  const search: Record<string, string> = {}
  for (const pair of one.url.slice(one.url.indexOf('?') + 1).split('&')) {
    const equals = pair.indexOf('=')
    search[pair.slice(0, equals)] = pair.slice(equals + 1)
  }
  if (one.headers.get('Content-Type') !== 'application/json') throw new TypeError('not JSON')
  return {
    params: params.parse({ shelf: 's1' }),
    query: query.parse(search),
    body: body.parse(JSON.parse(await one.text())),
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
