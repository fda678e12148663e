import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import zlib, { gzipSync } from 'node:zlib'
import type { Served } from '@plumbline/base'
import { createDocument, defineOperation } from '@plumbline/openapi'
import { implement, type ServerOptions } from '@plumbline/openapi/server'
import { events } from '@plumbline/openapi/streams'
import { defineProblems } from '@plumbline/problem'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { listen, requestText } from './listening.cases.ts'

type Answer = () => Response | Promise<Response>

/** A `fetch` function with this answer, and another one for `/next`. */
const answering = (answer: Answer): Served => ({
  fetch: (request) => (request.url.endsWith('/next') ? new Response('NEXT') : answer()),
})

/** Sends a request and, before its answer, another one on the same connection. */
async function converseTwice(served: Served, method = 'GET'): Promise<string> {
  const { converse } = await listen(served)
  return await converse(`${method} / HTTP/1.1\r\nHost: a\r\n\r\n${requestText('GET /next')}`)
}

const NEXT = /HTTP\/1\.1 200 OK\r\n(?:[^\r]+\r\n)*\r\n4\r\nNEXT\r\n0\r\n\r\n$/

function silenceConsole() {
  const write = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => write.mockRestore())
  return write
}

describe("an answer's Content-Length", () => {
  it.each<[string, string, Answer]>([
    ['too small', '5', () => new Response('hello world')],
    ['too large', '20', () => new Response('hello world')],
    ['too small for a chunk after the first', '7', () => new Response(chunks('hello', ' world'))],
    ['too small by a whole chunk', '5', () => new Response(chunks('hello', ' world'))],
    ['too large for a stream', '20', () => new Response(chunks('hello', ' world'))],
  ])(
    'a length that is %s aborts the connection, and is written to the console',
    async (_, length, make) => {
      const write = silenceConsole()
      const answer = async () => {
        const { body } = await make()
        return new Response(body, { headers: { 'Content-Length': length } })
      }
      const received = await converseTwice(answering(answer))
      expect(received).toContain(`Content-Length: ${length}\r\n`)
      const sent = received.slice(received.indexOf('\r\n\r\n') + 4)
      expect('hello world'.startsWith(sent)).toBe(true)
      expect(sent.length).not.toBe(Number(length))
      expect(write).toHaveBeenCalledWith(
        new TypeError(`the body does not have the ${length} bytes of Content-Length`),
      )
    },
  )

  it('the length is sent if the stream has it', async () => {
    const headers = { 'Content-Length': '11' }
    const answer = () => new Response(chunks('hello', ' world'), { headers })
    const received = await converseTwice(answering(answer))
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Length: 11\r\n/)
    expect(received).toContain('\r\n\r\nhello worldHTTP/1.1 200 OK')
  })

  it.each<[string, Answer, string]>([
    [
      'of an answer without content is 0',
      () => new Response(null, { headers: { 'Content-Length': '5' } }),
      'Content-Length: 0\r\n',
    ],
    [
      'of a 205 is 0 (RFC 9110 §15.3.6)',
      () => new Response(null, { status: 205, headers: { 'Content-Length': '5' } }),
      'Content-Length: 0\r\n',
    ],
    [
      'of a 304 is that of the 200 (RFC 9110 §8.6)',
      () => new Response(null, { status: 304, headers: { 'Content-Length': '5' } }),
      'Content-Length: 5\r\n',
    ],
    [
      'is dropped if it is not a number',
      () => new Response('hello', { headers: { 'Content-Length': '5, 5' } }),
      'Transfer-Encoding: chunked\r\n',
    ],
  ])('the length %s', async (_, answer, header) => {
    const received = await converseTwice(answering(answer))
    expect(received).toContain(header)
    expect(received.match(/Content-Length|Transfer-Encoding/gi)).toHaveLength(2)
    expect(received).toMatch(NEXT)
  })

  it('the length is not sent with a 204 (RFC 9110 §8.6)', async () => {
    const headers = { 'Content-Length': '5' }
    const answer = () => new Response(null, { status: 204, headers })
    const received = await converseTwice(answering(answer))
    expect(received.match(/Content-Length/gi)).toBeNull()
    expect(received).toMatch(NEXT)
  })
})

function chunks(...texts: readonly string[]): ReadableStream {
  const left = texts.map((text) => new TextEncoder().encode(text))
  const pull = (controller: ReadableStreamDefaultController) => {
    const chunk = left.shift()
    if (chunk === undefined) controller.close()
    else controller.enqueue(chunk)
  }
  return new ReadableStream({ pull })
}

describe('answer headers', () => {
  it('connection headers are left out (RFC 9110 §7.6.1)', async () => {
    const headers = {
      Connection: 'upgrade, X-Named',
      'Keep-Alive': 'timeout=60',
      'Proxy-Connection': 'close',
      'Transfer-Encoding': 'gzip, chunked',
      Upgrade: 'websocket',
      TE: 'trailers',
      Trailer: 'X-A',
      'X-Named': '1',
      'X-Kept': '1',
      'Proxy-Status': 'a',
    }
    const received = await converseTwice(answering(() => new Response('ab', { headers })))
    const [head = ''] = received.split('\r\n\r\n')
    expect(
      head.split('\r\n').filter((line) => !/^(?:HTTP|Date|Keep-Alive: timeout=5$)/.test(line)),
    ).toEqual([
      'content-type: text/plain;charset=UTF-8',
      'proxy-status: a',
      'x-kept: 1',
      'Connection: keep-alive',
      'Transfer-Encoding: chunked',
    ])
    expect(received).toMatch(NEXT)
  })

  const headers = { 'X-A': 'Zo\xeb' }
  it.each<[string, string, Answer]>([
    ['text', 'GET', () => new Response('ë', { headers })],
    ['a stream', 'GET', () => new Response(chunks('ë'), { headers })],
    ['no content', 'GET', () => new Response(null, { headers })],
    ['no content', 'HEAD', () => new Response('ë', { headers })],
    ['a status', 'GET', () => new Response(null, { status: 204, headers })],
  ])('headers are bytes with %s in a %s answer (RFC 9110 §5.5)', async (_, method, answer) => {
    expect(await converseTwice(answering(answer), method)).toContain('x-a: Zo\xeb\r\n')
  })
})

const progress = events({ progress: z.object({ done: z.int() }) })
const problems = defineProblems('https://example.com/', {
  gone: { slug: 'gone', status: 410, title: 'Gone' },
})
const anything = { schema: z.string() }
const builder = createDocument({ info: { title: 'A', version: '1' }, problems, defaults: {} }).add(
  defineOperation('read', 'GET /', {
    summary: 'Read',
    problems: ['gone'],
    responses: {
      200: {
        description: 'It',
        body: {
          'application/json': z.unknown(),
          'text/plain': z.string(),
          'application/x-www-form-urlencoded': z.object({ a: z.string() }),
          'application/octet-stream': z.file(),
        },
        headers: { 'X-A': anything, 'Content-Length': anything, 'Transfer-Encoding': anything },
      },
    },
  }),
  defineOperation('watch', 'GET /watch', {
    summary: 'Watch',
    responses: { 200: { description: 'It', stream: progress } },
  }),
)

type Reply = (status: 200, body: unknown, options?: object) => never
type Context = { readonly reply: Reply; readonly problems: typeof problems }

/** An API with this answer to `GET /`, and the errors that it reports. */
function serve(read: (context: Context) => unknown, options: ServerOptions = {}) {
  const errors: string[] = []
  const api = implement(builder, {
    handlers: {
      read: read as never,
      watch: async function* () {
        yield { event: 'progress', data: { done: 1 } } as const
        throw new Error('watch failed')
      },
    },
    onError: (error) => {
      errors.push(error instanceof Error ? error.message : String(error))
    },
    ...options,
  })
  return { api, errors }
}

describe('an API answer with a known size', () => {
  const type = (contentType: string) => ({ contentType })
  const bytes = Uint8Array.from([0, 1, 2, 3, 255])
  it.each<[string, unknown, object, string]>([
    ['JSON', { a: 'ë' }, type('application/json'), '10'],
    ['text', 'Zoë', type('text/plain'), '4'],
    ['a form', { a: 'ë' }, type('application/x-www-form-urlencoded'), '8'],
    ['the fields of a form', new URLSearchParams('a=b'), type('text/plain'), '3'],
    ['a Blob', new Blob([bytes, bytes]), {}, '10'],
    ['an empty Blob', new Blob([]), {}, '0'],
    ['a Blob of 100,000 bytes', new Blob(['x'.repeat(100_000)]), {}, '100000'],
    ['an ArrayBuffer', bytes.buffer, type('application/octet-stream'), '5'],
    ['a part of a buffer', bytes.subarray(1, 4), type('application/octet-stream'), '3'],
  ])('the answer has a Content-Length, also for HEAD: %s', async (_, body, options, length) => {
    for (const headers of [
      {},
      { 'X-A': 'a' },
      { 'Content-Length': '7', 'Transfer-Encoding': 'x' },
    ]) {
      const { api } = serve(({ reply }) => reply(200, body, { ...options, headers }))
      const { origin } = await listen(api)
      for (const method of ['GET', 'HEAD']) {
        const response = await fetch(origin, { method })
        expect(response.headers.get('Content-Length')).toBe(length)
        expect(response.headers.get('Transfer-Encoding')).toBeNull()
        const expected = await (await api.fetch(new Request(origin, { method }))).arrayBuffer()
        expect(await response.arrayBuffer()).toEqual(expected)
      }
    }
  })

  it('the answer has the bytes as they were when reply was called', async () => {
    const reused = Uint8Array.from([1])
    const { api } = serve(({ reply }) => {
      const answer = reply(200, reused, type('application/octet-stream'))
      reused.fill(2)
      return answer
    })
    const { origin } = await listen(api)
    expect(await (await fetch(origin)).bytes()).toEqual(Uint8Array.from([1]))
  })

  it.each(['text', new Blob(['text'])])("the answer's headers are bytes", async (body) => {
    const { api } = serve(({ reply }) =>
      reply(200, body, { ...type('text/plain'), headers: { 'X-A': 'Zo\xeb' } }),
    )
    const { converse } = await listen(api)
    expect(await converse(requestText('GET /'))).toMatch(/x-a: Zo\xeb\r\n[\s\S]*\r\n\r\ntext$/)
  })
})

describe('an answer that cannot be sent', () => {
  const used = () => {
    const response = new Response('text')
    response.body?.getReader()
    return response
  }
  const DEL = /^the header x-a contains a character that HTTP does not permit$/i

  it.each<[string, (context: Context) => unknown, RegExp]>([
    ['a header of reply', ({ reply }) => reply(200, '', { headers: { 'X-A': '\x7f' } }), DEL],
    [
      'a header of a problem',
      ({ problems }) => problems.gone({ headers: { 'X-A': 'a\x01b' } }),
      DEL,
    ],
    [
      'a media type',
      ({ reply }) => reply(200, '', { contentType: 'text/plain; a=\x7f' }),
      /^the header Content-Type contains/,
    ],
    ['a response that was read', used, /locked/],
    ['a status', () => Object.defineProperty(used(), 'status', { value: 1_000 }), /locked|1000/],
    [
      'the text of a status',
      () => Object.defineProperty(new Response('text'), 'statusText', { value: '\x7f' }),
      /statusMessage/,
    ],
  ])('the answer becomes a 500 and reaches onError: %s', async (_, read, message) => {
    for (const method of ['GET', 'HEAD']) {
      const { api, errors } = serve(read)
      const { converse } = await listen(api)
      const received = await converse(requestText(`${method} /`))
      expect(received).toMatch(/^HTTP\/1\.1 500 Internal Server Error\r\n/)
      expect(received).toContain('content-type: application/problem+json\r\n')
      expect(received.includes('"status":500}')).toBe(method === 'GET')
      expect(errors).toEqual([expect.stringMatching(message)])
    }
  })

  it('an answer made unsendable in middleware becomes a 500 too', async () => {
    const { api, errors } = serve(({ reply }) => reply(200, ''), {
      middleware: async (_, next) => {
        const response = await next()
        response.headers.set('X-A', '\x7f')
        return response
      },
    })
    const { origin } = await listen(api)
    expect((await fetch(origin)).status).toBe(500)
    expect(errors).toEqual([expect.stringMatching(DEL)])
  })

  it('`fetch` returns a 500 if reply receives the value', async () => {
    const { api } = serve(({ reply }) => reply(200, '', { headers: { 'X-A': '\x7f' } }))
    expect((await api.fetch(new Request('http://h/'))).status).toBe(500)
  })

  it('the 500 is empty if the answer from onError cannot be sent either', async () => {
    const write = silenceConsole()
    const unsent = ({ problems }: Context) => problems.gone({ headers: { 'X-A': '\x7f' } })
    const { api } = serve(unsent, { onError: () => unsent({ problems } as never) as never })
    const { converse } = await listen(api)
    expect(await converse(requestText('GET /'))).toMatch(
      /^HTTP\/1\.1 500 Internal Server Error\r\nContent-Length: 0\r\n[\s\S]*\r\n\r\n$/,
    )
    expect(write).toHaveBeenCalledTimes(1)
  })

  it("another function's answer becomes an empty 500, and the error is on the console", async () => {
    const write = silenceConsole()
    const { converse } = await listen({
      fetch: () => new Response('text', { headers: { 'X-A': '\x7f' } }),
    })
    expect(await converse(requestText('GET /'))).toMatch(
      /^HTTP\/1\.1 500 Internal Server Error\r\nContent-Length: 0\r\n[\s\S]*\r\n\r\n$/,
    )
    expect(write).toHaveBeenCalledWith(
      expect.objectContaining({ message: expect.stringMatching(DEL) }),
    )
  })
})

describe('a failing stream', () => {
  const failing = () =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('begun')),
      pull: (controller) => controller.error(new Error('stream failed')),
    })

  it.each([
    ['bytes', '/', 'stream failed'],
    ['events', '/watch', 'watch failed'],
  ])('the error reaches onError once, and aborts the connection: %s', async (_, path, message) => {
    const { api, errors } = serve(({ reply }) =>
      reply(200, failing(), { contentType: 'application/octet-stream' }),
    )
    const { converse } = await listen(api)
    const received = await converse(requestText(`GET ${path}`))
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(received).not.toMatch(/\r\n0\r\n\r\n$/)
    expect(errors).toEqual([message])
  })

  it("another function's error is written to the console", async () => {
    const write = silenceConsole()
    const { converse } = await listen({ fetch: () => new Response(failing()) })
    expect(await converse(requestText('GET /'))).not.toMatch(/\r\n0\r\n\r\n$/)
    expect(write).toHaveBeenCalledWith(new Error('stream failed'))
  })

  it('a stream whose client has gone is not an error', async () => {
    const cancel = vi.fn()
    const pull = (controller: ReadableStreamDefaultController) =>
      controller.enqueue(new Uint8Array(65_536))
    const { api, errors } = serve(({ reply }) =>
      reply(200, new ReadableStream({ pull, cancel }), { contentType: 'application/octet-stream' }),
    )
    const { server } = await listen(api)
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(requestText('GET /'))
    await once(socket, 'data')
    socket.destroy()
    await vi.waitFor(() => expect(cancel).toHaveBeenCalled(), { timeout: 5_000 })
    expect(errors).toEqual([])
  })
})

it.each<[string, Answer]>([
  ['a text', () => new Response('a', { headers: { 'Set-Cookie': 'b=2', Vary: 'Accept' } })],
  ['no content', () => new Response(null, { headers: { 'Set-Cookie': 'b=2', Vary: 'Accept' } })],
])("cookies and Vary from other code are kept with the answer's own: %s", async (_, answer) => {
  const { converse } = await listen(answering(answer), (_, next, outgoing) => {
    outgoing.setHeader('Set-Cookie', ['a=1', 'c=3']).setHeader('Vary', 'Origin')
    next()
  })
  const lines = (await converse(requestText('GET /'))).split('\r\n')
  expect(lines.filter((line) => /^(?:set-cookie|vary)/i.test(line)).toSorted()).toEqual([
    'set-cookie: a=1',
    'set-cookie: b=2',
    'set-cookie: c=3',
    'vary: Accept',
    'vary: Origin',
  ])
})

it("cookies from other code are kept with a reply's own", async () => {
  const options = { contentType: 'application/json', headers: { 'Set-Cookie': ['b=2', 'c=3'] } }
  const { api } = serve(({ reply }) => reply(200, 'a', options))
  const { origin } = await listen(api, (_, next, outgoing) => {
    outgoing.setHeader('Set-Cookie', 'a=1')
    next()
  })
  expect((await fetch(origin)).headers.getSetCookie()).toEqual(['a=1', 'b=2', 'c=3'])
})

it('headers from other code are bytes, also with text', async () => {
  const { api } = serve(({ reply }) => reply(200, 'ë', { contentType: 'application/json' }))
  const { converse } = await listen(api, (_, next, outgoing) => {
    outgoing.setHeader('X-A', 'Zo\xeb')
    next()
  })
  expect(await converse(requestText('GET /'))).toContain('X-A: Zo\xeb\r\n')
})

it.each<[string, BodyInit]>([
  ['text', 'hello'],
  ['bytes', new Uint8Array(5)],
  ['a file', new Blob(['hello'])],
  ['a stream', chunks('hello')],
])('100 Continue is sent before an answer waiting for another one: %s', async (_, content) => {
  const contentType = 'application/octet-stream'
  const { api } = serve(({ reply }) => reply(200, content, { contentType }))
  const waiting: ServerResponse[] = []
  const { converse } = await listen(api, (incoming, next, outgoing) => {
    if (incoming.url === '/first') return waiting.push(outgoing)
    const end = outgoing.end.bind(outgoing)
    const endBoth = (...parts: Parameters<typeof end>) => {
      end(...parts)
      return waiting[0]?.end() ?? outgoing
    }
    Object.assign(outgoing, { end: endBoth })
    return next()
  })
  const headers = ['Expect: 100-continue', 'Content-Length: 0']
  const received = await converse(
    `GET /first HTTP/1.1\r\nHost: a\r\n\r\n${requestText('GET /', headers)}`,
  )
  const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
  expect(statuses).toEqual(['200', '100', '200'])
})

describe('an answer from `fetch`', () => {
  const responses = { 200: { description: 'A' } }
  const text = 'hello world '.repeat(500)

  async function upstream(headers: Record<string, string>, body: string | Buffer): Promise<string> {
    const server = createServer((_, outgoing) => {
      outgoing.writeHead(200, { 'Content-Length': Buffer.byteLength(body), ...headers }).end(body)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }

  it.each([
    ['gzip', null],
    ['X-GZIP', null],
    // The content is as it was sent.
    ['identity', String(text.length)],
  ])(
    'the answer passes through with the coding %s, which `fetch` may have decoded',
    async (coding, length) => {
      const body = coding === 'identity' ? text : gzipSync(text)
      const url = await upstream({ 'Content-Encoding': coding, 'X-A': 'b' }, body)
      const { origin } = await listen({ fetch: () => fetch(url) })
      for (let time = 0; time < 3; time += 1) {
        const response = await fetch(origin)
        expect(response.headers.get('Content-Length')).toBe(length)
        expect(response.headers.get('Content-Encoding')).toBe(length === null ? null : coding)
        expect(response.headers.get('X-A')).toBe('b')
        expect(await response.text()).toBe(text)
      }
      const head = await fetch(origin, { method: 'HEAD' })
      expect(head.headers.get('Content-Length')).toBe(length)
    },
  )

  // Node 20 has neither a Zstandard encoder nor a `fetch` that decodes it.
  it.runIf('zstdCompressSync' in zlib)(
    'the answer passes through with the coding zstd',
    async () => {
      const url = await upstream({ 'Content-Encoding': 'zstd' }, zlib.zstdCompressSync(text))
      const decoded = await (await fetch(url)).text()
      const { origin } = await listen({ fetch: () => fetch(url) })
      const response = await fetch(origin)
      const isDecoded = decoded === text
      expect(response.headers.get('Content-Encoding')).toBe(isDecoded ? null : 'zstd')
      expect(await response.text()).toBe(decoded)
    },
  )

  it('the answer passes through a deprecated operation, which adds headers', async () => {
    const url = await upstream({ 'Content-Encoding': 'gzip' }, gzipSync(text))
    const deprecated = { since: new Date(0) }
    const old = defineOperation('old', 'GET /', { summary: 'A', deprecated, responses })
    const builder = createDocument({ info: { title: 'A', version: '1' }, defaults: {} }).add(old)
    const { origin } = await listen(
      implement(builder, { handlers: { old: (() => fetch(url)) as never } }),
    )
    const response = await fetch(origin)
    expect(response.headers.get('Deprecation')).toBe('@0')
    expect(await response.text()).toBe(text)
  })
})
