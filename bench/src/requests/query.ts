import { defineOperation } from '@plumbline/openapi'
import { unwrap } from '@plumbline/result'
import { z } from 'zod'
import { compare } from '../compare.ts'

const query = z.object({
  search: z.string(),
  author: z.string(),
  tag: z.array(z.string()),
  page: z.coerce.number().int().min(1),
  limit: z.coerce.number().int().max(100),
  price: z.coerce.number(),
  sort: z.enum(['title', 'author']),
})

const url =
  'http://localhost/books?search=a+book&author=Jos%C3%A9&tag=new&tag=used&page=2&limit=50&price=12.5&sort=title'

const operation = defineOperation('listBooks', { method: 'GET', pattern: '/books' } as const, {
  summary: 'List books',
  query,
  responses: { 204: { description: 'Listed' } },
})

/** A request with only a query: strings, one with percent encoding, a list and numbers. */
export async function compareQuery(): Promise<void> {
  await compare(
    'Parse a request: a query of eight parameters',
    [
      {
        name: '@plumbline/openapi',
        prepare: request,
        run: (one: Request) => operation.parse(one),
        answer: (parsed: Awaited<ReturnType<typeof operation.parse>>) => unwrap(parsed).query,
      },
      { name: FLOOR, prepare: request, run: floor },
    ],
    { budgets: [{ against: FLOOR, atMost: 1.15 }], rounds: 31 },
  )
}

function request(): Request {
  return new Request(url)
}

/** Asynchronous, like every request parser. */
async function floor(one: Request): Promise<unknown> {
  const { searchParams } = new URL(one.url)
  return query.parse({
    search: searchParams.get('search'),
    author: searchParams.get('author'),
    tag: searchParams.getAll('tag'),
    page: searchParams.get('page'),
    limit: searchParams.get('limit'),
    price: searchParams.get('price'),
    sort: searchParams.get('sort'),
  })
}

const FLOOR = 'the floor: new URL and the schema'
