import { describe, expect, it } from 'vitest'
import { createClient } from './client.ts'
import { createManifest } from './manifest.ts'
import { clientOf, collect, event, operations, params, progress, stream } from './streams.cases.ts'

describe("a stream's client", () => {
  it('the client yields known events and ignores unknown ones', async () => {
    const text = `retry: 1\n:\n\n${progress(1, '7')}event: token\ndata: a\ndata: b\n\ndata: x\n\n`
    const { client, sent } = clientOf(stream([text]))
    const all = await collect(client.watch({ params }))
    expect(all).toEqual([event(1, '7'), { event: 'token', data: 'a\nb', id: '7' }])
    expect(sent[0]?.url).toBe('https://h/jobs/j1/events')
  })

  it.each<[init: object, message: string]>([
    [
      { reconnect: 'allways' },
      'the client: reconnect must be one of on-failure, always, not "allways"',
    ],
    [{ reconnect: true }, 'reconnect must be one of on-failure, always, not a boolean'],
    [{ check: 'yes' }, 'the client: check must be a boolean, not "yes"'],
  ])('invalid options send nothing: %j', async (init, message) => {
    const { client, sent } = clientOf(stream([progress(1)]))
    await expect(client.watch({ params }, init)).rejects.toThrow(TypeError)
    await expect(collect(client.watch({ params }, init))).rejects.toThrow(message)
    expect(sent).toEqual([])
  })

  it.each(['application/jsonl', 'application/x-ndjson; charset=utf-8'])(
    'the client yields lines from %s',
    async (type) => {
      const { client } = clientOf(stream(['{"title":"A"}\r\n{"tit', 'le":"B"}'], type))
      expect(await collect(client.rows())).toEqual([{ title: 'A' }, { title: 'B' }])
    },
  )

  it('the call resolves with the answer, whose status and media type decide the body', async () => {
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

  it('a manifest works, because it lists the event formats', async () => {
    const manifest = JSON.parse(JSON.stringify(createManifest(operations)))
    expect(manifest.operations.watch.streams).toEqual({ 200: { progress: 'json', token: 'text' } })
    const { fetch } = clientOf(stream([progress(1)]))
    const client = createClient<typeof operations>(manifest, { baseUrl: 'https://h', fetch })
    expect(await collect(client.watch({ params }))).toEqual([event(1)])
    await expect(collect(client.watch({ params }, { check: true }))).rejects.toThrow(TypeError)
  })

  it('ending the loop closes the connection', async () => {
    const response = stream([progress(1), null])
    const { client } = clientOf(response)
    for await (const one of client.watch({ params })) {
      expect(one).toEqual(event(1))
      break
    }
    expect(response.wasCancelled()).toBe(true)
  })

  it('an aborted signal ends the loop without an error, before or after the answer', async () => {
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

describe('a client error', () => {
  it.each<[code: string, answer: () => Response]>([
    ['not-a-stream', () => new Response(null, { status: 404 })],
    ['incomplete', () => stream([`${progress(1)}data: {"done"`])],
    ['incomplete', () => stream([`${progress(1)}data: 1\n`, 'data: 2\n'])],
    ['malformed', () => stream(['event: progress\ndata: {\n\n'])],
    ['undeclared-media-type', () => new Response('')],
  ])('the client rejects with the code %s', async (code, answer) => {
    const { client } = clientOf(answer())
    await expect(collect(client.watch({ params }))).rejects.toMatchObject({ code })
  })

  it('a line cut short rejects with the code incomplete', async () => {
    const { client } = clientOf(stream(['{"title":"A"}\n{"title'], 'application/jsonl'))
    await expect(collect(client.rows())).rejects.toMatchObject({ code: 'incomplete' })
  })

  it('an event rejected by the schema is an error if check is set', async () => {
    const bad = 'event: progress\ndata: {"done":"x"}\n\n'
    const { client } = clientOf(stream([progress(1) + bad]), stream([progress(1) + bad]))
    expect(await collect(client.watch({ params }))).toHaveLength(2)
    await expect(collect(client.watch({ params }, { check: true }))).rejects.toMatchObject({
      code: 'event-mismatch',
      message: 'event 2 at /done: Invalid input: expected number, received string',
    })
  })

  it("a broken connection rejects with the connection's error", async () => {
    const { client } = clientOf(stream([progress(1), new Error('reset')]))
    await expect(collect(client.watch({ params }))).rejects.toThrow('reset')
  })
})
