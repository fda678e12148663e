import { expect, it } from 'vitest'
import { z } from 'zod'
import { createDocument } from '../document/build.ts'
import { defineOperation } from '../operation.ts'
import { implement } from '../server/implement.ts'
import { events } from '../stream/events.ts'
import { createClient } from './client.ts'
import { clientOf, collect, operations, params, progress, stream } from './streams.cases.ts'

const info = { title: 'Jobs', version: '1' }
const rowsOf = () => stream(['{"title":"A"}\n'], 'application/jsonl')
const acceptOf = ([request]: readonly Request[]) => request?.headers.get('Accept')

it('a loop accepts the stream, and await accepts the body', async () => {
  const looped = clientOf(rowsOf())
  await collect(looped.client.rows())
  expect(acceptOf(looped.sent)).toBe(
    'application/jsonl, application/x-ndjson, application/json;q=0.5',
  )
  const awaited = clientOf(Response.json({ total: 1 }))
  await awaited.client.rows()
  expect(acceptOf(awaited.sent)).toBe('application/json')
})

it('an operation with only a stream accepts it with a loop, with await and when it reconnects', async () => {
  const awaited = clientOf(stream([progress(1)]))
  await awaited.client.watch({ params })
  expect(acceptOf(awaited.sent)).toBe('text/event-stream')
  const looped = clientOf(stream([progress(1)]), new Response(null, { status: 204 }))
  await collect(looped.client.watch({ params }, { reconnect: 'always' }))
  expect(looped.sent.map(({ headers }) => headers.get('Accept'))).toEqual([
    'text/event-stream',
    'text/event-stream',
  ])
})

it("the caller's accept option wins, and a request's own Accept header overrides it", async () => {
  const chosen = clientOf(rowsOf())
  const answer = await chosen.client.rows({ accept: 'application/x-ndjson' })
  expect(acceptOf(chosen.sent)).toBe('application/x-ndjson, application/json;q=0.5')
  expect(answer.contentType === 'application/jsonl' && (await collect(answer.body))).toEqual([
    { title: 'A' },
  ])
  const own = clientOf(rowsOf())
  await collect(own.client.rows({}, { headers: { Accept: 'application/jsonl' } }))
  expect(acceptOf(own.sent)).toBe('application/jsonl')
})

it("the client's headers replace the default Accept, but not the accept option", async () => {
  const { fetch, sent } = clientOf(rowsOf(), rowsOf())
  const headers = { Accept: '*/*' }
  const client = createClient(operations, { baseUrl: 'https://h', fetch, headers })
  await collect(client.rows())
  await client.rows({ accept: 'application/jsonl' })
  expect(sent.map((request) => request.headers.get('Accept'))).toEqual([
    '*/*',
    'application/jsonl, application/json;q=0.5',
  ])
})

it('an operation without a stream sends only the media type in accept', async () => {
  const body = { 'application/json': z.unknown(), 'text/csv': z.string() }
  const list = defineOperation('list', 'GET /list', {
    summary: 'List',
    responses: { 200: { description: 'A', body } },
  })
  const { fetch, sent } = clientOf(Response.json({}), Response.json({}))
  const client = createClient({ list }, { baseUrl: 'https://h', fetch })
  await client.list()
  await client.list({ accept: 'text/csv' })
  expect(sent.map((request) => request.headers.get('Accept'))).toEqual([
    null,
    'text/csv, application/json;q=0.5',
  ])
})

it('an Accept list long enough to need a preflight in a browser is cut (Fetch §2.2.2)', async () => {
  const long = `application/vnd.${'a'.repeat(100)}`
  const body = { 'application/json': z.unknown(), 'text/csv': z.string(), [long]: z.string() }
  const list = defineOperation('list', 'GET /list', {
    summary: 'List',
    responses: { 200: { description: 'A', body, stream: events({ message: z.string() }) } },
  })
  const { fetch, sent } = clientOf(stream([]), Response.json({}), new Response())
  const client = createClient({ list }, { baseUrl: 'https://h', fetch })
  await collect(client.list())
  await client.list()
  await client.list({ accept: long }).catch(() => undefined)
  expect(sent.map((request) => request.headers.get('Accept'))).toEqual([
    'text/event-stream, application/json;q=0.5, text/csv;q=0.5, */*;q=0.1',
    'application/json, text/csv, */*;q=0.1',
    `${long}, */*;q=0.1`,
  ])
})

it('an implement handler sends the stream or the body, depending on Accept', async () => {
  const builder = createDocument({ info, defaults: {} }).add(operations.rows)
  const api = implement(builder, {
    handlers: {
      rows: async ({ request, reply }) =>
        request.headers.get('Accept')?.startsWith('application/jsonl')
          ? (async function* () {
              yield { title: 'A' }
            })()
          : reply(200, { total: 1 }),
    },
  })
  const fetch = (url: string, init: RequestInit) => api.fetch(new Request(url, init))
  const client = createClient(builder, { baseUrl: 'http://h', fetch })
  expect(await collect(client.rows())).toEqual([{ title: 'A' }])
  expect(await client.rows()).toMatchObject({ status: 200, body: { total: 1 } })
  const chosen = await client.rows({ accept: 'application/jsonl' })
  expect(chosen.contentType).toBe('application/jsonl')
})

it('a loop accepts problems, and the bodies of other statuses', async () => {
  const watch = defineOperation('watch', 'GET /watch', {
    summary: 'Watch',
    responses: {
      200: { description: 'A', body: z.unknown(), stream: events({ message: z.string() }) },
      404: { description: 'B', body: { 'text/plain': z.string() } },
    },
  })
  const builder = createDocument({ info, defaults: {} }).add(watch)
  const { fetch, sent } = clientOf(stream(['data: a\n\n']), Response.json({}))
  const client = createClient(builder, { baseUrl: 'https://h', fetch })
  expect(await collect(client.watch())).toEqual([{ event: 'message', data: 'a' }])
  await client.watch()
  const others = 'text/plain;q=0.5, application/problem+json;q=0.5'
  expect(sent.map(({ headers }) => headers.get('Accept'))).toEqual([
    `text/event-stream, application/json;q=0.5, ${others}`,
    `application/json, ${others}`,
  ])
})
