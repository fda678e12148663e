import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createDocument } from '../document/build.ts'
import { defineOperation } from '../operation.ts'
import { implement } from '../server/implement.ts'
import { events } from '../stream/events.ts'
import { jsonLines } from '../stream/json-lines.ts'
import { checkResponse } from './check-response.ts'
import { createConformanceRecorder } from './recorder.ts'

const stream = events({
  progress: z.object({ done: z.int(), note: z.string().optional() }),
  done: z.object({ title: z.string() }),
  token: z.string(),
})
const watch = defineOperation('watch', 'GET /watch', {
  summary: 'Watch',
  responses: { 200: { description: 'A', stream } },
})
const rows = defineOperation('rows', 'GET /rows', {
  summary: 'Rows',
  responses: {
    200: { description: 'A', stream: jsonLines(z.object({ title: z.string().nullable() })) },
  },
})
const info = { title: 'Jobs', version: '1' }
const builderOf = (openapi: '3.1.1' | '3.2.0' = '3.1.1') =>
  createDocument({ info, openapi }).add(watch, rows)

const sse = (text: string | readonly string[], type = 'text/event-stream') => {
  const pieces = [text].flat().map((piece) => new TextEncoder().encode(piece))
  const body = new ReadableStream({
    pull: (controller) => {
      const piece = pieces.shift()
      if (piece === undefined) controller.close()
      else controller.enqueue(piece)
    },
  })
  return new Response(body, { headers: { 'Content-Type': type } })
}

/** A recorder that has seen these answers, each read to its end. */
async function recorded(
  builder: ReturnType<typeof builderOf>,
  ...answers: [path: string, Response][]
) {
  const recorder = createConformanceRecorder(builder)
  const texts: string[] = []
  for (const [path, answer] of answers) {
    const request = new Request(`http://h${path}`)
    texts.push(await (await recorder.middleware({ request }, async () => answer)).text())
  }
  return { recorder, texts }
}

describe('an event that breaks the contract', () => {
  const good = 'event: progress\ndata: {"done":1}\n\n'
  const bad = 'event: progress\ndata: {"done":"x"}\n\n'

  it('a bad event is a violation with a number and a pointer, and the other events count', async () => {
    const { recorder } = await recorded(builderOf(), ['/watch', sse(good + good + bad + good)])
    expect(recorder.violations()).toEqual([
      {
        kind: 'event-mismatch',
        operationId: 'watch',
        event: 3,
        pointer: '/done',
        message: 'Invalid input: expected number, received string',
        method: 'GET',
        url: 'http://h/watch',
        status: 200,
      },
    ])
  })

  it.each<[what: string, text: string, message: string, event: number]>([
    ['data that is not JSON', 'event: done\ndata: {\n\n', 'the data is not valid JSON', 1],
    ['an undeclared event', 'data: 1\n\n', 'the stream does not declare the event "message"', 1],
    [
      'a stream that ends within an event',
      `${good}data: 1\n`,
      'the stream ended within this part',
      2,
    ],
  ])('%s is a violation', async (_, text, message, event) => {
    const { recorder } = await recorded(builderOf(), ['/watch', sse(text)])
    expect(recorder.violations()).toMatchObject([{ kind: 'event-mismatch', message, event }])
    const request = new Request('http://h/watch')
    expect(await checkResponse(builderOf(), request, sse(text))).toMatchObject({
      error: { violations: [{ kind: 'event-mismatch', message, event }] },
    })
  })

  it('checkResponse finds the bad event on a clone', async () => {
    const response = sse([good, bad, good])
    const checked = await checkResponse(builderOf(), new Request('http://h/watch'), response)
    expect(checked).toMatchObject({ error: { violations: [{ event: 2, pointer: '/done' }] } })
    expect(`${checked.status === 'failure' && checked.error.message}`).toContain('event 2, /done')
    expect(await response.text()).toBe(good + bad + good)
  })
})

it('checkResponse reads one MiB from an endless stream', async () => {
  let pulled = 0
  const piece = new TextEncoder().encode(`event: token\ndata: ${'x'.repeat(100_000)}\n\n`)
  const body = new ReadableStream({
    pull: (controller) => {
      pulled += 1
      controller.enqueue(piece)
    },
  })
  const response = new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
  const checked = await checkResponse(builderOf(), new Request('http://h/watch'), response)
  expect([checked.status, pulled < 20]).toEqual(['success', true])
  await response.body?.cancel()
})

it('a recorder reads a stream no faster than the client, and passes the end on', async () => {
  let ended = false
  let sent = 0
  const api = implement(createDocument({ info, defaults: {} }).add(watch), {
    handlers: {
      watch: async function* () {
        try {
          for (;;) {
            sent += 1
            yield { event: 'token', data: `${sent}` }
          }
        } finally {
          ended = true
        }
      },
    },
  })
  const recorder = createConformanceRecorder(api.document)
  const request = new Request('http://h/watch')
  const response = await recorder.middleware({ request }, () => api.fetch(request))
  expect(response.headers.get('Cache-Control')).toBe('no-cache')
  const reader = response.body?.getReader()
  await reader?.read()
  expect(sent).toBe(1)
  await reader?.cancel()
  await vi.waitFor(() => expect(ended).toBe(true))
})

it('a response with another media type than the stream is a violation', async () => {
  const { recorder } = await recorded(builderOf(), ['/watch', Response.json({})])
  expect(recorder.violations()).toMatchObject([{ kind: 'undocumented-media-type' }])
})
