import assert from 'node:assert/strict'
import { unwrap } from '@plumbline/openapi'
import { createConformanceRecorder } from '@plumbline/openapi/testing'
import { describeBooks } from './api.ts'

export type Send = (request: Request) => Promise<Response>

/** Sends requests to the URLs of the document, and checks the responses against it. */
export async function checkApi(send: Send, server: string, basePath: string): Promise<void> {
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
  assert.deepEqual(
    recorder.uncovered().filter(({ status }) => status < 400),
    [],
  )
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

/** Checks an API below `/api`, and that the prefix is required. */
export async function checkBelowPrefix(send: Send): Promise<void> {
  await checkApi(send, 'https://books.example/api', '/api')
  const outside = await send(new Request('https://books.example/books/b1'))
  assert.equal(outside.status, 404)
  const cover = { method: 'POST', headers: { ...TOKEN, 'Content-Type': 'image/png' }, body: 'x' }
  assert.equal((await send(new Request('https://books.example/covers', cover))).status, 404)
}

/** Sends requests over a socket to a server on this port. */
export function sendTo(port: number): Send {
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const { method, headers } = request
    const body = request.body && (await request.arrayBuffer())
    return await fetch(`http://127.0.0.1:${port}${pathname}${search}`, { method, headers, body })
  }
}

const TOKEN = { Authorization: 'Bearer secret' }
const JSON_TYPE = { 'Content-Type': 'application/json' }
