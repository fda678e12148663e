import { createDocument, defineOperation } from '@plumbline/openapi'
import { defineProblems } from '@plumbline/problem'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkCoverage } from '../coverage/check-coverage.ts'
import { createContractRecorder, type TestRunner } from './recorder.ts'

const problems = defineProblems('https://example.com/problems', {
  notFound: { slug: 'not-found', status: 404, title: 'Book not found' },
  gone: { slug: 'gone', status: 404, title: 'The book is gone' },
})
const Book = z.object({ title: z.string() })
const done = { 204: { description: 'Done' } }
const builder = createDocument({ info: { title: 'Books', version: '1.0.0' }, problems }).add(
  defineOperation(
    'listBooks',
    { method: 'GET', pattern: '/books' },
    {
      summary: 'List books',
      query: z.object({ page: z.int().optional(), size: z.int().default(10), author: z.string() }),
      headers: z.object({ 'X-Trace': z.string().optional() }),
      cookies: z.object({ session: z.string().optional() }),
      responses: { ...done, '3XX': { description: 'Elsewhere' }, default: { description: 'Else' } },
    },
  ),
  defineOperation(
    'createBook',
    { method: 'POST', pattern: '/books' },
    {
      summary: 'Create a book',
      body: {
        'application/JSON; charset=utf-8': Book,
        'text/*': z.string(),
        'text/plain': z.string(),
      },
      responses: done,
    },
  ),
  defineOperation(
    'replaceBook',
    { method: 'PUT', pattern: '/books/:bookId' },
    { summary: 'Replace a book', body: Book, responses: done, problems: ['notFound', 'gone'] },
  ),
  defineOperation(
    'replaceCover',
    { method: 'PUT', pattern: '/books/:bookId/cover' },
    { summary: 'Replace the cover', body: z.file(), responses: done },
  ),
)

/** Records one exchange, and returns the items that it covers. */
async function coveredBy(
  method: string,
  path: string,
  init: RequestInit = {},
  response: Response = new Response(null, { status: 204 }),
) {
  const recorder = createContractRecorder(builder)
  const request = new Request(`http://localhost${path}`, { method, ...init })
  await recorder.middleware({ request }, async () => response)
  return recorder
    .report()
    .operations.flatMap(({ items }) => items)
    .filter(({ kind }) => kind !== 'members')
    .flatMap(({ kind, name, count }) => (count > 0 ? [`${kind} ${name}`] : []))
}

const post = (type: string) => ({ headers: { 'Content-Type': type }, body: '{}' })

describe("an operation's items", () => {
  it('statuses, problems, request media types and optional parameters are items', () => {
    const { operations } = createContractRecorder(builder).report()
    expect(
      operations.map(({ operationId, method, path, items }) => [
        `${operationId} ${method} ${path}`,
        ...items
          .filter(({ kind }) => kind !== 'members')
          .map(({ kind, name }) => `${kind} ${name}`),
      ]),
    ).toEqual([
      [
        'listBooks GET /books',
        'status 204',
        'parameter query:page',
        'parameter query:size',
        'parameter header:X-Trace',
        'parameter cookie:session',
      ],
      [
        'createBook POST /books',
        'status 204',
        'mediaType application/json',
        'mediaType text/plain',
        'mediaType text/*',
      ],
      [
        'replaceBook PUT /books/{bookId}',
        'status 204',
        'problem notFound',
        'problem gone',
        'mediaType application/json',
      ],
      ['replaceCover PUT /books/{bookId}/cover', 'status 204', 'mediaType */*'],
    ])
  })

  it('a parameter is not an item if its schema cannot be described, and the build reports it', () => {
    const document = createDocument({ info: { title: 'Books', version: '1.0.0' } }).add(
      defineOperation(
        'listBooks',
        { method: 'GET', pattern: '/books' },
        { summary: 'List books', query: z.object({ since: z.date() }), responses: done },
      ),
    )
    const { operations } = createContractRecorder(document).report()
    expect(operations.map(({ items }) => items)).toEqual([
      [{ kind: 'status', name: '204', count: 0 }],
    ])
  })

  it.each<[string, Parameters<typeof coveredBy>, string[]]>([
    ['the status', ['GET', '/books'], ['status 204']],
    [
      'the parameters that were sent',
      ['GET', '/books?page=1&author=a', { headers: { 'x-trace': 't', Cookie: 'session=s' } }],
      [
        'status 204',
        'parameter query:page',
        'parameter header:X-Trace',
        'parameter cookie:session',
      ],
    ],
    [
      'the parameters of a redirection',
      ['GET', '/books?page=1', {}, new Response(null, { status: 399 })],
      ['parameter query:page'],
    ],
    [
      'no parameters of a rejected request',
      ['GET', '/books?page=1', {}, new Response(null, { status: 400 })],
      [],
    ],
    [
      'a media type in any letter case and with parameters',
      ['POST', '/books', post('Application/json; charset=utf-8')],
      ['status 204', 'mediaType application/json'],
    ],
    [
      'the most specific range of a media type',
      ['POST', '/books', post('text/plain')],
      ['status 204', 'mediaType text/plain'],
    ],
    [
      'a range, for the media types that only it matches',
      ['POST', '/books', post('text/html')],
      ['status 204', 'mediaType text/*'],
    ],
    [
      'only the status, if the media type is not declared',
      ['POST', '/books', post('a/b')],
      ['status 204'],
    ],
    [
      'JSON, for a suffix that a single schema accepts',
      ['PUT', '/books/1', post('application/merge-patch+json')],
      ['status 204', 'mediaType application/json'],
    ],
    ['only the status, if a body is absent', ['PUT', '/books/1/cover'], ['status 204']],
    [
      'only the status, if a body of a record does not have a media type',
      ['POST', '/books', { body: new Uint8Array([1]) }],
      ['status 204'],
    ],
    [
      'only the status, if a body of JSON does not have a media type',
      ['PUT', '/books/1', { body: new Uint8Array([1]) }],
      ['status 204'],
    ],
    [
      'any media type, for the body that is a file',
      ['PUT', '/books/1/cover', { body: new Uint8Array([1]) }],
      ['status 204', 'mediaType */*'],
    ],
    [
      'a problem by its type, without the input of the rejected request',
      ['PUT', '/books/1', post('application/json'), problems.gone()],
      ['problem gone'],
    ],
    [
      'nothing, for a problem of another type',
      ['PUT', '/books/1', {}, Response.json({ type: 'about:blank' }, { status: 404 })],
      [],
    ],
    ['nothing, for a HEAD request that GET answers', ['HEAD', '/books?page=1'], []],
    [
      'nothing, for a status of a range or of default',
      ['GET', '/books', {}, new Response(null, { status: 302 })],
      [],
    ],
  ])('an exchange covers %s', async (_, exchange, covered) => {
    expect(await coveredBy(...exchange)).toEqual(covered)
  })
})

describe("a recorder's report", () => {
  it('the report is plain JSON and counts every exchange', async () => {
    const recorder = createContractRecorder(builder, { ignore: ['/docs'] })
    for (const path of ['/books', '/books?page=1', '/docs', '/unknown']) {
      const request = new Request(`http://localhost${path}`)
      await recorder.middleware({ request }, async () => new Response(null, { status: 204 }))
    }
    const report = recorder.report()
    expect(JSON.parse(JSON.stringify(report))).toEqual(report)
    expect(report).toMatchObject({ format: 'plumbline-contract/2', exchanges: 3 })
    expect(report.operations[0]).toMatchObject({
      exchanges: 2,
      items: [2, 1, 0, 0, 0, 1, 2, 2, 2].map((count) => ({ count })),
    })
    expect(report.violations).toMatchObject([{ kind: 'undocumented-operation' }])
  })

  it('the report lists at most 1,000 violations, and counts all of them', async () => {
    const route = { method: 'GET', pattern: '/' } as const
    const body = z.array(Book)
    const recorder = createContractRecorder(
      createDocument({ info: { title: 'Books', version: '1' } }).add(
        defineOperation('all', route, {
          summary: 'All',
          responses: { 200: { description: 'All', body } },
        }),
      ),
    )
    const books = Array.from({ length: 1_500 }, () => ({}))
    const request = new Request('http://localhost/')
    await recorder.middleware({ request }, async () => Response.json(books))
    expect(recorder.report().violations).toHaveLength(1_000)
    expect(recorder.report().violationCount).toBe(1_500)
  })
})

describe('a violation', () => {
  const wrong = async () => new Response('no', { status: 418 })
  const request = new Request('http://localhost/books/b1', { method: 'PUT' })
  const exchange = { method: 'PUT', url: 'http://localhost/books/b1', status: 418 }

  it("a violation names the exchange's method, URL and status", async () => {
    const recorder = createContractRecorder(builder)
    await recorder.middleware({ request }, wrong)
    expect(recorder.violations()).toEqual([
      {
        kind: 'undocumented-status',
        operationId: 'replaceBook',
        message: 'the status 418 is not declared',
        ...exchange,
      },
    ])
  })

  it('a violation names the test running when the request was sent', async () => {
    let name = 'first'
    const runner: TestRunner = { currentTest: () => ({ name, file: 'a.test.ts' }) }
    const recorder = createContractRecorder(builder, { runner })
    await recorder.middleware({ request }, async () => {
      name = 'second'
      return await wrong()
    })
    expect(recorder.violations()).toMatchObject([
      { ...exchange, test: { name: 'first', file: 'a.test.ts' } },
    ])
  })

  it('a violation between tests names no test', async () => {
    const recorder = createContractRecorder(builder, { runner: { currentTest: () => null } })
    await recorder.middleware({ request }, wrong)
    expect(recorder.violations()[0]).not.toHaveProperty('test')
  })
})

it('default problems in six operations count once for the document', async () => {
  const document = createDocument({
    info: { title: 'A', version: '1' },
    problems: defineProblems('https://example.com', {
      invalid: { slug: 'invalid', status: 422, title: 'Invalid' },
    }),
    defaults: {},
  }).add(
    ...Array.from({ length: 6 }, (_, at) =>
      defineOperation(`operation${at}`, `POST /a${at}`, {
        summary: 'A',
        body: Book,
        responses: done,
        problems: at === 0 ? ['invalid'] : [],
      }),
    ),
  )
  const recorder = createContractRecorder(document)
  const { malformed } = document.defaults() ?? {}
  for (const at of [0, 1]) {
    const request = new Request(`http://localhost/a${at}`, { method: 'POST' })
    const answer = (malformed?.entry ?? Response.error) as () => Response
    await recorder.middleware({ request }, async () => answer())
  }
  const { problems: counted, operations } = recorder.report()
  expect(counted).toEqual([
    { kind: 'problem', name: 'malformed', count: 2 },
    { kind: 'problem', name: 'tooLarge', count: 0 },
    { kind: 'problem', name: 'unsupportedMediaType', count: 0 },
    { kind: 'problem', name: 'internal', count: 0 },
    { kind: 'problem', name: 'invalid', count: 0 },
  ])
  const ofOperations = operations.flatMap(({ items }) => items)
  expect(ofOperations.filter(({ kind }) => kind === 'problem')).toEqual([
    { kind: 'problem', name: 'invalid', count: 0 },
  ])
  const { totals } = checkCoverage(recorder.report())
  expect(totals.problem).toEqual({ total: 6, covered: 1, ignored: 0 })
})

it('a problem called null counts only if a response is this problem', async () => {
  const catalog = defineProblems('https://example.com', {
    null: { slug: 'null', status: 409, title: 'The value is null' },
  })
  const document = createDocument({ info: { title: 'A', version: '1' }, problems: catalog }).add(
    defineOperation(
      'a',
      { method: 'GET', pattern: '/a' },
      { summary: 'A', responses: done, problems: ['null'] },
    ),
  )
  const recorder = createContractRecorder(document)
  const request = new Request('http://localhost/a')
  const countOf = () => recorder.report().operations[0]?.items.find((one) => one.name === 'null')
  await recorder.middleware({ request }, async () => new Response(null, { status: 204 }))
  expect(countOf()).toMatchObject({ kind: 'problem', count: 0 })
  await recorder.middleware({ request }, async () => catalog.null())
  expect(countOf()).toMatchObject({ kind: 'problem', count: 1 })
})

it('the test runner receives the report, and reads it at the end', async () => {
  const reports: (() => unknown)[] = []
  const runner: TestRunner = { currentTest: () => null, onCreate: (report) => reports.push(report) }
  const recorder = createContractRecorder(builder, { runner })
  expect(reports).toHaveLength(1)
  const request = new Request('http://localhost/books')
  await recorder.middleware({ request }, async () => new Response(null, { status: 204 }))
  expect(reports[0]?.()).toEqual(recorder.report())
  expect(recorder.report().exchanges).toBe(1)
})
