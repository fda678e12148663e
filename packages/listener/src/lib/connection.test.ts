import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createDocument, defineOperation } from '@plumbline/openapi'
import { implement } from '@plumbline/openapi/server'
import { events } from '@plumbline/openapi/streams'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { listen, requestText } from './listening.cases.ts'

const info = { title: 'Jobs', version: '1' }
const stream = events({ progress: z.object({ done: z.int() }) })
const watch = defineOperation('watch', 'GET /watch', {
  summary: 'Watch',
  responses: { 200: { description: 'It', stream } },
})
const upload = defineOperation('upload', 'POST /upload', {
  summary: 'Upload',
  body: z.object({ title: z.string() }),
  responses: { 204: { description: 'Done' } },
})
const builder = createDocument({ info, defaults: {} }).add(watch, upload)

type Parts = AsyncIterable<{ readonly event: 'progress'; readonly data: { done: number } }>

function serve(parts: (signal: AbortSignal) => Parts, received: unknown[] = []) {
  return implement(builder, {
    handlers: {
      watch: ({ signal }) => parts(signal),
      upload: ({ body, reply }) => {
        received.push(body)
        return reply(204)
      },
    },
    onError: () => undefined,
  })
}

async function* none(): Parts {}

describe('a stream', () => {
  it('a stream is sent from the start, part by part', async () => {
    let go: (() => void) | undefined
    const api = serve(async function* () {
      await new Promise<void>((resolve) => {
        go = resolve
      })
      yield { event: 'progress', data: { done: 1 } }
    })
    const { origin } = await listen(api)
    const response = await fetch(`${origin}/watch`)
    expect(response.headers.get('Content-Type')).toBe('text/event-stream')
    await vi.waitFor(() => expect(go).toBeDefined(), { timeout: 5_000 })
    go?.()
    expect(await response.text()).toBe('event: progress\ndata: {"done":1}\n\n')
  })

  it('a stream waits for a client that does not read', async () => {
    let sent = 0
    const api = serve(async function* () {
      for (; sent < 1_000_000; sent += 1) yield { event: 'progress', data: { done: sent } }
    })
    const { server } = await listen(api)
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
    socket.write(requestText('GET /watch'))
    // The buffers of both ends are full when nothing is taken any more.
    let before = -1
    while (before !== sent) {
      before = sent
      await wait(200)
    }
    expect(sent).toBeGreaterThan(0)
    expect(sent).toBeLessThan(1_000_000)
    socket.destroy()
  })

  it('a stream ends when the client goes away, also while it waits', async () => {
    const ended = vi.fn()
    const api = serve(async function* (signal) {
      try {
        yield { event: 'progress', data: { done: 1 } }
        await once(signal, 'abort')
      } finally {
        ended()
      }
    })
    const { origin } = await listen(api)
    const leaving = new AbortController()
    const response = await fetch(`${origin}/watch`, { signal: leaving.signal })
    await response.body?.getReader().read()
    leaving.abort()
    await vi.waitFor(() => expect(ended).toHaveBeenCalled(), { timeout: 5_000 })
  })

  it('a failing stream aborts the connection', async () => {
    const api = serve(async function* () {
      yield { event: 'progress', data: { done: 1 } }
      throw new Error('failed')
    })
    const { converse } = await listen(api)
    const received = await converse(requestText('GET /watch'))
    expect(received).toContain('data: {"done":1}')
    // RFC 9112 §7.1: the last chunk of a whole body.
    expect(received).not.toMatch(/\r\n0\r\n\r\n$/)
  })
})

describe('a client', () => {
  const json = ['Content-Type: application/json', 'Content-Length: 16']

  it('a client may send requests one after another, before the answers', async () => {
    const received: unknown[] = []
    const { converse } = await listen(serve(none, received))
    const one = ['POST /upload HTTP/1.1', 'Host: a', ...json, '', '{"title":"Emma"}'].join('\r\n')
    const answers = await converse(
      one + one + requestText('POST /upload', json, '{"title":"Last"}'),
    )
    expect(answers.match(/^HTTP\/1\.1 204 /gm)).toHaveLength(3)
    expect(received).toEqual([{ title: 'Emma' }, { title: 'Emma' }, { title: 'Last' }])
  })

  it('a client that sends many requests before the answers is read only as fast as it is answered', async () => {
    const waiting: (() => void)[] = []
    let isAnswered = false
    const { converse } = await listen({
      fetch: async () => {
        if (!isAnswered) await new Promise<void>((resolve) => waiting.push(resolve))
        return new Response(null, { status: 204 })
      },
    })
    const [count, padding] = [20_000, 'x'.repeat(200)]
    const one = `GET / HTTP/1.1\r\nHost: a\r\nX-Padding: ${padding}\r\n\r\n`
    const conversation = converse(one.repeat(count - 1) + requestText('GET /'))
    await vi.waitFor(() => expect(waiting).not.toEqual([]))
    await wait(500)
    // Node parses all requests of a chunk of 64 KiB.
    expect(waiting.length).toBeLessThan(700)
    isAnswered = true
    for (const answer of waiting) answer()
    expect((await conversation).match(/^HTTP\/1\.1 204 /gm)).toHaveLength(count)
  })

  it('a client may send a body slowly', async () => {
    const received: unknown[] = []
    const { server } = await listen(serve(none, received))
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    for (const part of [requestText('POST /upload', json, '{"title"'), ':"Emma"', '}']) {
      socket.write(part)
      await wait(20)
    }
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 204 /)
    expect(received).toEqual([{ title: 'Emma' }])
  })

  it('nothing changes if a client goes away before the body has ended', async () => {
    const received: unknown[] = []
    const { server, origin } = await listen(serve(none, received))
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(requestText('POST /upload', json, '{"title":'))
    await wait(20)
    socket.destroy()
    await wait(20)
    expect(received).toEqual([])
    expect((await fetch(`${origin}/nothing`)).status).toBe(404)
  })

  it('a client is cut off if it sends an endless body after the answer', async () => {
    const { server } = await listen(serve(none))
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('POST /nothing HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
    const sending = setInterval(() => socket.write('1\r\na\r\n'), 10)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 404 /)
    await once(socket, 'close')
    clearInterval(sending)
  })
})

it("another program's listeners receive the request's events", async () => {
  const { server, converse } = await listen(serve(none))
  const seen: string[] = []
  server.prependListener('request', (incoming) => {
    for (const event of ['end', 'close']) incoming.on(event, () => seen.push(event))
  })
  const headers = ['Content-Type: application/json', 'Content-Length: 16']
  await converse(requestText('POST /upload', headers, '{"title":"Emma"}'))
  expect(seen).toEqual(['end', 'close'])
})

describe("another program's `fetch` function", () => {
  it('the function gets the whole request', async () => {
    const { origin } = await listen({
      fetch: async (request) => {
        const { method, url, headers, body } = request
        const copy = new Request(request, { headers: { 'X-A': 'b' } })
        return Response.json([method, url, headers.get('x-b'), body !== null, await copy.text()])
      },
    })
    const init = { method: 'PATCH', headers: { 'X-B': 'c' }, body: 'text' }
    const response = await fetch(`${origin}/a?b`, init)
    expect(await response.json()).toEqual(['PATCH', `${origin}/a?b`, 'c', true, 'text'])
  })

  it.each([
    ['DELETE', [], false],
    ['GET', ['Content-Length: 1'], false],
    ['POST', ['Content-Length: 1'], true],
    ['TRACE', [], false],
  ])('the function gets a %s request with %j', async (method, headers, hasBody) => {
    const { converse } = await listen({
      fetch: (request) => new Response(`${request.method} ${request.body !== null}`),
    })
    const body = headers.length > 0 ? 'x' : ''
    expect(await converse(requestText(`${method} /`, headers, body))).toContain(
      `${method} ${hasBody}`,
    )
  })

  it('the function may answer with cookies, a reason and without content', async () => {
    const headers = new Headers([
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
    ])
    const { converse } = await listen({
      fetch: () => new Response(null, { status: 202, statusText: 'Fine', headers }),
    })
    const answer = await converse(requestText('GET /'))
    expect(answer).toMatch(/^HTTP\/1\.1 202 Fine\r\n/)
    expect(answer).toContain('set-cookie: a=1\r\nset-cookie: b=2\r\n')
    expect(answer).toContain('Content-Length: 0\r\n')
  })

  it.each([204, 304])(
    'the function may answer with %i, which does not have a length (RFC 9110 §8.6)',
    async (status) => {
      const { converse } = await listen({ fetch: () => new Response(null, { status }) })
      expect(await converse(requestText('GET /'))).not.toMatch(/content-length|transfer-encoding/i)
    },
  )

  it('the function does not send content for HEAD', async () => {
    const cancel = vi.fn()
    const fetch = () =>
      new Response(new ReadableStream({ cancel }), { headers: { 'Content-Length': '7' } })
    const { converse } = await listen({ fetch })
    expect(await converse(requestText('HEAD /'))).toMatch(/content-length: 7\r\n[\s\S]*\r\n\r\n$/i)
    expect(cancel).toHaveBeenCalled()
  })

  it.each<[string, () => Response | Promise<Response>]>([
    [
      'throws',
      () => {
        throw new Error('failed')
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('failed')
      },
    ],
    ['returns something else', () => 'text' as unknown as Response],
    [
      'returns an answer that was read',
      () => {
        const response = new Response('text')
        response.body?.getReader()
        return response
      },
    ],
  ])('the function is answered with 500 if it %s', async (_, fetch) => {
    const write = vi.spyOn(console, 'error').mockReturnValue()
    const { converse } = await listen({ fetch })
    expect(await converse(requestText('GET /'))).toMatch(/^HTTP\/1\.1 500 /)
    expect(write).toHaveBeenCalledTimes(1)
    write.mockRestore()
  })

  it('the function may answer after the client has gone', async () => {
    const cancel = vi.fn()
    const { server, origin } = await listen({
      fetch: async (request) => {
        if (request.url.endsWith('/still')) return new Response('here')
        await once(request.signal, 'abort')
        return new Response(new ReadableStream({ cancel }))
      },
    })
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(requestText('GET /'))
    await wait(20)
    socket.destroy()
    await vi.waitFor(() => expect(cancel).toHaveBeenCalled(), { timeout: 5_000 })
    expect(await (await fetch(`${origin}/still`)).text()).toBe('here')
  })
})
