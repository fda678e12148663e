import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { BodyReadError } from '@plumbline/base'
import { createDocument, defineOperation } from '@plumbline/openapi'
import { implement } from '@plumbline/openapi/server'
import { defineWebhook, signWebhooks, verifyWebhooks } from '@plumbline/openapi/webhooks'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { listen } from './listening.cases.ts'

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const BYTES = 'application/octet-stream'
const READ = /^the body of the request was already read: mount the API before body parsers/

const echo = defineOperation('echo', 'POST /echo', {
  summary: 'Echo',
  body: {
    [JSON_TYPE]: z.unknown(),
    'text/plain': z.string(),
    [FORM]: z.record(z.string(), z.string()),
    [BYTES]: z.file(),
  },
  bodyLimit: 50_000,
  responses: { 200: { description: 'It', body: z.unknown() } },
})
const builder = createDocument({ info: { title: 'Echo', version: '1' }, defaults: {} }).add(echo)

/** An API that echoes bodies, and the errors that it reports. */
function serve() {
  const errors: string[] = []
  const api = implement(builder, {
    handlers: {
      echo: async ({ body, reply }) =>
        reply(200, { got: body instanceof Blob ? await body.text() : body }),
    },
    onError: (error) => {
      errors.push(String(error instanceof TypeError ? error.message : error))
    },
  })
  return { api, errors }
}

/** The members that a parser adds to the request. */
type Kept = { readonly rawBody?: unknown; readonly body?: unknown }
type Keep = (bytes: Buffer) => Kept

/** A middleware that reads the whole body, and keeps something of it. */
const parser = (keep: Keep) => async (incoming: IncomingMessage, next: () => void) => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  Object.assign(incoming, keep(Buffer.concat(chunks)))
  next()
}

function post(
  origin: string,
  type: string,
  sent: string,
  { isChunked = false, headers = {} } = {},
) {
  const body = isChunked ? new Blob([sent]).stream() : sent
  const init = { method: 'POST', headers: { 'Content-Type': type, ...headers }, body }
  return fetch(`${origin}/echo`, { ...init, duplex: 'half' } as RequestInit)
}

const text: Keep = (bytes) => ({ body: bytes.toString() })
const raw: Keep = (body) => ({ body })
const rawBody: Keep = (bytes) => ({ rawBody: bytes, body: { parsed: 'otherwise' } })
const json: Keep = (bytes) => ({ body: JSON.parse(bytes.toString()) })

const LOST = Symbol('lost')

/** The body that an API gets, with a Content-Length and in chunks. */
type Row = readonly [
  what: string,
  type: string,
  sent: string,
  keep: Keep,
  got: unknown,
  inChunks: unknown,
]

const ROWS: readonly Row[] = [
  ['bytes in rawBody', JSON_TYPE, '{ "a": 1 }', rawBody, { a: 1 }, { a: 1 }],
  ['bytes in rawBody', FORM, 'a=b%20c', rawBody, { a: 'b c' }, { a: 'b c' }],
  ['bytes in body', BYTES, 'xyz', raw, 'xyz', 'xyz'],
  ['bytes in body', 'text/plain', 'Zoë', raw, 'Zoë', 'Zoë'],
  ['text', 'text/plain', 'Zoë', text, 'Zoë', LOST],
  ['text', JSON_TYPE, '"a"', text, 'a', LOST],
  ['text that may replace other bytes', 'text/plain', '\ufffd', text, LOST, LOST],
  ['a JSON value', JSON_TYPE, '{ "a": [1, "ë"] }', json, { a: [1, 'ë'] }, { a: [1, 'ë'] }],
  ['a JSON number', JSON_TYPE, '1e2', json, 100, 100],
  ['a JSON value of another type', 'text/plain', '[1]', json, LOST, LOST],
  // With a JSON media type, a string may be the text or its value.
  ['a JSON string', JSON_TYPE, '"12"', json, LOST, LOST],
  // Express 4 gives an empty object to requests that it has not read.
  ['an empty JSON object', JSON_TYPE, '{}', json, {}, LOST],
  ['an empty object', JSON_TYPE, '{"a":1}', () => ({ body: {} }), LOST, LOST],
  ['an empty object', 'text/plain', 'ab', () => ({ body: {} }), LOST, LOST],
  ['a parsed form', FORM, 'a=b', () => ({ body: { a: 'b' } }), LOST, LOST],
  ['nothing', 'text/plain', 'hello', () => ({}), LOST, LOST],
  ['undefined', JSON_TYPE, '{"a":1}', () => ({ body: undefined }), LOST, LOST],
  ['null', JSON_TYPE, '{"a":1}', () => ({ body: null }), LOST, LOST],
  ['a BigInt', JSON_TYPE, '{"a":1}', () => ({ body: { a: 1n } }), LOST, LOST],
]

describe.each(ROWS)('if a parser keeps %s from %s %s', (_, type, sent, keep, got, inChunks) => {
  it.each([
    ['with a Content-Length', false, got],
    ['in chunks', true, inChunks],
  ])('an API gets the body, or reports the loss: %s', async (_, isChunked, expected) => {
    const { api, errors } = serve()
    const { origin } = await listen(api, parser(keep))
    const response = await post(origin, type, sent, { isChunked })
    if (expected === LOST) {
      expect(response.status).toBe(500)
      expect(errors).toEqual([expect.stringMatching(READ)])
    } else {
      expect([response.status, await response.json()]).toEqual([200, { got: expected }])
      expect(errors).toEqual([])
    }
  })

  it.each([
    ['with a Content-Length', false, got],
    ['in chunks', true, inChunks],
  ])(
    "another program's function gets the bytes or an error: %s",
    async (_, isChunked, expected) => {
      const read = async (request: Request) =>
        new Response(await request.text().catch((error: unknown) => String(error)))
      const { origin } = await listen({ fetch: read }, parser(keep))
      const answer = await (await post(origin, type, sent, { isChunked })).text()
      const isExact = expected !== LOST && keep !== json
      expect(answer).toBe(isExact ? sent : String(new BodyReadError()))
    },
  )
})

it.each([
  ['as it was sent', 'xyz', {}, 200],
  ['in part', 'x', {}, 500],
  // Parsers decode it.
  ['of a Content-Encoding', 'x', { 'Content-Encoding': 'gzip' }, 500],
])('bytes are used only if they are the body: %s', async (_, kept, headers, status) => {
  const { origin } = await listen(
    serve().api,
    parser(() => ({ rawBody: Buffer.from(kept) })),
  )
  const isChunked = 'Content-Encoding' in headers
  expect((await post(origin, BYTES, 'xyz', { headers, isChunked })).status).toBe(status)
})

it.each([false, true])(
  'the limit applies to a body kept by a parser, in chunks: %s',
  async (isChunked) => {
    const { origin } = await listen(serve().api, parser(raw))
    const send = (length: number) => post(origin, BYTES, 'x'.repeat(length), { isChunked })
    expect((await send(50_000)).status).toBe(200)
    expect((await send(50_001)).status).toBe(413)
  },
)

it.each([
  ['without a body', undefined],
  ['with an empty body', ''],
])('a request %s does not count as a lost body', async (_, body) => {
  const { api, errors } = serve()
  for (const keep of [text, raw, () => ({ body: {} })]) {
    const { origin } = await listen(api, parser(keep))
    const init = { method: 'POST', headers: { 'Content-Type': 'text/plain' } }
    const response = await fetch(`${origin}/echo`, body === undefined ? init : { ...init, body })
    expect([response.status, await response.json()]).toEqual([200, { got: '' }])
  }
  expect(errors).toEqual([])
})

it('a body is malformed if a host rejects it on reading', async () => {
  const { api, errors } = serve()
  const { origin } = await listen(api, async (incoming, next) => {
    for await (const _ of incoming);
    const get = () => {
      throw new Error('Invalid JSON')
    }
    Object.defineProperty(incoming, 'body', { get })
    next()
  })
  expect((await post(origin, JSON_TYPE, '{')).status).toBe(400)
  expect(errors).toEqual([])
})

describe('a lost body', () => {
  type Middleware = (incoming: IncomingMessage, next: () => void) => unknown
  it.each<[string, Middleware]>([
    [
      'if it was read in part',
      async (incoming, next) => {
        await once(incoming, 'readable')
        incoming.read(1)
        next()
      },
    ],
    [
      'if another reader takes the first bytes',
      (incoming, next) => {
        incoming.on('data', () => undefined)
        next()
      },
    ],
    [
      'if Node decodes it',
      (incoming, next) => {
        incoming.setEncoding('utf8')
        next()
      },
    ],
  ])('the body is lost %s', async (_, middleware) => {
    for (const isChunked of [false, true]) {
      const { api, errors } = serve()
      const { origin } = await listen(api, middleware)
      expect((await post(origin, 'text/plain', 'hello', { isChunked })).status).toBe(500)
      expect(errors).toEqual([expect.stringMatching(READ)])
    }
  })

  it('the body is lost if a middleware in the API has read the request', async () => {
    const errors: unknown[] = []
    const api = implement(builder, {
      handlers: { echo: ({ reply }) => reply(200, {}) },
      middleware: async ({ request }, next) => {
        request.body?.getReader()
        return await next()
      },
      onError: (error) => {
        errors.push(error)
      },
    })
    const { origin } = await listen(api)
    expect((await post(origin, 'text/plain', 'hello')).status).toBe(500)
    expect(errors).toEqual([new BodyReadError()])
  })
})

describe('a webhook behind a parser', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const hook = defineWebhook('hook', { summary: 'A', body: z.object({ a: z.int() }) })
  const send = async (keep: Keep) => {
    const received = vi.fn()
    const fetch = async (request: Request) => {
      const receiving = hook.receive(request, { verify: verifyWebhooks(secret) })
      received(await receiving.catch((error: unknown) => error))
      return new Response(null, { status: 204 })
    }
    const { origin } = await listen({ fetch }, parser(keep))
    const sent = '{ "a": 1 }'
    const timestamp = Math.floor(Date.now() / 1_000)
    const body = new TextEncoder().encode(sent)
    const signature = await signWebhooks(secret)({ id: 'm1', timestamp, body })
    const headers = { 'webhook-id': 'm1', 'webhook-timestamp': `${timestamp}` }
    await post(origin, JSON_TYPE, sent, { headers: { ...headers, 'webhook-signature': signature } })
    return received.mock.calls[0]?.[0]
  }

  it('the webhook is verified with the bytes, or is a program error', async () => {
    expect(await send(rawBody)).toMatchObject({ status: 'success', data: { body: { a: 1 } } })
    expect(await send(json)).toBeInstanceOf(TypeError)
  })
})
