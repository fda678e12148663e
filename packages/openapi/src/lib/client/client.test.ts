import { describe, expect, it } from 'vitest'
import { createDocument } from '../document/build.ts'
import { defineOperation } from '../operation.ts'
import { implement } from '../server/implement.ts'
import type { OperationSpec } from '../spec/operation-spec.ts'
import { operations, problems } from './books.cases.ts'
import { type ClientOptions, createClient } from './client.ts'
import type { ClientInput } from './input-types.ts'
import { createManifest } from './manifest.ts'
import { ResponseError } from './response-error.ts'

const book = { id: 'b1', title: 'Emma', pages: 3 }
const trace = { 'X-Trace': 't' }

/** A client whose requests are answered with a response, and the requests that it sent. */
function clientWith(
  response: Response = new Response(null, { status: 204 }),
  options: Partial<ClientOptions> = {},
) {
  const sent: Request[] = []
  const fetch = async (url: string, init: RequestInit) => {
    sent.push(new Request(url, init))
    return response
  }
  const baseUrl = 'https://example.com/api/'
  const client = createClient(operations, { baseUrl, fetch, problems, ...options })
  return { client, sent }
}

const other = (body: BodyInit | null, status: number, type = 'text/plain') =>
  new Response(body, { status, headers: { 'Content-Type': type } })

describe('a client request', () => {
  it("the request has the operation's method, path and query", async () => {
    const { client, sent } = clientWith(Response.json([]))
    await client.listBooks({ query: { page: 2, tag: ['a b', 'c&d'] } })
    expect(sent[0]?.method).toBe('GET')
    expect(sent[0]?.url).toBe('https://example.com/api/books?page=2&tag=a+b&tag=c%26d')
  })

  it.each([undefined, { query: { page: undefined as unknown as number } }])(
    'a request without parameters does not have a query string: %j',
    async (input) => {
      const { client, sent } = clientWith(Response.json([]))
      await client.listBooks(input)
      expect(sent[0]?.url).toBe('https://example.com/api/books')
    },
  )

  it('the request has the declared headers and cookies', async () => {
    const { client, sent } = clientWith(Response.json(book))
    const params = { bookId: 'b1' }
    await client.readBook({ params, headers: trace, cookies: { session: 'a;b "c"' } })
    expect(sent[0]?.headers.get('X-Trace')).toBe('t')
    // RFC 6265 §4.1.1: a cookie value does not contain semicolons, spaces and quotation marks.
    expect(sent[0]?.headers.get('Cookie')).toBe('session=a%3Bb%20%22c%22')
  })

  it('a single schema is sent as JSON', async () => {
    const { client, sent } = clientWith()
    await client.createBook({ body: book })
    expect(sent[0]?.method).toBe('POST')
    expect(sent[0]?.headers.get('Content-Type')).toBe('application/json')
    expect(await sent[0]?.json()).toEqual(book)
  })

  it('a body can be sent as a +json type the caller names', async () => {
    const { client, sent } = clientWith()
    await client.createBook({ body: book, contentType: 'application/vnd.book+json' })
    expect(sent[0]?.headers.get('Content-Type')).toBe('application/vnd.book+json')
  })

  it.each<[string, ClientInput<typeof operations.importBooks>, string, string]>([
    ['text', { body: 'a,b', contentType: 'text/csv' }, 'text/csv', 'a,b'],
    [
      'a form',
      {
        body: { title: 'A&B', tag: ['x', 'y'] },
        contentType: 'application/x-www-form-urlencoded',
      },
      'application/x-www-form-urlencoded',
      'title=A%26B&tag=x&tag=y',
    ],
    ['a file', { body: new Blob(['x']), contentType: 'image/png' }, 'image/png', 'x'],
    ['bytes', { body: new Uint8Array([120]), contentType: 'image/png' }, 'image/png', 'x'],
  ])('a body is sent as the media type the caller names: %s', async (...row) => {
    const [, input, type, text] = row
    const { client, sent } = clientWith(new Response(null, { status: 200 }))
    await client.importBooks(input)
    expect(sent[0]?.headers.get('Content-Type')).toBe(type)
    expect(await sent[0]?.text()).toBe(text)
  })

  it('a multipart form has a part for each file, and JSON for objects', async () => {
    const { client, sent } = clientWith(new Response(null, { status: 200 }))
    const covers = [new File(['1'], 'one.png'), new File(['2'], 'two.png')]
    const body = { covers, details: { pages: 3 }, title: 'Emma' }
    await client.importBooks({ body, contentType: 'multipart/form-data' })
    const form = await sent[0]?.formData()
    expect(form?.getAll('covers')).toMatchObject([{ name: 'one.png' }, { name: 'two.png' }])
    const details = form?.get('details')
    if (!(details instanceof File)) throw new Error('not a file')
    expect(details.type).toBe('application/json')
    expect(JSON.parse(await details.text())).toEqual({ pages: 3 })
    expect(form?.get('title')).toBe('Emma')
  })

  it.each<[string, Blob | ReadableStream<Uint8Array>, string | undefined, string]>([
    ["the file's own", new Blob(['x'], { type: 'image/png' }), undefined, 'image/png'],
    ['application/octet-stream by default', new Blob(['x']), undefined, 'application/octet-stream'],
    ["the caller's", new Blob(['x'], { type: 'image/png' }), 'image/gif', 'image/gif'],
    ["the caller's, for a stream", new Blob(['x']).stream(), 'image/gif', 'image/gif'],
  ])('a file is sent as the body, with the media type %s', async (_, body, contentType, type) => {
    const { client, sent } = clientWith()
    await client.replaceCover({
      params: { bookId: 'b1' },
      body,
      ...(contentType === undefined ? {} : { contentType: 'image/gif' }),
    })
    expect(sent[0]?.headers.get('Content-Type')).toBe(type)
    expect(await sent[0]?.text()).toBe('x')
  })

  it('call headers override client headers, and input headers override both', async () => {
    const headers = () =>
      Promise.resolve({ Authorization: 'Bearer a', 'X-Trace': '1', Accept: 'a' })
    const { client, sent } = clientWith(Response.json(book), { headers })
    const init = { headers: { 'X-Trace': '2', Accept: 'b' } }
    await client.readBook({ params: { bookId: 'b1' }, headers: trace }, init)
    expect(Object.fromEntries(sent[0]?.headers ?? [])).toEqual({
      authorization: 'Bearer a',
      accept: 'b',
      'x-trace': 't',
    })
  })

  it('a signal aborts the request', async () => {
    const controller = new AbortController()
    const fetch = (_: string, { signal }: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
    const { client } = clientWith(undefined, { fetch })
    const answer = client.listBooks({}, { signal: controller.signal })
    controller.abort(new Error('no longer needed'))
    await expect(answer).rejects.toThrow('no longer needed')
  })

  it('a request is not sent if a URL cannot carry a path parameter', async () => {
    const { client, sent } = clientWith()
    const input = { params: { bookId: '..' }, body: new Blob() }
    await expect(client.replaceCover(input)).rejects.toThrow(TypeError)
    expect(sent).toEqual([])
  })
})

describe('a client answer', () => {
  const readBook = (response: Response) =>
    clientWith(response).client.readBook({ params: { bookId: 'b1' }, headers: trace })
  const readCover = (response: Response) =>
    clientWith(response).client.readCover({ params: { bookId: 1 } })

  it('the answer has the status, the media type, the JSON body and the headers', async () => {
    const response = Response.json(book, { headers: { ETag: '"1"' } })
    const answer = await readBook(response)
    expect(answer).toMatchObject({ status: 200, contentType: 'application/json', body: book })
    expect(answer.problem).toBeUndefined()
    expect(answer.headers.get('ETag')).toBe('"1"')
    expect(answer.response.headers.get('ETag')).toBe('"1"')
  })

  it("the problem type decides the answer's problem name", async () => {
    expect(await readBook(problems.notFound({ detail: 'b1' }))).toMatchObject({
      status: 404,
      problem: 'notFound',
      contentType: 'application/problem+json',
      body: { type: 'https://example.com/problems/not-found', detail: 'b1' },
    })
    const extensions = { since: '2026' }
    expect(await readBook(problems.gone({ extensions }))).toMatchObject({
      problem: 'gone',
      body: { since: '2026' },
    })
  })

  it('a response without content does not have a body', async () => {
    const { client } = clientWith()
    const answer = await client.createBook({ body: book })
    expect(answer).toMatchObject({ status: 204, body: undefined, contentType: undefined })
  })

  it('a range response is read as text', async () => {
    const { client } = clientWith(other('slow down', 429))
    expect(await client.listBooks()).toMatchObject({ status: 429, body: 'slow down' })
  })

  it('bytes are read as a file', async () => {
    const { body } = await readCover(other('x', 200, 'image/png'))
    if (!(body instanceof Blob)) throw new Error('not a file')
    expect(body.type).toBe('image/png')
    expect(await body.text()).toBe('x')
  })

  it('events are read as a stream, which may never end', async () => {
    const { body } = await readCover(other('data: 1\n\n', 200, 'text/event-stream'))
    if (!(body instanceof ReadableStream)) throw new Error('not a stream')
    expect(await new Response(body).text()).toBe('data: 1\n\n')
  })

  it.each([
    ['undeclared-status', 'the status 201 is not declared', Response.json(book, { status: 201 })],
    [
      'undeclared-status',
      'the status 502 is not declared',
      other('<h1>Bad Gateway</h1>', 502, 'text/html'),
    ],
    [
      'undeclared-media-type',
      'text/html is not one of application/json, *+json',
      other('<h1>Sign in</h1>', 200, 'text/html'),
    ],
    [
      'undeclared-media-type',
      'null is not one of application/json, *+json',
      new Response(new Uint8Array([1])),
    ],
    [
      'undeclared-media-type',
      'application/json is not one of application/problem+json',
      // Response.json adds a charset on Bun.
      other(JSON.stringify({ type: problems.gone.type }), 404, 'application/json'),
    ],
    [
      'undeclared-problem',
      'the problem "about:blank" is not declared',
      other('{"type":"about:blank"}', 404, 'application/problem+json'),
    ],
    [
      'undeclared-problem',
      'the problem undefined is not declared',
      other('null', 404, 'application/problem+json'),
    ],
    [
      'malformed',
      'the body is not application/json',
      other('{"title":', 200, 'application/json; charset=utf-8'),
    ],
    ['malformed', 'the body is not application/json', other('', 200, 'application/json')],
  ])('a call rejects an undeclared response: %s, %s', async (code, message, response) => {
    const error = await readBook(response).catch((reason: unknown) => reason)
    if (!(error instanceof ResponseError)) throw new Error('not rejected')
    const { status } = response
    expect(error).toMatchObject({ name: 'ResponseError', code, message, response: { status } })
    expect(error.cause instanceof SyntaxError).toBe(code === 'malformed')
  })

  it('a call rejects as fetch does if the body fails', async () => {
    const failure = new Error('connection lost')
    const body = new ReadableStream({ start: (controller) => controller.error(failure) })
    const headers = { 'Content-Type': 'application/json' }
    await expect(readBook(new Response(body, { headers }))).rejects.toBe(failure)
  })
})

describe("a document's client", () => {
  const document = createDocument({
    info: { title: 'Books', version: '1.0.0' },
    problems,
    defaults: {},
  }).add(...Object.values(operations))
  const api = implement(document, {
    basePath: '/api',
    handlers: {
      listBooks: ({ reply }) => reply(200, []),
      readBook: ({ problems }) => problems.notFound(),
      createBook: () => {
        throw new Error('broken')
      },
      importBooks: ({ reply }) => reply(200, undefined),
      replaceCover: ({ reply }) => reply(204),
      readCover: ({ reply }) => reply(200, { url: '/' }, { contentType: 'application/json' }),
    },
    onError: () => undefined,
  })
  const fetch = (path: string, init: RequestInit) =>
    api.fetch(new Request(`http://localhost${path}`, init))
  const client = createClient(document, { baseUrl: '/api', fetch })

  it('the client has a function for each operation', () => {
    expect(Object.keys(client)).toEqual(Object.keys(operations))
  })

  it("the client reads the operation's problems", async () => {
    const input = { params: { bookId: 'b1' }, headers: trace }
    expect(await client.readBook(input)).toMatchObject({ status: 404, problem: 'notFound' })
  })

  it("the client reads the server's default problems", async () => {
    const page: unknown = 'first'
    const query = { page: page as number }
    expect(await client.listBooks({ query })).toMatchObject({ status: 422, problem: 'invalid' })
    expect(await client.createBook({ body: book })).toMatchObject({
      status: 500,
      problem: 'internal',
      body: { type: 'about:blank' },
    })
  })

  it("the manifest equals the operations' manifest plus default problems", () => {
    const manifest = createManifest(document)
    const { operations: facts } = createManifest(operations, problems)
    expect(manifest.operations).toEqual(facts)
    expect(manifest.defaults).toEqual([
      'malformed',
      'unauthorized',
      'forbidden',
      'tooLarge',
      'unsupportedMediaType',
      'invalid',
      'internal',
    ])
    expect(manifest.problems.internal).toEqual({ type: 'about:blank', status: 500 })
    expect(manifest.problems.gone).toMatchObject({ status: 404 })
  })

  it('the client lacks default problems if the document does not have them', () => {
    const plain = createDocument({ info: { title: 'Books', version: '1.0.0' }, problems })
    expect(createManifest(plain)).toMatchObject({ defaults: [] })
  })
})

describe('a manifest', () => {
  const manifest = createManifest(operations, problems)

  it('a manifest is plain JSON without schemas', () => {
    expect(JSON.parse(JSON.stringify(manifest))).toEqual(manifest)
    expect(manifest.operations.readBook).toEqual({
      method: 'GET',
      pattern: '/books/:bookId',
      body: [],
      responses: { 200: ['application/json', '*+json'] },
      problems: ['notFound', 'gone'],
    })
    expect(manifest.operations.listBooks?.problems).toEqual([])
    expect(manifest.problems.gone).toEqual({
      type: 'https://example.com/problems/gone',
      status: 404,
    })
    expect(manifest).toMatchObject({ format: 'plumbline-client/1', defaults: [] })
  })

  it('a response whose declaration is undefined becomes an empty list', () => {
    const spec = { summary: 'List', responses: { 200: undefined } } as unknown as OperationSpec
    const listBooks = defineOperation('listBooks', 'GET /books', spec)
    expect(createManifest({ listBooks }).operations.listBooks?.responses).toEqual({ 200: [] })
  })

  it("a manifest in another version's format is rejected", () => {
    const other = { ...manifest, format: 'plumbline-client/0' }
    expect(() => createClient(other, { baseUrl: '/' })).toThrow(/plumbline-client\/0, not /)
  })

  it('an operation named format is not mistaken for a manifest', () => {
    const client = createClient({ format: operations.listBooks }, { baseUrl: '/' })
    expect(Object.keys(client)).toEqual(['format'])
  })

  it('a manifest creates the same client as the operations', async () => {
    const fetch = async () => problems.notFound()
    const client = createClient<typeof operations, typeof problems>(
      JSON.parse(JSON.stringify(manifest)),
      { baseUrl: '/api', fetch },
    )
    expect(Object.keys(client)).toEqual(Object.keys(operations))
    const answer = await client.readBook({ params: { bookId: 'b1' }, headers: trace })
    expect(answer.problem).toBe('notFound')
  })
})
