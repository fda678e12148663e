import { isFailure } from '@plumbline/result'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createDocument } from '../document/build.ts'
import { type AnyOperation, defineOperation } from '../operation.ts'
import { Book, info, problems } from './check.cases.ts'
import { checkResponse } from './check-response.ts'
import { createConformanceRecorder } from './recorder.ts'

const route = { method: 'GET', pattern: '/books/:bookId' } as const
const builder = createDocument({ info, problems }).add(
  defineOperation('readBook', route, {
    summary: 'Read a book',
    responses: {
      200: {
        description: '',
        headers: { ETag: { schema: z.string(), required: true } },
        body: {
          'application/json': Book,
          'application/x-www-form-urlencoded': z.object({ title: z.string() }),
          'text/*': z.string().max(3),
          'text/event-stream': z.string(),
        },
      },
      201: { description: '' },
      '4XX': { description: '', body: Book },
      default: { description: '', body: { '*/*': Book } },
    },
    problems: ['notFound', 'gone', 'outOfCredit'],
  }),
)

const types = fc.oneof(
  fc.constantFrom(
    'application/json',
    'application/problem+json; charset=utf-8',
    'application/x-www-form-urlencoded',
    'text/plain',
    'text/event-stream',
    'image/png',
    '*/*',
  ),
  fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)) }),
)

const texts = fc.oneof(
  fc.string(),
  fc.json(),
  fc
    .record(
      {
        type: fc.constantFrom(...Object.values(problems).map(({ type }) => type), 7),
        title: fc.anything(),
        status: fc.constantFrom(403, 404, '404'),
        balance: fc.anything(),
      },
      { requiredKeys: [] },
    )
    .map((body) => JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? 1 : value))),
)

const pieces = fc.array(fc.oneof(fc.uint8Array(), fc.anything()))

/** The sources of a body: text, bytes, a stream that ends or fails, or a body that was already read. */
const bodies = fc.oneof(
  fc.constant(() => null),
  texts.map((text) => () => text),
  fc.uint8Array().map((bytes) => () => new Uint8Array(bytes)),
  fc.tuple(pieces, fc.option(fc.anything(), { nil: undefined })).map(([given, reason]) => () => {
    const left = [...given]
    return new ReadableStream({
      pull: (controller) => {
        if (left.length > 0) controller.enqueue(left.shift())
        else if (reason === undefined) controller.close()
        else controller.error(reason)
      },
    })
  }),
)

const responses = fc
  .record({
    status: fc.constantFrom(200, 201, 204, 205, 302, 304, 403, 404, 410, 500),
    type: fc.option(types),
    body: bodies,
    isRead: fc.boolean(),
  })
  .map(({ status, type, body, isRead }) => async () => {
    const hasNone = status === 204 || status === 205 || status === 304
    const response = new Response(hasNone ? null : body(), { status })
    response.headers.delete('Content-Type')
    if (type !== null) response.headers.set('Content-Type', type)
    if (isRead) await response.text().catch(() => undefined)
    return response
  })

const requests = fc
  .tuple(
    fc.constantFrom('GET', 'HEAD', 'POST', 'OPTIONS', 'QUERY'),
    fc.oneof(fc.constant('/books/b1'), fc.webPath(), fc.constant('/books/%zz')),
  )
  .map(([method, path]) => new Request(`http://localhost${path}`, { method }))

describe('any response', () => {
  it('a check never throws, and repeating it returns the same result', async () => {
    await fc.assert(
      fc.asyncProperty(requests, responses, async (request, make) => {
        const [first, second] = [await make(), await make()]
        const checked = await checkResponse(builder, request, first)
        if (isFailure(checked)) expect(checked.error.violations.length).toBeGreaterThan(0)
        const recorder = createConformanceRecorder(builder)
        expect(await recorder.middleware({ request }, async () => second)).toBe(second)
        const { method, url } = request
        const exchange = { method, url, status: second.status }
        const violations = isFailure(checked) ? checked.error.violations : []
        expect(recorder.violations()).toEqual(violations.map((one) => ({ ...one, ...exchange })))
      }),
      { numRuns: 500 },
    )
  })

  it('the client can read every byte after the check', async () => {
    await fc.assert(
      fc.asyncProperty(requests, types, fc.uint8Array(), async (request, type, bytes) => {
        const headers = { 'Content-Type': type }
        const response = new Response(new Uint8Array(bytes), { headers })
        await checkResponse(builder, request, response)
        expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array(bytes))
      }),
    )
  })
})

describe('a thousand operations', () => {
  it('each operation matches only the routes it declares', async () => {
    const many: readonly AnyOperation<never>[] = Array.from({ length: 1_000 }, (_, at) =>
      defineOperation(
        `read${at}`,
        { method: 'GET', pattern: `/kinds/${at}/books/:bookId` },
        {
          summary: '',
          responses: { 200: { description: '', body: z.object({ at: z.literal(at) }) } },
        },
      ),
    )
    const large = createDocument({ info }).add(...many)
    for (let at = 0; at < 1_000; at += 1) {
      const request = new Request(`http://localhost/kinds/${at}/books/b1`)
      expect(isFailure(await checkResponse(large, request, Response.json({ at })))).toBe(false)
      const checked = await checkResponse(large, request, Response.json({ at: at + 1 }))
      expect(isFailure(checked) && checked.error.violations[0]?.operationId).toBe(`read${at}`)
    }
  })
})
