import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { OperationSpec } from '../spec/operation-spec.ts'
import { prepareReplies, type ReplyOptions } from './reply.ts'

type Responses = NonNullable<OperationSpec['responses']>

const description = 'A response'
const Book = z.object({ title: z.string() })

/** Makes a response with the status 200, unless another one is given. */
function reply(
  responses: Responses,
  body?: unknown,
  options?: ReplyOptions,
  { status = 200, accept }: { readonly status?: number; readonly accept?: string } = {},
): Response {
  const headers = accept === undefined ? {} : { Accept: accept }
  const request = new Request('http://localhost/', { headers })
  return prepareReplies('readBook', { summary: 'Read', responses })(request, status, body, options)
}

/** The declaration of a status 200 with these bodies. */
const only = (body: NonNullable<Responses[200]>['body']): Responses => ({
  200: body === undefined ? { description } : { description, body },
})

/** The declaration of a status 200 with headers, which are required or not. */
function withHeaders(declared: Readonly<Record<string, boolean>>): Responses {
  const headers = Object.entries(declared).map(([name, required]) => [
    name,
    { schema: z.string(), required },
  ])
  return { 200: { description, headers: Object.fromEntries(headers) } }
}

async function written(response: Response): Promise<readonly [type: string | null, text: string]> {
  return [response.headers.get('Content-Type'), await response.text()]
}

describe('a reply body', () => {
  const file = new File(['%PDF'], 'a.pdf', { type: 'application/pdf' })
  const stream = () =>
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('data: 1\n\n'))
        controller.close()
      },
    })
  const several = {
    'application/json': Book,
    'application/vnd.book+json': Book,
    'text/csv': z.string(),
  }

  it.each<[string, Responses, unknown, ReplyOptions, readonly [string | null, string]]>([
    ['is JSON by default', only(Book), { title: 'a' }, {}, ['application/json', '{"title":"a"}']],
    ['is null if the schema is JSON', only(z.null()), null, {}, ['application/json', 'null']],
    [
      'has a named type with the suffix +json',
      only(Book),
      { title: 'a' },
      { contentType: 'application/hal+json' },
      ['application/hal+json', '{"title":"a"}'],
    ],
    [
      'is a string in UTF-8',
      only({ 'text/plain': z.string() }),
      'ä',
      {},
      ['text/plain; charset=utf-8', 'ä'],
    ],
    [
      'keeps the charset that is declared',
      only({ 'text/plain; charset=UTF-8': z.string() }),
      'a',
      {},
      ['text/plain; charset=UTF-8', 'a'],
    ],
    [
      'is a number as text',
      only({ 'text/plain': z.number() }),
      7,
      {},
      ['text/plain; charset=utf-8', '7'],
    ],
    [
      'is bytes',
      only({ 'image/png': z.file() }),
      new Uint8Array([97, 98]),
      {},
      ['image/png', 'ab'],
    ],
    [
      'is a buffer',
      only({ 'image/png': z.file() }),
      new Uint8Array([97]).buffer,
      {},
      ['image/png', 'a'],
    ],
    [
      'is a file of the declared type',
      only({ 'image/png': z.file() }),
      new Blob(['a']),
      {},
      ['image/png', 'a'],
    ],
    [
      'is a file whose type a range matches',
      only({ 'application/*': z.file() }),
      file,
      {},
      ['application/pdf', '%PDF'],
    ],
    [
      'is a file with a named type',
      only({ '*/*': z.file() }),
      file,
      { contentType: 'text/html' },
      ['text/html', '%PDF'],
    ],
    [
      'is a form',
      only({ 'application/x-www-form-urlencoded': z.object({}) }),
      { a: [1, 'x y'], b: undefined, c: { d: 1 } },
      {},
      ['application/x-www-form-urlencoded', 'a=1&a=x+y&c=%7B%22d%22%3A1%7D'],
    ],
    [
      'has the named type of several',
      only(several),
      'a,b',
      { contentType: 'text/csv' },
      ['text/csv; charset=utf-8', 'a,b'],
    ],
    [
      'has the first type of several',
      only(several),
      { title: 'a' },
      {},
      ['application/json', '{"title":"a"}'],
    ],
    [
      'is an object as text',
      only({ 'text/plain': z.object({}) }),
      { a: 1 },
      {},
      ['text/plain; charset=utf-8', '{"a":1}'],
    ],
    [
      'does not get a charset if its type is not text',
      only({ 'application/sql; profile=text/plain': z.string() }),
      'a',
      {},
      ['application/sql; profile=text/plain', 'a'],
    ],
    ['is empty without a declared one', only(undefined), undefined, {}, [null, '']],
    ['is empty for null without a declared one', only(undefined), null, {}, [null, '']],
  ])('the body %s', async (_, responses, body, options, expected) => {
    expect(await written(reply(responses, body, options))).toEqual(expected)
  })

  it.each([
    ['text/event-stream', 'data: 1\n\n'],
    ['application/octet-stream', 'data: 1\n\n'],
  ])('the body is a %s stream', async (type, text) => {
    const response = reply(only({ [type]: z.string() }), stream())
    expect(await response.text()).toBe(text)
    expect(response.headers.get('Content-Type')).toBe(type)
  })

  it("the body is a multipart form with the runtime's boundary", async () => {
    const body = { title: 'a', tags: ['b', 'c'], cover: new Blob(['x']) }
    const response = reply(only({ 'multipart/form-data': z.object({}) }), body)
    expect(response.headers.get('Content-Type')).toMatch(/^multipart\/form-data; ?boundary=/)
    const form = await response.formData()
    expect([form.get('title'), form.getAll('tags')]).toEqual(['a', ['b', 'c']])
  })

  // RFC 9110 §12.5.1
  it.each([
    ['text/csv', 'text/csv'],
    ['text/csv;q=0.5, application/vnd.book+json', 'application/vnd.book+json'],
    ['application/*', 'application/json'],
    ['image/png', 'application/json'],
  ])('the body has the type preferred in Accept: %s', (accept, type) => {
    const responses = only({
      'application/json': z.string(),
      'application/vnd.book+json': z.string(),
      'text/csv': z.string(),
    })
    const { headers } = reply(responses, 'a', {}, { accept })
    expect(headers.get('Content-Type')?.split(';')[0]).toBe(type)
  })
})

describe('a reply status (OpenAPI 3.1.1 §4.8.16)', () => {
  const responses: Responses = {
    '4XX': { description },
    404: { description, body: Book },
    default: { description, body: { 'text/plain': z.string() } },
  }

  it.each([
    [404, { title: 'a' }, '{"title":"a"}'],
    [410, undefined, ''],
    [503, 'down', 'down'],
  ])('%i is declared as itself, as its range or as default', async (status, body, text) => {
    const response = reply(responses, body, {}, { status })
    expect([response.status, await response.text()]).toEqual([status, text])
  })

  it('another status may be sent if one declaration is undefined', () => {
    const spread = { ...responses, 200: undefined } as Responses
    expect(reply(spread, { title: 'a' }, {}, { status: 404 }).status).toBe(404)
  })

  it.each([204, 205, 304])('%i is sent without a body', async (status) => {
    const response = reply({ [status]: { description } }, undefined, {}, { status })
    expect([response.status, response.body]).toEqual([status, null])
  })

  it.each([301, 302, 303, 307, 308])('%i is a redirect', (status) => {
    const options = { headers: { Location: '/books/1' } }
    const response = reply({ [status]: { description } }, null, options, { status })
    expect(response.headers.get('Location')).toBe('/books/1')
  })
})

describe('reply headers', () => {
  it('headers are written as text, and omitted if they are undefined', () => {
    const headers = { ETag: '"1"', 'X-Count': 3, 'X-Last': false, 'X-None': undefined }
    const sent = reply(only(undefined), null, { headers }).headers
    expect([...sent]).toEqual([
      ['etag', '"1"'],
      ['x-count', '3'],
      ['x-last', 'false'],
    ])
  })

  it.each<[string, Record<string, boolean>, Record<string, string>]>([
    ['a required one is sent', { ETag: true }, { etag: '"1"' }],
    ['an optional one is not sent', { ETag: false }, {}],
    // OpenAPI 3.1.1 §4.8.17: a header called Content-Type is ignored.
    ['the media type of the body is the Content-Type', { 'content-type': true }, {}],
  ])('headers may be declared: %s', (_, declared, headers) => {
    expect(reply(withHeaders(declared), null, { headers }).status).toBe(200)
  })

  it('list elements are joined, and Set-Cookie is sent once for each (RFC 9110 §5.3)', () => {
    const headers = { Vary: ['Accept', 'Origin'], 'Set-Cookie': ['a=1', 'b=2'] }
    const sent = reply(only(undefined), null, { headers }).headers
    expect(sent.get('Vary')).toBe('Accept, Origin')
    expect(sent.getSetCookie()).toEqual(['a=1', 'b=2'])
  })
})

it.each<[what: string, headers: object]>([
  ['Headers', new Headers({ ETag: '"1"' })],
  ['Map', new Map([['ETag', '"1"']])],
  ['Array', [['ETag', '"1"']]],
])('reply headers throw if they are not members: %s', (what, headers) => {
  expect(() => reply(only(undefined), null, { headers: headers as never })).toThrow(
    new TypeError(`an object with a member for each value is needed, not ${what}`),
  )
})

describe('an undeclared reply', () => {
  it.each<[string, () => Response, string]>([
    [
      'a status',
      () => reply(only(Book), null, {}, { status: 201 }),
      'operation "readBook" does not declare status 201',
    ],
    [
      'a body',
      () => reply(only(undefined), 'a'),
      'operation "readBook" does not declare a body for status 200',
    ],
    [
      'a media type',
      () => reply(only(Book), {}, { contentType: 'text/html' }),
      'operation "readBook" does not declare the media type text/html for status 200',
    ],
    [
      'no media type for a range',
      () => reply(only({ 'image/*': z.file() }), new Uint8Array()),
      'operation "readBook" must name a media type for status 200',
    ],
    [
      'a missing header',
      () => reply(withHeaders({ ETag: true })),
      'operation "readBook" must send the header ETag with status 200',
    ],
    [
      'a missing header whose name ends like Content-Type',
      () => reply(withHeaders({ 'X-Content-Type': true })),
      'operation "readBook" must send the header X-Content-Type with status 200',
    ],
    [
      'a missing header whose name begins like Content-Type',
      () => reply(withHeaders({ 'Content-Type-Options': true })),
      'operation "readBook" must send the header Content-Type-Options with status 200',
    ],
    [
      'no media type for a file without a type',
      () => reply(only({ '*/*': z.file() }), new Blob(['a'])),
      'operation "readBook" must name a media type for status 200',
    ],
    ['no JSON', () => reply(only(Book), undefined), 'the body cannot be written as JSON'],
  ])('the undeclared reply throws: %s', (_, make, message) => {
    expect(make).toThrow(new TypeError(message))
  })
})
