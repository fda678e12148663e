import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { events } from '../stream/events.ts'
import { createClient } from './client.ts'
import {
  clientOf,
  collect,
  event,
  operations,
  params,
  progress,
  type Served,
  stream,
} from './streams.cases.ts'

/** Makes the client wait as little as possible. */
const QUICK = 'retry: 1\n\n'
const refused = () => new TypeError('fetch failed')
const stop = () => new Response(null, { status: 204 })
const idsOf = (sent: readonly Request[]) => sent.map(({ headers }) => headers.get('Last-Event-ID'))

/** The events of these connections until one answers 204, and the IDs that the requests had. */
async function follow(connections: readonly Served[], headers: HeadersInit = {}) {
  const { client, sent } = clientOf(...connections, stop())
  const all = await collect(client.watch({ params }, { reconnect: 'always', headers }))
  return { all, ids: idsOf(sent) }
}

describe('a reconnecting client (WHATWG HTML §9.2.3)', () => {
  const first = (last: string | Error) => stream([QUICK, progress(1, 'é'), last])

  it.each<[what: string, last: string | Error]>([
    ['breaks', new Error('reset')],
    ['is cut within an event', 'data: {"done"'],
  ])(
    'the client sends the last ID until a stream answers, if the connection %s',
    async (_, last) => {
      const { client, sent } = clientOf(
        first(last),
        refused(),
        new Response('', { status: 503 }),
        stream([progress(2)]),
      )
      const all = await collect(client.watch({ params }, { reconnect: 'on-failure' }))
      expect(all).toEqual([event(1, 'é'), event(2, 'é')])
      expect(idsOf(sent)).toEqual([null, '\xc3\xa9', '\xc3\xa9', '\xc3\xa9'])
    },
  )

  it('a 204 ends the stream, even undeclared and as the first answer', async () => {
    expect((await follow([stream([QUICK, progress(1)]), stream([progress(2)])])).all).toEqual([
      event(1),
      event(2),
    ])
    expect((await follow([])).all).toEqual([])
    const { client } = clientOf(stop())
    await expect(client.watch({ params }, { reconnect: 'always' })).rejects.toMatchObject({
      code: 'undeclared-status',
    })
  })

  it('the last ID survives connections whose events lack IDs', async () => {
    const connections = [
      stream([QUICK, progress(1, '5')]),
      stream([progress(2)]),
      stream(['data: x\n\n']),
    ]
    expect(await follow(connections)).toEqual({
      all: [event(1, '5'), event(2, '5')],
      ids: [null, '5', '5', '5'],
    })
  })

  it.each<[what: string, text: string, id: string | null]>([
    ['an ID without data', 'id: 8\n\n', '8'],
    ['an ID in an unknown event', 'id: 8\nevent: other\ndata: x\n\n', '8'],
    ['an empty ID, which resets', 'id\n\n', null],
    ['an ID with a null character, which is ignored', 'id: 8\0\n\n', '7'],
    ['an ID in a block cut short, which is ignored', 'id: 8\n', '7'],
  ])('the client handles %s', async (_, text, id) => {
    const { ids } = await follow([stream([QUICK, progress(1, '7'), text])])
    expect(ids).toEqual([null, id])
  })

  it("the first request's ID is the initial last ID, and an empty ID resets it", async () => {
    const connections = [stream([QUICK, progress(1)]), stream([`id\n\n${progress(2)}`])]
    expect(await follow(connections, { 'Last-Event-ID': '\xc3\xa9' })).toEqual({
      all: [event(1, 'é'), event(2)],
      ids: ['\xc3\xa9', '\xc3\xa9', null],
    })
  })

  it.each<[what: string, id: string]>([
    ['300 KB', 'x'.repeat(300_000)],
    ['a control character', 'a\x01'],
  ])('the client rejects instead of sending an ID with %s', async (_, id) => {
    const { client, sent } = clientOf(stream([progress(1, id)]))
    const reading = collect(client.watch({ params }, { reconnect: 'always' }))
    await expect(reading).rejects.toMatchObject({ code: 'malformed' })
    expect(sent).toHaveLength(1)
  })
})

describe('a reconnecting client rejects immediately', () => {
  const broken = () => stream([QUICK, progress(1), new Error('reset')])

  it.each<[what: string, answer: () => Response, code: string]>([
    ['another status', () => new Response(null, { status: 404 }), 'not-a-stream'],
    ['an undeclared status', () => new Response(null, { status: 500 }), 'undeclared-status'],
    ['another media type', () => Response.json({}), 'undeclared-media-type'],
    ['data that is not JSON', () => stream(['event: progress\ndata: {\n\n']), 'malformed'],
  ])('the client rejects %s', async (_, answer, code) => {
    const { client, sent } = clientOf(broken(), answer())
    const reading = collect(client.watch({ params }, { reconnect: 'always' }))
    await expect(reading).rejects.toMatchObject({ code })
    expect(sent).toHaveLength(2)
  })

  it('the client yields earlier events, then rejects a line longer than 16 MiB', async () => {
    const { client, sent } = clientOf(stream([`${progress(1)}data: ${'x'.repeat(17 * 2 ** 20)}`]))
    const seen: unknown[] = []
    const reading = (async () => {
      const all = client.watch({ params }, { reconnect: 'on-failure' })
      for await (const one of all) seen.push(one)
    })()
    await expect(reading).rejects.toMatchObject({ code: 'too-long' })
    expect([seen, sent.length]).toEqual([[event(1)], 1])
  })

  it.each<[what: string, error: Error]>([
    ['a fetch error other than a TypeError', new RangeError('a bug')],
    ['an abort in the caller’s fetch', new DOMException('', 'AbortError')],
  ])('the client rejects with %s', async (_, error) => {
    const { client, sent } = clientOf(broken(), error)
    const reading = collect(client.watch({ params }, { reconnect: 'always' }))
    await expect(reading).rejects.toBe(error)
    expect(sent).toHaveLength(2)
    const body = clientOf(stream([progress(1), new DOMException('', 'AbortError')]))
    const aborted = collect(body.client.watch({ params }, { reconnect: 'always' }))
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('the client rejects a streamed request body with a TypeError', async () => {
    const copy = defineOperation('copy', 'POST /copy', {
      summary: 'Copy',
      body: { 'text/plain': z.string() },
      responses: { 200: { description: 'A', stream: events({ progress: z.unknown() }) } },
    })
    const { fetch, sent } = clientOf(broken(), broken())
    const client = createClient({ copy }, { baseUrl: 'https://h', fetch })
    const body = new Blob(['a']).stream() as unknown as string
    const reading = collect(client.copy({ body }, { reconnect: 'always' }))
    await expect(reading).rejects.toThrow('a request whose body is a stream cannot reconnect')
    expect(sent).toHaveLength(1)
  })

  it('the client rejects with a TypeError from the headers function', async () => {
    let calls = 0
    const { fetch } = clientOf(broken())
    const headers = () => {
      calls += 1
      if (calls > 1) throw new TypeError('a bug')
      return {}
    }
    const client = createClient(operations, { baseUrl: 'https://h', fetch, headers })
    const reading = collect(client.watch({ params }, { reconnect: 'always' }))
    await expect(reading).rejects.toThrow('a bug')
    expect(calls).toBe(2)
  })
})

describe('an aborted signal', () => {
  it('an abort stops a client waiting to reconnect', async () => {
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

  it('an abort drops later events from the same chunk', async () => {
    const controller = new AbortController()
    const { client } = clientOf(stream([progress(1) + progress(2) + progress(3)]))
    const all: unknown[] = []
    for await (const one of client.watch({ params }, { signal: controller.signal })) {
      all.push(one)
      if (all.length === 2) controller.abort()
    }
    expect(all).toEqual([event(1), event(2)])
  })

  it('an abort ends an answer not yet iterated, and closes the connection', async () => {
    const controller = new AbortController()
    const response = stream([progress(1), null])
    const { client } = clientOf(response)
    const answer = await client.watch({ params }, { signal: controller.signal })
    controller.abort()
    expect(answer.status === 200 && (await collect(answer.body))).toEqual([])
    expect(response.wasCancelled()).toBe(true)
  })
})
