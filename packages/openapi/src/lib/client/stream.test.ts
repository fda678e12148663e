import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { events } from '../stream/events.ts'
import { jsonLines } from '../stream/json-lines.ts'
import { createClient } from './client.ts'
import { createManifest } from './manifest.ts'

const watch = defineOperation('watch', 'GET /jobs/:id/events', {
  summary: 'Watch',
  responses: {
    200: {
      description: 'A',
      stream: events({ progress: z.object({ done: z.int() }), token: z.string() }),
    },
    204: { description: 'Finished' },
    404: { description: 'B' },
  },
})
const rows = defineOperation('rows', 'GET /rows', {
  summary: 'Rows',
  responses: {
    200: {
      description: 'A',
      body: { 'application/json': z.object({ total: z.int() }) },
      stream: jsonLines(z.object({ title: z.string() })),
    },
  },
})
const operations = { watch, rows }
const params = { id: 'j1' }

type Served = Response | Error | ((init: RequestInit) => Response)
/** A client whose requests get these answers in turn, and the requests that it sent. */
function clientOf(...answers: Served[]) {
  const sent: Request[] = []
  const fetch = async (url: string, init: RequestInit) => {
    sent.push(new Request(url, init))
    const answer = answers.shift() ?? new Error('no more answers')
    if (answer instanceof Error) throw answer
    return typeof answer === 'function' ? answer(init) : answer
  }
  return { client: createClient(operations, { baseUrl: 'https://h', fetch }), sent, fetch }
}

/** A response of these pieces. An error breaks the connection, and null leaves it open. */
function stream(pieces: readonly (string | Error | null)[], type = 'text/event-stream') {
  const rest = [...pieces]
  const state = { isCancelled: false }
  const body = new ReadableStream({
    pull: (controller) => {
      const piece = rest.shift()
      if (piece === undefined) controller.close()
      else if (piece instanceof Error) controller.error(piece)
      else if (piece !== null) controller.enqueue(new TextEncoder().encode(piece))
      return piece === null ? new Promise<void>(() => undefined) : undefined
    },
    cancel: () => {
      state.isCancelled = true
    },
  })
  return Object.assign(new Response(body, { headers: { 'Content-Type': type } }), state, {
    wasCancelled: () => state.isCancelled,
  })
}
const progress = (done: number, id?: string) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: progress\ndata: {"done":${done}}\n\n`
const event = (done: number, id?: string) => ({
  event: 'progress',
  data: { done },
  ...(id === undefined ? {} : { id }),
})

async function collect<Part>(parts: AsyncIterable<Part>): Promise<Part[]> {
  const all: Part[] = []
  for await (const part of parts) all.push(part)
  return all
}

describe('a client of a stream', () => {
  it('yields its events, and ignores those that it does not know', async () => {
    const text = `retry: 1\n:\n\n${progress(1, '7')}event: token\ndata: a\ndata: b\n\ndata: x\n\n`
    const { client, sent } = clientOf(stream([text]))
    const all = await collect(client.watch({ params }))
    expect(all).toEqual([event(1, '7'), { event: 'token', data: 'a\nb', id: '7' }])
    expect(sent[0]?.url).toBe('https://h/jobs/j1/events')
  })

  it.each(['application/jsonl', 'application/x-ndjson; charset=utf-8'])(
    'yields the lines of %s',
    async (type) => {
      const { client } = clientOf(stream(['{"title":"A"}\r\n{"tit', 'le":"B"}'], type))
      expect(await collect(client.rows())).toEqual([{ title: 'A' }, { title: 'B' }])
    },
  )

  it('resolves with the answer, whose status and media type decide its body', async () => {
    const { client } = clientOf(
      new Response(null, { status: 404 }),
      stream([progress(1)]),
      Response.json({ total: 2 }),
    )
    expect(await client.watch({ params })).toMatchObject({ status: 404, body: undefined })
    const answer = await client.watch({ params })
    expect(answer.status === 200 && (await collect(answer.body))).toEqual([event(1)])
    const other = await client.rows()
    expect(other.body).toEqual({ total: 2 })
  })

  it('works with a manifest, which has the formats of the events', async () => {
    const manifest = JSON.parse(JSON.stringify(createManifest(operations)))
    expect(manifest.operations.watch.streams).toEqual({ 200: { progress: 'json', token: 'text' } })
    const { fetch } = clientOf(stream([progress(1)]))
    const client = createClient<typeof operations>(manifest, { baseUrl: 'https://h', fetch })
    expect(await collect(client.watch({ params }))).toEqual([event(1)])
    await expect(collect(client.watch({ params }, { check: true }))).rejects.toThrow(TypeError)
  })

  it('ends the connection if the loop ends', async () => {
    const response = stream([progress(1), null])
    const { client } = clientOf(response)
    for await (const one of client.watch({ params })) {
      expect(one).toEqual(event(1))
      break
    }
    expect(response.wasCancelled()).toBe(true)
  })

  it('ends without an error if the signal is aborted, before or after the answer', async () => {
    const controller = new AbortController()
    const { client } = clientOf(stream([progress(1), null]), (init) => {
      init.signal?.throwIfAborted()
      return stream([progress(1)])
    })
    const seen: unknown[] = []
    for await (const one of client.watch({ params }, { signal: controller.signal })) {
      seen.push(one)
      setTimeout(() => controller.abort(), 1)
    }
    expect(seen).toEqual([event(1)])
    expect(await collect(client.watch({ params }, { signal: controller.signal }))).toEqual([])
    const { client: other } = clientOf(new DOMException('', 'AbortError'))
    await expect(other.watch({ params }, { signal: controller.signal })).rejects.toThrow()
  })
})

describe('a client rejects', () => {
  it.each<[code: string, answer: () => Response]>([
    ['not-a-stream', () => new Response(null, { status: 404 })],
    ['incomplete', () => stream([`${progress(1)}data: {"done"`])],
    ['incomplete', () => stream([`${progress(1)}data: 1\n`, 'data: 2\n'])],
    ['malformed', () => stream(['event: progress\ndata: {\n\n'])],
    ['undeclared-media-type', () => new Response('')],
  ])('with the code %s', async (code, answer) => {
    const { client } = clientOf(answer())
    await expect(collect(client.watch({ params }))).rejects.toMatchObject({ code })
  })

  it('a line that is cut as incomplete', async () => {
    const { client } = clientOf(stream(['{"title":"A"}\n{"title'], 'application/jsonl'))
    await expect(collect(client.rows())).rejects.toMatchObject({ code: 'incomplete' })
  })

  it('an event that its schema rejects, when asked to check', async () => {
    const bad = 'event: progress\ndata: {"done":"x"}\n\n'
    const { client } = clientOf(stream([progress(1) + bad]), stream([progress(1) + bad]))
    expect(await collect(client.watch({ params }))).toHaveLength(2)
    await expect(collect(client.watch({ params }, { check: true }))).rejects.toMatchObject({
      code: 'event-mismatch',
      message: 'event 2 at /done: Invalid input: expected number, received string',
    })
  })

  it('the errors of a connection that breaks', async () => {
    const { client } = clientOf(stream([progress(1), new Error('reset')]))
    await expect(collect(client.watch({ params }))).rejects.toThrow('reset')
  })
})

describe('a client that reconnects (WHATWG HTML §9.2.3)', () => {
  const first = (last: string | Error) => stream([`retry: 1\n\n${progress(1, 'é')}`, last])

  it.each<[what: string, last: string | Error]>([
    ['breaks', new Error('reset')],
    ['is cut within an event', 'data: {"done"'],
  ])('sends the last ID if the connection %s', async (_, last) => {
    const { client, sent } = clientOf(
      first(last),
      new Error('refused'),
      new Response('', { status: 503 }),
      stream([progress(2)]),
    )
    const all = await collect(client.watch({ params }, { reconnect: 'on-failure' }))
    expect(all).toEqual([event(1, 'é'), event(2)])
    expect(sent.map(({ headers }) => headers.get('Last-Event-ID'))).toEqual([
      null,
      ...['\xc3\xa9', '\xc3\xa9', '\xc3\xa9'],
    ])
  })

  it('always, until the server answers 204', async () => {
    const { client, sent } = clientOf(
      stream([`retry: 1\n\n${progress(1)}`]),
      stream([progress(2)]),
      new Response(null, { status: 204 }),
    )
    const all = await collect(client.watch({ params }, { reconnect: 'always' }))
    expect([all, sent.length]).toEqual([[event(1), event(2)], 3])
  })

  it('rejects with another answer, and with an event that is not JSON', async () => {
    const { client } = clientOf(first('data: {'), new Response(null, { status: 404 }))
    await expect(
      collect(client.watch({ params }, { reconnect: 'on-failure' })),
    ).rejects.toMatchObject({ code: 'not-a-stream' })
    const { client: other } = clientOf(first('event: progress\ndata: {\n\n'))
    await expect(
      collect(other.watch({ params }, { reconnect: 'on-failure' })),
    ).rejects.toMatchObject({ code: 'malformed' })
  })

  it('ends while it waits if the signal is aborted', async () => {
    const controller = new AbortController()
    const { client } = clientOf(stream([`retry: 60000\n\n${progress(1)}`]))
    const all: unknown[] = []
    const init = { reconnect: 'always', signal: controller.signal } as const
    for await (const one of client.watch({ params }, init)) {
      all.push(one)
      setTimeout(() => controller.abort(), 1)
    }
    expect(all).toEqual([event(1)])
  })
})
