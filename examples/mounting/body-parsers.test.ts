/**
 * Body parsers in front of an API, which is the usual mistake of a mount. A body is never taken as empty: the API gets what
 * the parser kept, or the request is a 500 whose error says where to mount the API.
 */
import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { createDocument, defineOperation } from '@plumbline/openapi'
import { createRequestListener, type Served } from '@plumbline/openapi/node'
import { implement } from '@plumbline/openapi/server'
import { defineWebhook, signWebhooks, verifyWebhooks } from '@plumbline/openapi/webhooks'
import { USER_DEFINITION } from '@plumbline/scim/discovery'
import { createScimEndpoint, defineResourceType, memoryStore } from '@plumbline/scim/endpoint'
import express, { type RequestHandler } from 'express'
import createFastify from 'fastify'
import { z } from 'zod'

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const BYTES = 'application/octet-stream'
const MOUNT = /mount the (?:API|endpoint) before /

/** The bodies that are sent, by media type, and what the API reads. */
const BODIES: Readonly<Record<string, readonly [sent: string, read: unknown]>> = {
  [JSON_TYPE]: ['{ "title": "Émile" }', { title: 'Émile' }],
  'text/plain': ['Émile', 'Émile'],
  [FORM]: ['title=%C3%89mile', { title: 'Émile' }],
  [BYTES]: ['xyz', 'xyz'],
}

const echo = defineOperation('echo', 'POST /', {
  summary: 'Echo',
  body: {
    [JSON_TYPE]: z.object({ title: z.string() }),
    'text/plain': z.string(),
    [FORM]: z.object({ title: z.string() }),
    [BYTES]: z.file(),
  },
  responses: { 200: { description: 'The body', body: z.unknown() } },
})

function createApi() {
  const errors: string[] = []
  const info = { title: 'Echo', version: '1.0.0' }
  const api = implement(createDocument({ info, defaults: {} }).add(echo), {
    handlers: {
      echo: async ({ body, reply }) => reply(200, body instanceof Blob ? await body.text() : body),
    },
    onError: (error) => {
      errors.push(String(error))
    },
  })
  return { api, errors }
}

type Sent = Readonly<Record<string, string>>

/** Sends a body to a listener on a port of its own. */
async function post(
  listener: RequestListener,
  body: string,
  headers: Sent,
  { isChunked = false, path = '/' } = {},
) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const init = { method: 'POST', headers, body: isChunked ? new Blob([body]).stream() : body }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      duplex: 'half',
    } as RequestInit)
    return { status: response.status, text: await response.text() }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Parsers, the media types that they read, and those of which an API gets the body: with a length, and in chunks. */
const PARSERS: readonly (readonly [
  name: string,
  parser: RequestHandler,
  read: readonly string[],
  kept: readonly string[],
  keptInChunks: readonly string[],
])[] = [
  ['json()', express.json(), [JSON_TYPE], [JSON_TYPE], [JSON_TYPE]],
  ['text()', express.text(), ['text/plain'], ['text/plain'], []],
  ['urlencoded()', express.urlencoded(), [FORM], [], []],
  ['raw()', express.raw(), [BYTES], [BYTES], [BYTES]],
  [
    'raw() of all types',
    express.raw({ type: '*/*' }),
    Object.keys(BODIES),
    Object.keys(BODIES),
    Object.keys(BODIES),
  ],
  [
    'json() and urlencoded() that keep the bytes, as Firebase does',
    express.Router().use(...[express.json, express.urlencoded].map((parser) => parser({ verify }))),
    [JSON_TYPE, FORM],
    [JSON_TYPE, FORM],
    [JSON_TYPE, FORM],
  ],
]

function verify(request: object, _: unknown, rawBody: Buffer): void {
  Object.assign(request, { rawBody })
}

for (const [name, parser, read, kept, keptInChunks] of PARSERS) {
  test(`an API behind ${name} of Express gets the body, or reports that it is lost`, async () => {
    for (const isChunked of [false, true]) {
      for (const [type, [sent, expected]] of Object.entries(BODIES)) {
        const { api, errors } = createApi()
        const app = express().use(parser, createRequestListener(api))
        const { status, text } = await post(app, sent, { 'Content-Type': type }, { isChunked })
        const isKept = !read.includes(type) || (isChunked ? keptInChunks : kept).includes(type)
        assert.equal(status, isKept ? 200 : 500, `${type}, in chunks: ${isChunked}`)
        if (isKept) assert.deepEqual(JSON.parse(text), expected)
        else assert.match(errors.join(), MOUNT)
        assert.equal(errors.length, isKept ? 0 : 1)
      }
    }
  })
}

test('an API behind a parser of Express limits the body', async () => {
  const { api } = createApi()
  const app = express().use(express.raw({ limit: '5mb' }), createRequestListener(api))
  const body = 'x'.repeat(1024 * 1024 + 1)
  for (const isChunked of [false, true]) {
    assert.equal((await post(app, body, { 'Content-Type': BYTES }, { isChunked })).status, 413)
  }
})

test('an API in a route of Fastify, which has parsed the body, reports that it is lost', async () => {
  for (const isKept of [false, true]) {
    const { api, errors } = createApi()
    const listener = createRequestListener(api)
    const app = createFastify()
    app.post('/', (request, reply) => {
      reply.hijack()
      listener(isKept ? Object.assign(request.raw, { body: request.body }) : request.raw, reply.raw)
    })
    await app.ready()
    const { status } = await post(app.routing, '{"title":"Emma"}', { 'Content-Type': JSON_TYPE })
    assert.equal(status, isKept ? 200 : 500)
    assert.equal(MOUNT.test(errors.join()), !isKept)
  }
})

test('a webhook behind a parser is verified by the bytes, or is an error of the program', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const hook = defineWebhook('hook', { summary: 'A', body: z.object({ title: z.string() }) })
  const [sent] = BODIES[JSON_TYPE] ?? ['']
  const timestamp = Math.floor(Date.now() / 1_000)
  const signature = await signWebhooks(secret)({
    id: 'msg_1',
    timestamp,
    body: new TextEncoder().encode(sent),
  })
  const headers = {
    'Content-Type': JSON_TYPE,
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  }
  for (const [parser, expected] of [
    [express.json(), /TypeError/],
    [express.urlencoded({ type: '*/*' }), /TypeError/],
    [express.json({ verify }), /success/],
    [express.raw({ type: '*/*' }), /success/],
  ] as const) {
    const served: Served = {
      fetch: async (request) => {
        const receiving = hook.receive(request, { verify: verifyWebhooks(secret) })
        return new Response(await receiving.then(({ status }) => status, String))
      },
    }
    const app = express().use(parser, createRequestListener(served))
    assert.match((await post(app, sent, headers)).text, expected)
  }
})

test('a SCIM endpoint on the same listener reports that a parser has read the body', async () => {
  for (const [parser, status] of [
    [express.json(), 500],
    [express.text({ type: '*/*' }), 201],
    [express.json({ verify }), 201],
    [express.urlencoded({ type: '*/*' }), 500],
  ] as const) {
    const errors: string[] = []
    const store = memoryStore({ definitions: { [USER_DEFINITION.id]: USER_DEFINITION } })
    const scim = createScimEndpoint({
      base: 'https://example.com/',
      resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', store })],
      authenticate: async () => ({}),
      onError: (error) => errors.push(String(error)),
    })
    const app = express().use(parser, createRequestListener(scim))
    const user = '{ "userName": "ada" }'
    const created = await post(app, user, { 'Content-Type': JSON_TYPE }, { path: '/Users' })
    assert.equal(created.status, status)
    assert.equal(MOUNT.test(errors.join()), status === 500)
  }
})

test('an API without a listener is an error that names the listener', async () => {
  const errors: string[] = []
  const failed: express.ErrorRequestHandler = (error, _, response, next) => {
    errors.push(String(error))
    if (response.headersSent) next(error)
    else response.sendStatus(500)
  }
  // Express's types accept the function.
  const app = express().use(createApi().api.fetch, failed)
  assert.equal((await post(app, '{}', { 'Content-Type': JSON_TYPE })).status, 500)
  assert.match(errors.join(), /mount createRequestListener\(api\)/)
})
