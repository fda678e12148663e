import {
  createContractRecorder,
  GeneratedTestError,
  type GenerateOptions,
  generateTests,
} from '@plumbline/contract'
import { createDocument, defineOperation } from '@plumbline/openapi'
import { bearer } from '@plumbline/openapi/security'
import { implement } from '@plumbline/openapi/server'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { BUGS, createShop, shopDocument } from './shop.cases.ts'

/** Runs all tests of a shop, and returns the failures by test. */
async function failuresOf(shop: ReturnType<typeof createShop>, options: GenerateOptions = {}) {
  const { credentials } = shop
  const found = new Map<string, GeneratedTestError>()
  for (const { name, run } of generateTests(shop, { credentials, ...options })) {
    try {
      await run()
    } catch (error) {
      if (!(error instanceof GeneratedTestError)) throw error
      found.set(name, error)
    }
  }
  return found
}

const VALID = 'valid requests get a declared answer'
const BROKEN = 'requests that break one constraint are rejected'
const SECRET = 'requests without valid credentials are rejected'

/** The test that finds each bug, and the violated part of the document. */
const FOUND = {
  status: [`readBook: ${VALID}`, '/paths/~1books~1{bookId}/get', /status 203 is not declared/],
  header: [`addBook: ${VALID}`, '/paths/~1books/post', /header Location is missing/],
  empty: [`orderBooks: ${VALID}`, '/paths/~1orders/post', /answered 500/],
  long: [
    `addBook: ${BROKEN}`,
    '/paths/~1books/post/requestBody/content/application~1json/schema/properties/title/maxLength',
    /answered 201, not 400/,
  ],
  security: [
    `deleteBook: ${SECRET}`,
    '/paths/~1books~1{bookId}/delete/security',
    /without credentials was answered 204/,
  ],
} as const

describe('generateTests against servers with planted bugs', () => {
  it.each(BUGS)('the tests find the bug %s, and name the violated part', async (bug) => {
    const [name, pointer, message] = FOUND[bug]
    const failures = await failuresOf(createShop([bug]), { seed: 7 })
    expect([...failures.keys()]).toEqual([name])
    expect(failures.get(name)?.failures[0]).toMatchObject({ pointer })
    expect(failures.get(name)?.message).toMatch(message)
  })

  it.each([0, 1, 7, 42, 2026])(
    'the tests find all five bugs in at most 500 requests with the seed %i',
    async (seed) => {
      const shop = createShop(BUGS)
      const failures = await failuresOf(shop, { seed })
      expect([...failures.keys()].sort()).toEqual(
        Object.values(FOUND)
          .map(([name]) => name)
          .sort(),
      )
      expect(shop.requests.count).toBeLessThanOrEqual(500)
    },
  )

  it('the tests pass for a server without bugs', async () => {
    const shop = createShop()
    expect(await failuresOf(shop, { runs: 100 })).toEqual(new Map())
    expect(shop.requests.count).toBeGreaterThan(400)
  })
})

it('a redirect is neither a rejection nor a valid answer, unless it is declared', async () => {
  const search = defineOperation('search', 'GET /search', {
    summary: 'Search',
    query: z.object({ page: z.int() }),
    responses: { 200: { description: 'Found' }, 302: { description: 'Moved' } },
    security: [{ token: [] }],
  })
  const open = defineOperation('open', 'GET /open', {
    summary: 'Open',
    responses: { 204: { description: 'Open' } },
  })
  const securitySchemes = { token: bearer() }
  const info = { title: 'Redirects', version: '1' }
  const document = createDocument({ info, defaults: {}, securitySchemes }).add(search, open)
  const fetch = () => new Response(null, { status: 302, headers: { Location: '/login' } })
  const shop = { document, fetch, credentials: { token: 'a' } }
  const failures = await failuresOf(shop as never)
  const messages = [...failures].map(
    ([
      name,
      {
        failures: [first],
      },
    ]) => [name, first?.message],
  )
  expect(messages).toEqual([
    [`search: ${BROKEN}`, expect.stringContaining('was answered 302, not 400')],
    [`search: ${SECRET}`, 'a request without credentials was answered 302, not 401, 403'],
    [`open: ${VALID}`, 'undocumented-status: the status 302 is not declared'],
    ['/search: other methods are rejected', expect.stringContaining('answered 302, not 405')],
    ['/open: other methods are rejected', expect.stringContaining('answered 302, not 405')],
  ])
})

it('a failure prints the smallest request as a curl command, without credentials', async () => {
  const failures = await failuresOf(createShop(['empty']), { seed: 7 })
  expect(failures.get(`orderBooks: ${VALID}`)?.message).toBe(
    [
      'orderBooks: a valid request was answered 500',
      '  contract: /paths/~1orders/post',
      `  request:  curl -X POST -H 'authorization: Bearer <token>' -H 'content-type: application/json' --data-binary '{"prices":[]}' 'http://localhost/orders'`,
      '  answer:   500 {"type":"about:blank","title":"Internal server error","status":500}',
      '',
      'seed: 7',
    ].join('\n'),
  )
})

describe('generateTests options', () => {
  const namesOf = (options: GenerateOptions) =>
    generateTests(createShop(), options).map(({ name }) => name)

  it('one seed sends the same requests each time', async () => {
    const bodies = async (seed: number) => {
      const sent: string[] = []
      const shop = createShop()
      const api = {
        document: shopDocument,
        fetch: async (request: Request) => {
          sent.push(await request.clone().text())
          return await shop.fetch(request)
        },
      }
      const { credentials } = shop
      for (const { run } of generateTests(api, { seed, credentials, runs: 5 })) await run()
      return sent
    }
    const first = await bodies(3)
    expect(await bodies(3)).toEqual(first)
    expect(await bodies(4)).not.toEqual(first)
  })

  it('exclude leaves out operations and single tests', () => {
    const names = namesOf({ exclude: ['deleteBook', `addBook: ${BROKEN}`] })
    expect(names.filter((name) => name.startsWith('deleteBook'))).toEqual([])
    expect(names.filter((name) => name.startsWith('addBook'))).toEqual([
      `addBook: ${VALID}`,
      `addBook: ${SECRET}`,
      'addBook: bodies of another media type are rejected',
      'addBook: malformed bodies are rejected',
    ])
  })

  it('an operation whose credentials are missing fails, and says which are needed', async () => {
    const [test] = generateTests(createShop())
    await expect(test?.run()).rejects.toThrow(
      'addBook needs credentials of token: add them to credentials, or exclude the operation',
    )
  })

  it('credentials rejected by the server do not pass as rejected requests', async () => {
    const tests = generateTests(createShop(), { credentials: () => ({ token: 'expired' }) })
    await expect(tests[0]?.run()).rejects.toThrow('a valid request was answered 401')
  })

  it('setup runs once, and fills the path parameters no operation creates', async () => {
    let [calls, found] = [0, 0]
    const document = createDocument({ info: { title: 'Books', version: '1' }, defaults: {} }).add(
      defineOperation('readAuthor', 'GET /authors/:authorId', {
        summary: 'Read an author',
        responses: { 204: { description: 'Found' }, 404: { description: 'Not found' } },
      }),
    )
    const { fetch } = implement(document, {
      handlers: {
        readAuthor: ({ params, reply }) => {
          if (params.authorId !== 'jane') return reply(404)
          found += 1
          return reply(204)
        },
      },
    })
    const setup = async () => {
      calls += 1
      return { authorId: 'jane' }
    }
    for (const { run } of generateTests({ document, fetch }, { setup })) await run()
    expect(calls).toBe(1)
    expect(found).toBeGreaterThan(25)
  })

  it('recorder receives the exchanges, and the report can be passed as cover', async () => {
    const recorder = createContractRecorder(shopDocument)
    const shop = createShop()
    const { credentials } = shop
    const exclude = ['readBook', 'orderBooks']
    for (const { run } of generateTests(shop, { credentials, recorder, exclude })) await run()
    expect(recorder.violations()).toEqual([])
    const report = recorder.report()
    expect(report.exchanges).toBeGreaterThan(50)
    const covered = report.operations.map((one) => ({
      ...one,
      items: one.items.map((item) => ({ ...item, count: one.exchanges })),
    }))
    const cover = { ...report, operations: covered }
    expect(new Set(namesOf({ cover }).map((name) => name.split(':')[0]))).toEqual(
      new Set(['readBook', 'orderBooks', '/books/{bookId}', '/orders']),
    )
  })

  it('a request aims at an optional parameter the report does not cover', async () => {
    const sent: string[] = []
    const document = createDocument({ info: { title: 'Books', version: '1' }, defaults: {} }).add(
      defineOperation('listBooks', 'GET /books', {
        summary: 'List books',
        query: z.object({ page: z.int().optional(), size: z.int().optional() }),
        responses: { 204: { description: 'None' } },
      }),
    )
    const { fetch } = implement(document, { handlers: { listBooks: ({ reply }) => reply(204) } })
    const recorder = createContractRecorder(document)
    const request = new Request('http://localhost/books?size=1')
    await recorder.middleware({ request }, async () => await fetch(request))
    const api = {
      document,
      fetch: (one: Request) => {
        sent.push(new URL(one.url).search)
        return fetch(one)
      },
    }
    await generateTests(api, { cover: recorder.report() })[0]?.run()
    expect(sent.length).toBeGreaterThan(40)
    expect(sent.filter((search) => !search.includes('page='))).toEqual([])
  })
})

it('requests aim at members the report does not cover', async () => {
  const document = createDocument({ info: { title: 'Books', version: '1' }, defaults: {} }).add(
    defineOperation('addBook', 'POST /books', {
      summary: 'Add a book',
      query: z.object({ page: z.int().optional() }),
      body: z.object({
        kind: z.enum(Array.from({ length: 26 }, (_, at) => String.fromCharCode(97 + at))),
        note: z.string().nullable().optional(),
      }),
      responses: { 204: { description: 'Added' } },
    }),
  )
  const { fetch } = implement(document, { handlers: { addBook: ({ reply }) => reply(204) } })
  const seen: { kind: string }[] = []
  const api = {
    document,
    fetch: async (one: Request) => {
      seen.push(await one.clone().json())
      return await fetch(one)
    },
  }
  const recorder = createContractRecorder(document)
  for (const kind of 'abcdefghijklmnopqrstuvwxy') {
    const body = JSON.stringify({ kind })
    const headers = { 'Content-Type': 'application/json' }
    const request = new Request('http://localhost/books', { method: 'POST', headers, body })
    await recorder.middleware({ request }, async () => await fetch(request))
  }
  const [valid] = generateTests(api, { cover: recorder.report(), recorder })
  await valid?.run()
  expect(seen.filter(({ kind }) => kind === 'z').length).toBeGreaterThan(5)
  const { total, covered } = recorder.report().members
  expect(covered).toBe(total)
})

it('ids from lists are only used to read, so the tests delete nothing they did not create', async () => {
  const document = createDocument({
    info: { title: 'Books', version: '1' },
    defaults: {},
    securitySchemes: { token: bearer() },
  }).add(
    defineOperation('listBooks', 'GET /books', {
      summary: 'List books',
      responses: {
        200: {
          description: 'All',
          body: z.object({ books: z.array(z.object({ id: z.string() })) }),
        },
      },
    }),
    ...(['GET', 'DELETE'] as const).map((method) =>
      defineOperation(`${method.toLowerCase()}Book`, `${method} /books/:bookId`, {
        summary: 'Use a book',
        responses: { 204: { description: 'Done' }, 404: { description: 'Not found' } },
      }),
    ),
  )
  const used: string[] = []
  const fetch = async ({ method, url }: Request) => {
    const { pathname } = new URL(url)
    if (method === 'GET' && pathname === '/books') return Response.json({ books: [{ id: 'b1' }] })
    const isKnown = pathname === '/books/b1'
    if (isKnown) used.push(method)
    if (method !== 'GET' && method !== 'DELETE') {
      return new Response(null, { status: 405, headers: { Allow: 'GET, DELETE' } })
    }
    return new Response(null, { status: isKnown ? 204 : 404 })
  }
  for (const { name, run } of generateTests({ document, fetch })) {
    if (!name.startsWith('/books:')) await run()
  }
  expect(used.filter((method) => method === 'GET').length).toBeGreaterThan(25)
  expect(used).not.toContain('DELETE')
})

it('an id is a member of the created resource, and not of a list within it', async () => {
  const Book = z.object({ id: z.string(), authors: z.array(z.object({ id: z.string() })) })
  const document = createDocument({ info: { title: 'Books', version: '1' }, defaults: {} }).add(
    defineOperation('addBook', 'POST /books', {
      summary: 'Add a book',
      responses: { 201: { description: 'Added', body: Book } },
    }),
    defineOperation('readBook', 'GET /books/:bookId', {
      summary: 'Read a book',
      responses: { 204: { description: 'Found' }, 404: { description: 'Not found' } },
    }),
  )
  let found = 0
  const { fetch } = implement(document, {
    handlers: {
      addBook: ({ reply }) => reply(201, { authors: [{ id: 'a1' }], id: 'b1' }),
      readBook: ({ params, reply }) => {
        if (params.bookId !== 'b1') return reply(404)
        found += 1
        return reply(204)
      },
    },
  })
  for (const { run } of generateTests({ document, fetch })) await run()
  expect(found).toBeGreaterThan(25)
})
