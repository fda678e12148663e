/** Sends the same requests to one API in every framework, at the root and below a prefix. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { type TestContext } from 'node:test'
import { unwrap } from '@plumbline/openapi'
import { createConformanceRecorder } from '@plumbline/openapi/testing'
import { describeBooks } from './api.ts'
import * as next from './app/api/[[...path]]/route.ts'
import * as elysia from './elysia.ts'
import * as express from './express.ts'
import * as fastify from './fastify.ts'
import * as router from './fetch-router.ts'
import * as hono from './hono.ts'
import * as itty from './itty-router.ts'
import * as node from './node.ts'

type Send = (request: Request) => Promise<Response>
type Start = (context: TestContext) => Send | Promise<Send>

/** Next.js calls the function of the method, and answers a method without a function by 405. */
const callNext: Send = async (request) => {
  const functions: Record<string, Send> = { ...next }
  const answer = functions[request.method] ?? (() => Response.json(null, { status: 405 }))
  return /^\/api(\/|$)/.test(new URL(request.url).pathname)
    ? await answer(request)
    : new Response(null, { status: 404 })
}

await fastify.atRoot.ready()
await fastify.belowPrefix.ready()
const FRAMEWORKS: Readonly<
  Record<string, { readonly atRoot?: Start; readonly belowPrefix: Start }>
> = {
  Hono: {
    atRoot: () => async (request) => hono.atRoot.fetch(request),
    belowPrefix: () => async (request) => hono.belowPrefix.fetch(request),
  },
  '@remix-run/fetch-router': {
    atRoot: () => (request) => router.atRoot.fetch(request),
    belowPrefix: () => (request) => router.belowPrefix.fetch(request),
  },
  'Express 5': {
    atRoot: (context) => listen(context, createServer(express.atRoot)),
    belowPrefix: (context) => listen(context, createServer(express.belowPrefix)),
  },
  Fastify: {
    atRoot: (context) => listen(context, fastify.atRoot.server),
    belowPrefix: (context) => listen(context, fastify.belowPrefix.server),
  },
  Elysia: {
    atRoot: () => async (request) => elysia.atRoot.fetch(request),
    belowPrefix: () => async (request) => elysia.belowPrefix.fetch(request),
  },
  'itty-router': {
    atRoot: () => (request) => itty.atRoot.fetch(request),
    belowPrefix: () => async (request) =>
      (await itty.belowPrefix.fetch(request)) ?? new Response(null, { status: 404 }),
  },
  'node:http': {
    atRoot: (context) => listen(context, node.atRoot),
    belowPrefix: (context) => listen(context, node.belowPrefix),
  },
  'Next.js': { belowPrefix: () => callNext },
}

for (const [name, { atRoot, belowPrefix }] of Object.entries(FRAMEWORKS)) {
  if (atRoot !== undefined) {
    test(`${name} serves the API at the root`, async (context) => {
      await checkApi(await atRoot(context), 'https://books.example', '')
    })
  }
  test(`${name} serves the API below a prefix`, async (context) => {
    const send = await belowPrefix(context)
    await checkApi(send, 'https://books.example/api', '/api')
    const outside = await send(new Request('https://books.example/books/b1', { headers: TOKEN }))
    assert.equal(outside.status, 404)
  })
}

const TOKEN = { Authorization: 'Bearer secret' }
const JSON_TYPE = { 'Content-Type': 'application/json' }

/** Sends requests to the URLs of the document, and checks the responses against it. */
async function checkApi(send: Send, server: string, basePath: string): Promise<void> {
  const builder = describeBooks(server)
  const { servers, paths } = unwrap(builder.build())
  assert.deepEqual(servers, [{ url: server }])
  assert.deepEqual(Object.keys(paths ?? {}), ['/books/{id}', '/covers'])
  const recorder = createConformanceRecorder(builder, { basePath })
  const exchange = async (path: string, init: RequestInit = {}) => {
    const request = new Request(`${server}${path}`, init)
    return await recorder.middleware({ request: request.clone() }, () => send(request))
  }
  const book = '/books/caf%C3%A9%20%26%20co'
  const save = { method: 'PUT', headers: { ...TOKEN, ...JSON_TYPE } }

  const saved = await exchange(book, { ...save, body: '{"title":"Émile"}' })
  assert.equal(saved.status, 200)
  assert.deepEqual(await saved.json(), { title: 'Émile' })
  const read = await exchange(`${book}?upperCase=true`)
  assert.deepEqual(await read.json(), { title: 'ÉMILE' })
  const head = await exchange(book, { method: 'HEAD' })
  assert.equal(head.status, 200)
  assert.equal(await head.text(), '')

  const malformed = await exchange(book, { ...save, body: '{' })
  assert.equal(malformed.status, 400)
  const anonymous = await exchange(book, { ...save, headers: JSON_TYPE, body: '{}' })
  assert.equal(anonymous.status, 401)
  assert.equal(anonymous.headers.get('WWW-Authenticate'), 'Bearer')
  const text = { ...TOKEN, 'Content-Type': 'text/plain' }
  assert.equal((await exchange(book, { ...save, headers: text, body: 'Émile' })).status, 415)
  const invalid = await exchange(book, { ...save, body: '{"title":""}' })
  assert.equal(invalid.status, 422)
  assert.equal(invalid.headers.get('Content-Type'), 'application/problem+json')

  const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256)
  const png = { ...TOKEN, 'Content-Type': 'image/png' }
  const cover = await exchange('/covers', { method: 'POST', headers: png, body: bytes })
  assert.equal(cover.headers.get('Content-Type'), 'image/png')
  assert.deepEqual(new Uint8Array(await cover.arrayBuffer()), bytes)

  assert.equal((await exchange(book, { method: 'DELETE', headers: TOKEN })).status, 204)
  assert.equal((await exchange(book)).status, 404)
  assert.deepEqual(recorder.violations(), [])
  assert.equal(recorder.report().exchanges, 10)
  await checkOtherRequests(send, server)
}

/** The requests that do not belong to an operation reach the API too. */
async function checkOtherRequests(send: Send, server: string): Promise<void> {
  const options = await send(new Request(`${server}/covers`, { method: 'OPTIONS' }))
  assert.equal(options.status, 204)
  assert.equal(options.headers.get('Allow'), 'POST, OPTIONS')
  const patch = await send(new Request(`${server}/covers`, { method: 'PATCH' }))
  assert.equal(patch.status, 405)
  assert.equal(patch.headers.get('Content-Type'), 'application/problem+json')
  const unknown = await send(new Request(`${server}/unknown`))
  assert.equal(unknown.status, 404)
  assert.equal(unknown.headers.get('Content-Type'), 'application/problem+json')
}

/** Starts a server, and sends the requests to it over a socket. */
async function listen(context: TestContext, server: Server): Promise<Send> {
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  context.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const { method, headers } = request
    const body = request.body && (await request.arrayBuffer())
    return await fetch(`http://127.0.0.1:${port}${pathname}${search}`, { method, headers, body })
  }
}
