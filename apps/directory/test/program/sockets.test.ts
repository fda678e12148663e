import { once } from 'node:events'
import { connect as open, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Listening, listen } from '../../src/server.ts'
import type { LogEntry } from '../../src/shell/observe/request-log.ts'
import { type Client, connect } from '../support/harness.ts'

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
const MIB = 1024 * 1024
/** Targets that a URL parser resolves to another path, which a proxy does not check. */
const DOTTED = [
  '/scim/../api/health',
  '/scim/%2e%2e/api/health',
  '/scim/%2E./api/health',
  '/scim/.%2e/api/health',
  '/scim/v2/../../api/health',
  '/scim/./../api/health',
  '/scim/%2e/../api/health',
  '/api/./health',
  '/api/health/.',
  '/api/health/x/..',
  '/api/health/%2e',
  '/api/health/x/..?a=b',
  '/api/health/x/..#a',
  '/scim\\..\\api/health',
  '/scim/..\\api/health',
  '//../api/health',
  'http://localhost/scim/../api/health',
  'http://localhost/scim/%2e%2E/api/health',
]

let store: Store
let client: Client
let server: Listening
const log: LogEntry[] = []
beforeAll(async () => {
  store = await openSqlite(':memory:')
  client = await connect(store, { log: (entry) => log.push(entry) })
  const timeouts = { headersTimeout: 200, requestTimeout: 400, idleTimeout: 5_000 }
  server = await listen(client.directory, { host: '127.0.0.1', port: 0, ...timeouts })
})
afterAll(async () => {
  await server.stop()
  await store.close()
})

it('connections beyond the maximum are closed, which is reported once', async () => {
  const full: number[] = []
  const { origin, stop } = await listen(client.directory, {
    host: '127.0.0.1',
    port: 0,
    maxConnections: 2,
    onFull: (maxConnections) => full.push(maxConnections),
  })
  const { hostname, port } = new URL(origin)
  const sockets = [1, 2, 3, 4].map(() => open(Number(port), hostname))
  const closed = sockets.slice(2).map((socket) => once(socket, 'close'))
  await Promise.all(closed)
  expect([full, sockets.map(({ destroyed }) => destroyed)]).toEqual([
    [2],
    [false, false, true, true],
  ])
  for (const socket of sockets) socket.destroy()
  await stop()
})

it("a client's pipelined requests are answered one after another (RFC 9112 §9.3.2)", async () => {
  const count = 300
  let [running, most] = [0, 0]
  const counting = await listen(
    {
      fetch: async (request) => {
        running += 1
        most = Math.max(most, running)
        await new Promise((resolve) => setTimeout(resolve, 0))
        running -= 1
        return new Response(new URL(request.url).pathname)
      },
    },
    { host: '127.0.0.1', port: 0 },
  )
  const { port } = new URL(counting.origin)
  const socket = open(Number(port), '127.0.0.1')
  const requests = Array.from(
    { length: count },
    (_, at) => `GET /${at} HTTP/1.1\r\nHost: a\r\n\r\n`,
  )
  socket.write(requests.join(''))
  let text = ''
  for await (const chunk of socket) {
    text += chunk
    if (text.endsWith(`/${count - 1}`)) break
  }
  const paths = Array.from(text.matchAll(/\r\n\r\n\/(\d+)/g), ([, at]) => Number(at))
  expect(paths).toEqual(Array.from({ length: count }, (_, at) => at))
  expect(most).toBe(1)
  socket.destroy()
  await counting.stop()
})

describe('a body over 1 MiB', () => {
  it('a large body is answered with 413 in SCIM form, by its Content-Length (RFC 7644 §3.12)', async () => {
    const socket = await dial()
    socket.write(head('POST /scim/v2/Users', `Content-Length: ${MIB + 1}`))
    // The body itself need not be sent.
    expect(await firstAnswer(socket)).toMatchObject({
      status: 413,
      body: { schemas: [ERROR], status: '413' },
    })
    socket.destroy()
  })

  it('a large body is answered with 413 in SCIM form, without a Content-Length', async () => {
    const socket = await dial()
    socket.write(head('POST /scim/v2/Users', 'Transfer-Encoding: chunked'))
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`
    for (let sent = 0; sent <= 16; sent += 1) socket.write(chunk)
    // The last chunk has not been sent: the server reads only up to the limit.
    expect(await firstAnswer(socket)).toMatchObject({
      status: 413,
      body: { schemas: [ERROR], status: '413' },
    })
    socket.destroy()
  })

  it('a large body is answered with 413 at every endpoint that reads a body', async () => {
    const body = `{"schemas":[],"x":"${'x'.repeat(MIB)}"}`
    for (const [method, path] of [
      ['POST', '/Users'],
      ['PUT', '/Users/a'],
      ['PATCH', '/Groups/a'],
      ['POST', '/.search'],
      ['POST', '/Bulk'],
    ] as const) {
      expect(await client.send(method, path, body)).toMatchObject({
        status: 413,
        body: { schemas: [ERROR], status: '413' },
      })
    }
  })

  it('a body one byte over the limit is rejected, and exactly 1 MiB is accepted', async () => {
    const user = JSON.stringify({ userName: 'large', unknown: '' })
    const body = user.replace('""', `"${'x'.repeat(MIB - user.length)}"`)
    expect(body.length).toBe(MIB)
    expect((await client.send('POST', '/Users', body)).status).toBe(201)
  })
})

describe('a slow client', () => {
  it('a slow client with incomplete headers is disconnected with 408', async () => {
    const socket = await dial()
    socket.write('GET /scim/v2/Users HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
    expect(await restOf(socket)).toMatch(/^HTTP\/1.1 408 /)
  })

  it('a slow client with an incomplete body is disconnected', async () => {
    const socket = await dial()
    socket.write(`${head('POST /scim/v2/Users', 'Content-Length: 100')}{"userName":`)
    expect(await restOf(socket)).toMatch(/^(?:HTTP\/1.1 408 .*)?$/s)
    expect((await client.send('GET', '/Users?count=0')).status).toBe(200)
  })

  it('a slow client does not delay others', async () => {
    const slow = await dial()
    slow.write('GET /scim/v2/Users HTTP/1.1\r\n')
    const response = await fetch(`${server.origin}/api/health`)
    expect(response.status).toBe(200)
    slow.destroy()
  })
})

describe('a client hanging up', () => {
  it.each([
    ['before it has sent anything', ''],
    ['in its headers', 'POST /scim/v2/Users HTTP/1.1\r\nHost: loc'],
    ['in its body', () => `${head('POST /scim/v2/Users', 'Content-Length: 100')}{"userName":"half`],
    ['in a chunk', () => `${head('POST /scim/v2/Users', 'Transfer-Encoding: chunked')}ff\r\n{"u`],
    ['before it is answered', () => head('GET /scim/v2/Users', 'Accept: */*').repeat(20)],
  ])('%s does not affect the server', async (_, sent) => {
    log.length = 0
    const socket = await dial()
    socket.write(typeof sent === 'string' ? sent : sent())
    await new Promise((resolve) => setTimeout(resolve, 20))
    socket.resetAndDestroy()
    await new Promise((resolve) => setTimeout(resolve, 100))
    const after = await fetch(`${server.origin}/scim/v2/Users?filter=userName+eq+"half"`, {
      headers: { Authorization: `Bearer ${client.token}` },
    })
    expect(await after.json()).toMatchObject({ totalResults: 0 })
    // It is not an error of the server.
    expect(log.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('a hang-up is logged with the status 499', async () => {
    log.length = 0
    const socket = await dial()
    socket.write(head('POST /scim/v2/Users', 'Content-Length: 100'))
    await new Promise((resolve) => setTimeout(resolve, 20))
    socket.resetAndDestroy()
    await expect.poll(() => log).toMatchObject([{ level: 'info', status: 499, method: 'POST' }])
  })
})

describe('a malformed or unsupported request', () => {
  it.each<[string, string, number]>([
    ['not HTTP at all', 'EHLO localhost\r\n\r\n', 400],
    ['two lengths', head0('POST', 'Content-Length: 1\r\nContent-Length: 2'), 400],
    ['a length and chunks', head0('POST', 'Content-Length: 1\r\nTransfer-Encoding: chunked'), 400],
    ['headers of 64 KiB', head0('GET', `X: ${'x'.repeat(65_536)}`), 431],
    ['a missing Host', 'GET /scim/v2/Users HTTP/1.1\r\n\r\n', 400],
    ['a malformed Host', 'GET / HTTP/1.1\r\nHost: a b@c\r\nConnection: close\r\n\r\n', 400],
    ['two Host headers (RFC 9112 §3.2)', head0('GET', 'Host: other'), 400],
    ['two equal Host headers', head0('GET', 'HOST: localhost'), 400],
    ['two Host headers of a URL', head0('GET', 'Host: b', 'http://localhost/scim/v2/Users'), 400],
    ['two Host headers of HTTP/1.0', 'GET /api/health HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['two equal lengths', head0('POST', 'Content-Length: 2\r\nContent-Length: 2'), 400],
    ['a path with a backslash', head0('GET', 'X: y', '/\\..\\x'), 400],
    ...DOTTED.map((target): [string, string, number] => [
      `the target ${target}`,
      head0('GET', 'X: y', target),
      400,
    ]),
    ['an empty Host', 'GET /api/health HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n', 400],
    ['an empty Host of HTTP/1.0', 'GET /api/health HTTP/1.0\r\nHost: \r\n\r\n', 400],
    ['TRACE', head0('TRACE', 'X: y'), 405],
    ['TRACE with a trailing slash', head0('TRACE', 'X: y', '/scim/v2/Users/'), 405],
    ['a method of WebDAV', head0('PROPFIND', 'X: y'), 405],
  ])('a malformed or unsupported request is rejected: %s', async (_, text, status) => {
    const socket = await dial()
    socket.write(text)
    expect(await restOf(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect((await client.send('GET', '/Users?count=0')).status).toBe(200)
  })

  // RFC 9110 §5.3: a recipient may take several fields for a list. Neither header is one.
  it('a malformed or unsupported request with a second Authorization is answered with 401, and with a second Content-Type with 415', async () => {
    for (const [header, status] of [
      [`Authorization: Bearer ${client.token}`, 401],
      ['Authorization: Basic YTpi', 401],
      ['Content-Type: application/scim+json', 415],
      ['Content-Type: text/plain', 415],
    ] as const) {
      const socket = await dial()
      socket.write(`${head('POST /scim/v2/Users', `${header}\r\nContent-Length: 2`)}{}`)
      expect(await firstAnswer(socket)).toMatchObject({ status })
      socket.destroy()
    }
  })
})

describe('a valid request', () => {
  it.each([
    ['HTTP/1.0 without Host (RFC 9112 §3.2)', 'GET /api/ready HTTP/1.0\r\n\r\n', 200],
    ['HTTP/1.0 without Host, with SCIM', 'GET /scim/v2/Schemas HTTP/1.0\r\n\r\n', 401],
    ['HTTP/1.0 with Host', 'GET /api/ready HTTP/1.0\r\nHost: localhost\r\n\r\n', 200],
    ['dots in a query', head0('GET', 'X: y', '/api/health?a=/../b&c=..'), 200],
    ['dots in a name', head0('GET', 'X: y', '/api/tenants/a..b/.c/...'), 404],
    ['two slashes', head0('GET', 'X: y', '//api/health'), 404],
    ['an encoded slash', head0('GET', 'X: y', '/scim%2F..%2Fapi/health'), 404],
    ['dots that are encoded twice', head0('GET', 'X: y', '/scim/%252e%252e/api/health'), 404],
  ])('a valid request is answered: %s', async (_, text, status) => {
    const socket = await dial()
    socket.write(text)
    expect(await restOf(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })
})

function head(start: string, header: string): string {
  return `${start} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${client.token}\r\nContent-Type: application/scim+json\r\n${header}\r\n\r\n`
}

function head0(method: string, header: string, path = '/scim/v2/Users'): string {
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${header}\r\n\r\n`
}

async function dial(): Promise<Socket> {
  const { hostname, port } = new URL(server.origin)
  const socket = open(Number(port), hostname)
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.on('error', () => undefined)
  return socket
}

/** The first response, which must have a Content-Length. */
async function firstAnswer(socket: Socket): Promise<{ status: number; body: unknown }> {
  let text = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk
    const [headers = '', body = ''] = text.split('\r\n\r\n')
    const length = Number(/^content-length: (\d+)/im.exec(headers)?.[1] ?? Number.NaN)
    if (body.length >= length) {
      return { status: Number(headers.split(' ')[1]), body: JSON.parse(body.slice(0, length)) }
    }
  }
  throw new Error(`expected a response, not ${text}`)
}

/** Reads until the server closes the connection. */
async function restOf(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await new Promise((resolve) => socket.once('close', resolve))
  return Buffer.concat(chunks).toString()
}
