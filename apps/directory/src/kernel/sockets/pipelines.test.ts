import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createPipelines } from './pipelines.ts'

/** Opens a connection to a server with paced reading. */
async function open(listener: RequestListener): Promise<Socket> {
  const { reading } = createPipelines()
  const { ServerResponse } = reading
  const server = createServer({ ServerResponse }, listener)
  reading.follow(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  // The test has ended, and so does the connection.
  socket.on('error', () => undefined)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return socket
}

/** Waits for a number of answers, which must have a body that ends with a line break. */
async function answers(socket: Socket, count: number): Promise<readonly string[]> {
  let text = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk
    if (text.split('\n\n').length > count) break
  }
  return Array.from(text.matchAll(/\r\n\r\n(.*)\n\n/g), ([, body = '']) => body)
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

it('requests after an unanswered one are not parsed, and are answered later', async () => {
  const waiting: (() => void)[] = []
  let isOpen = false
  const socket = await open(({ url }, outgoing) => {
    const answer = () => outgoing.end(`${url}\n\n`)
    if (isOpen) answer()
    else waiting.push(answer)
  })
  const paths = Array.from({ length: 3_000 }, (_, at) => `/${at}`)
  socket.write(paths.map(get).join(''))
  await vi.waitFor(() => expect(waiting).not.toEqual([]))
  for (let turn = 0; turn < 100; turn += 1) await setImmediate()
  expect(waiting.length).toBeLessThan(12)
  isOpen = true
  for (const answer of waiting) answer()
  expect(await answers(socket, paths.length)).toEqual(paths)
})

it.each([
  ['one after another', 1],
  ['after waiting', 50],
])('bodies are received completely if they are read %s', async (_, pause) => {
  const socket = await open(async (incoming, outgoing) => {
    let length = 0
    for (let turn = 0; turn < pause; turn += 1) await setImmediate()
    for await (const chunk of incoming) length += chunk.length
    outgoing.end(`${length}\n\n`)
  })
  const size = 1_000_000
  const post = (header: string, body: string): string =>
    `POST / HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n${body}`
  const known = post(`Content-Length: ${size}`, 'x'.repeat(size))
  const chunk = `${size.toString(16)}\r\n${'\r\n'.repeat(size / 2)}\r\n`
  const chunked = post('Transfer-Encoding: chunked', `${chunk}0\r\n\r\n`)
  socket.write(known + chunked + get('/') + known)
  expect(await answers(socket, 4)).toEqual([size, size, 0, size].map(String))
})

it('an unread body stays with the client', async () => {
  let received = 0
  const socket = await open((incoming) => {
    incoming.once('readable', () => {
      received = incoming.readableLength
    })
  })
  const size = 50_000_000
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n`)
  socket.write(Buffer.alloc(size))
  await vi.waitFor(() => expect(received).toBeGreaterThan(0))
  for (let turn = 0; turn < 200; turn += 1) await setImmediate()
  expect(socket.writableLength).toBeGreaterThan(0)
})

it('a client closing the connection while it waits for an answer is noticed', async () => {
  const closed = vi.fn()
  const socket = await open((_, outgoing) => outgoing.once('close', closed))
  socket.write(get('/'))
  await setImmediate()
  socket.end()
  await vi.waitFor(() => expect(closed).toHaveBeenCalled())
})

it('requests answered inside Node are also answered before the next ones are parsed', async () => {
  const socket = await open((_, outgoing) => outgoing.end())
  const count = 20_000
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nExpect: a\r\n\r\n'.repeat(count))
  let found = 0
  for await (const chunk of socket) {
    found += chunk.toString('latin1').split('HTTP/1.1 417').length - 1
    if (found >= count - 5) break
  }
  expect(found).toBeGreaterThanOrEqual(count - 5)
})
