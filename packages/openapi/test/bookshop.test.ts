import { describe, expect, it } from 'vitest'
import { createConformanceRecorder } from '../src/testing.ts'
import { bookshopDocument, createBookshop } from './bookshop.ts'

/** A request, and the answer to it: the status, headers, and the body or the last part of its type. */
interface Exchange {
  readonly send: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly status: number
  readonly sent?: Readonly<Record<string, string | null>>
  readonly json?: unknown
  readonly problem?: string
  readonly text?: string
}

const writer = { Authorization: 'Bearer writer' }
const login = { Authorization: `Basic ${btoa('ann:a:b')}` }
const emma = { id: 'b1', title: 'Emma', stock: 1 }
const persuasion = { id: 'b2', title: 'Persuasion', stock: 0 }
const sense = { title: 'Sense', stock: 2 }

const EXCHANGES: readonly Exchange[] = [
  { send: 'GET /books', status: 200, json: [emma, persuasion] },
  { send: 'GET /books?limit=1', status: 200, json: [emma] },
  {
    send: 'GET /books',
    headers: { Accept: 'text/csv' },
    status: 200,
    sent: { 'Content-Type': 'text/csv; charset=utf-8' },
    text: 'Emma\nPersuasion',
  },
  { send: 'GET /books?limit=0', status: 422, problem: 'invalid' },
  {
    send: 'POST /books',
    headers: writer,
    body: sense,
    status: 201,
    sent: { Location: '/books/writer' },
    json: { ...sense, id: 'writer' },
  },
  { send: 'POST /books', headers: writer, body: { title: '' }, status: 422, problem: 'invalid' },
  { send: 'POST /books', headers: writer, body: '{', status: 400, problem: 'about:blank' },
  {
    send: 'POST /books',
    headers: { ...writer, 'Content-Type': 'text/plain' },
    body: 'Sense',
    status: 415,
    problem: 'about:blank',
  },
  {
    send: 'POST /books',
    headers: writer,
    body: { ...sense, title: 'x'.repeat(2_000_000) },
    status: 413,
    problem: 'about:blank',
  },
  // RFC 6750 §3: a request without a token gets a challenge without an error.
  { send: 'POST /books', body: sense, status: 401, sent: { 'WWW-Authenticate': 'Bearer' } },
  {
    send: 'POST /books',
    headers: { Authorization: 'Bearer other' },
    body: sense,
    status: 401,
    sent: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  },
  // RFC 6750 §3.1: insufficient_scope.
  {
    send: 'POST /books',
    headers: { Authorization: 'Bearer reader' },
    body: sense,
    status: 403,
    sent: { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="books:write"' },
    problem: 'no-access',
  },
  { send: 'GET /books/b1', status: 200, sent: { ETag: '"1"' }, json: emma },
  { send: 'HEAD /books/b1', status: 200, sent: { ETag: '"1"' }, text: '' },
  { send: 'GET /books/b1', headers: { 'If-None-Match': '"1"' }, status: 304, text: '' },
  { send: 'GET /books/b9', status: 404, problem: 'not-found' },
  { send: 'DELETE /books/b1', headers: { ...login, 'X-Key': 'k1' }, status: 204, text: '' },
  {
    send: 'DELETE /books/b1',
    headers: login,
    status: 401,
    sent: {
      'WWW-Authenticate': 'Basic realm="api", charset="UTF-8", ApiKey in="header", name="X-Key"',
    },
  },
  {
    send: 'GET /books/b1/cover',
    status: 200,
    sent: { 'Content-Type': 'image/png' },
  },
  { send: 'GET /books/b2/cover', status: 303, sent: { Location: '/covers/none.png' }, text: '' },
  {
    send: 'POST /books/b1/purchases',
    headers: writer,
    body: { quantity: 1 },
    status: 200,
    json: { ...emma, stock: 0 },
  },
  {
    send: 'POST /books/b2/purchases',
    headers: writer,
    body: { quantity: 1 },
    status: 409,
    problem: 'sold-out',
  },
]

const nowhere = (path: string) => ({
  type: 'about:blank',
  title: 'Not found',
  status: 404,
  detail: `No operation matches the path ${path}.`,
})

/** Requests that no operation matches. */
const OTHERS: readonly Exchange[] = [
  { send: 'GET /shelves', status: 404, json: nowhere('/shelves') },
  { send: 'GET /books/%FF', status: 404, json: nowhere('/books/%FF') },
  // RFC 9110 §15.5.6
  { send: 'PUT /books/b1', status: 405, sent: { Allow: 'GET, HEAD, DELETE, OPTIONS' } },
  { send: 'HEAD /books/b1/purchases', status: 405, sent: { Allow: 'POST, OPTIONS' }, text: '' },
  // RFC 9110 §9.3.7
  { send: 'OPTIONS /books', status: 204, sent: { Allow: 'GET, HEAD, POST, OPTIONS' }, text: '' },
]

function requestOf({ send, headers = {}, body }: Exchange): Request {
  const [method = '', path = ''] = send.split(' ')
  const content = typeof body === 'string' ? body : JSON.stringify(body)
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
  return new Request(`http://localhost${path}`, {
    method,
    headers: { ...type, ...headers },
    ...(body === undefined ? {} : { body: content }),
  })
}

async function expectAnswer(response: Response, exchange: Exchange): Promise<void> {
  const { status, sent = {}, json, text, problem } = exchange
  const body = await response.text()
  expect({ status: response.status, body }).toMatchObject({ status })
  for (const [name, value] of Object.entries(sent)) expect(response.headers.get(name)).toBe(value)
  if (text !== undefined) expect(body).toBe(text)
  if (json !== undefined) expect(JSON.parse(body)).toStrictEqual(json)
  if (problem === undefined) return
  expect(response.headers.get('Content-Type')).toBe('application/problem+json')
  expect(JSON.parse(body).type.split('/').pop()).toBe(problem)
}

describe('the bookshop', () => {
  it.each(EXCHANGES)('the bookshop answers $send with $status', async (exchange) => {
    const recorder = createConformanceRecorder(bookshopDocument)
    const { fetch } = createBookshop()
    const request = requestOf(exchange)
    const response = await recorder.middleware({ request }, () => fetch(request))
    await expectAnswer(response, exchange)
    expect(recorder.violations()).toEqual([])
  })

  it.each(OTHERS)(
    'the bookshop answers $send with $status, which is not an operation',
    async (exchange) => {
      await expectAnswer(await createBookshop().fetch(requestOf(exchange)), exchange)
    },
  )

  it('the bookshop answers below a base path only', async () => {
    const { fetch } = createBookshop({ basePath: '/shop' })
    const statuses = ['/shop/books', '/books', '/shopping/books'].map(async (path) => {
      const { status } = await fetch(new Request(`http://localhost${path}`))
      return status
    })
    expect(await Promise.all(statuses)).toEqual([200, 404, 404])
  })

  it("a handler answers another router's requests for the operation", async () => {
    const { handlers } = createBookshop()
    const request = new Request('http://localhost/elsewhere')
    expect(await (await handlers.readBook(request, { id: 'b1' })).json()).toEqual(emma)
  })
})
