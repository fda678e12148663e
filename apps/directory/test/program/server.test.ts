import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { listen } from '../../src/server.ts'

const directory = { fetch: async () => new Response('here') }

it('a server listens on a free port, and returns the address', async () => {
  const { origin, stop } = await listen(directory, { host: '127.0.0.1', port: 0 })
  expect(await (await fetch(origin)).text()).toBe('here')
  await stop()
  await expect(fetch(origin)).rejects.toThrow()
})

it('a server stops after a grace period even if a client sends nothing or half a request', async () => {
  const { origin, stop } = await listen(directory, { host: '127.0.0.1', port: 0, grace: 50 })
  const sockets = ['', 'GET / HTTP/1.1\r\nHost: local'].map((text) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    socket.on('error', () => undefined).write(text)
    return once(socket, 'close')
  })
  await fetch(origin)
  await stop()
  await Promise.all(sockets)
})

it('a server answers a request sent before the stop, and does not reset the connection', async () => {
  const { origin, stop } = await listen(directory, { host: '127.0.0.1', port: 0 })
  const sockets = await Promise.all(Array.from({ length: 10 }, () => keptAlive(origin)))
  const answers = sockets.map(rest)
  for (const socket of sockets) socket.write(REQUEST)
  const stopped = stop()
  for (const answer of await Promise.all(answers)) {
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  }
  await stopped
})

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** A connection that has received a response, and is kept alive. */
async function keptAlive(origin: string): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write(REQUEST)
  await once(socket, 'data')
  return socket
}

/** Reads until the server closes the connection; rejects if it is reset. */
async function rest(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}
