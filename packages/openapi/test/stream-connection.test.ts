import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { createClient } from '../src/client.ts'
import { defineOperation } from '../src/index.ts'
import { events, jsonLines } from '../src/streams.ts'

const watch = defineOperation('watch', 'GET /watch', {
  summary: 'Watch',
  responses: { 200: { description: 'A', stream: events({ message: z.string() }) } },
})
const rows = defineOperation('rows', 'GET /rows', {
  summary: 'Rows',
  responses: { 200: { description: 'A', stream: jsonLines(z.string()) } },
})

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

type Answer = (socket: Socket) => unknown

/** A server of plain sockets, which answers one connection after the other, and the heads that it received. */
async function listen(...answers: Answer[]) {
  const heads: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.once('data', (head) => {
      heads.push(String(head))
      void answers.shift()?.(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  const client = createClient({ watch, rows }, { baseUrl: `http://127.0.0.1:${port}` })
  const headersOf = (name: string) =>
    heads.map((head) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(head)?.[1])
  return { client, headersOf }
}

const headOf = (type: string) =>
  `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`

/** Sends each of these pieces as a chunk, in a packet of its own if the system sends it immediately. */
function send(type: string, pieces: readonly Uint8Array[], end: (socket: Socket) => void): Answer {
  return async (socket) => {
    socket.write(headOf(type))
    for (const piece of pieces) {
      if (socket.destroyed) return
      socket.write(`${piece.length.toString(16)}\r\n`)
      socket.write(piece)
      socket.write('\r\n')
      await new Promise((resolve) => setImmediate(resolve))
    }
    end(socket)
  }
}
const finish = (socket: Socket) => socket.end('0\r\n\r\n')
/** Closes the connection without the last chunk. */
const drop = (socket: Socket) => socket.end()
const stop: Answer = (socket) => void socket.end('HTTP/1.1 204 No Content\r\n\r\n')

const encode = (text: string) => new TextEncoder().encode(text)
const cut = (bytes: Uint8Array, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )

async function collect(parts: AsyncIterable<unknown>) {
  const received: unknown[] = []
  try {
    for await (const part of parts) received.push(part)
  } catch (error) {
    received.push(Object(error).code)
  }
  return received
}

it.each([1, 2, 3, 7, 1_000])('a stream in chunks of %i bytes has the same parts', async (size) => {
  const sent = encode('\uFEFFdata: é€😀\r\ndata: b\r\n\r\nid: 1\r\rdata: c\n\n')
  const lines = Uint8Array.from([...encode('"é😀"\r\n"b"\n"'), 0xe9, ...encode('"\n"d"\n')])
  const { client } = await listen(
    send('text/event-stream', cut(sent, size), finish),
    send('application/jsonl', cut(lines, size), finish),
  )
  expect(await collect(client.watch())).toEqual([
    { event: 'message', data: 'é€😀\nb' },
    { event: 'message', data: 'c', id: '1' },
  ])
  expect(await collect(client.rows())).toEqual(['é😀', 'b', 'malformed'])
})

it('a client resumes after lost connections, and stops at a 204', async () => {
  const answer = (text: string, end: (socket: Socket) => void) =>
    send('text/event-stream', [encode(text)], end)
  const { client, headersOf } = await listen(
    answer('id: a1\nretry: 1\n\n', drop),
    (socket) => void socket.resetAndDestroy(),
    answer('data: x\n\ndata: cut', drop),
    answer('id: a2\ndata: y\n\n', finish),
    answer('data: z\n\n', finish),
    stop,
  )
  expect(await collect(client.watch({}, { reconnect: 'always' }))).toEqual([
    { event: 'message', data: 'x', id: 'a1' },
    { event: 'message', data: 'y', id: 'a2' },
    { event: 'message', data: 'z', id: 'a2' },
  ])
  expect(headersOf('Last-Event-ID')).toEqual([undefined, 'a1', 'a1', 'a1', 'a2', 'a2'])
  expect(new Set(headersOf('Accept'))).toEqual(new Set(['text/event-stream']))
})

it('a client closes the connection when the loop ends', async () => {
  let closed = (): void => undefined
  const isClosed = new Promise<void>((resolve) => {
    closed = resolve
  })
  const { client } = await listen((socket) => {
    socket.on('close', closed)
    return send('text/event-stream', [encode('data: a\n\n')], () => undefined)(socket)
  })
  for await (const { data } of client.watch()) {
    expect(data).toBe('a')
    break
  }
  await isClosed
})
