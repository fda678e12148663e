import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createReceivers } from './addresses.ts'
import { createReceiverFetch } from './send-request.ts'

/** Starts a receiver that answers each request with text, and a function that sends one. */
async function receiver(answer: (socket: Socket) => unknown) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined).once('data', () => answer(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = createReceiverFetch(createReceivers({ allow: ['127.0.0.1'] }))
  return { send: () => send(new Request(origin, { method: 'POST', body: '{}' })) }
}

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

it('a delivery accepts some interim answers before the final one (RFC 9110 §15.2)', async () => {
  const { send } = await receiver((socket) => {
    socket.write(CONTINUE.repeat(10))
    socket.write('HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok')
  })
  const response = await send()
  expect([response.status, await response.text()]).toEqual([201, 'ok'])
})

it.each([
  ['100 Continue', CONTINUE],
  ['103 Early Hints', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'],
])('a connection is closed if the receiver sends %s without end', async (_, text) => {
  let isClosed = false
  const { send } = await receiver((socket) => {
    socket.once('close', () => {
      isClosed = true
    })
    const flood = (): void => {
      while (!socket.destroyed && socket.write(text.repeat(1_000)));
    }
    socket.on('drain', flood)
    flood()
  })
  await expect(send()).rejects.toThrow('more than 10 interim answers')
  await expect.poll(() => isClosed).toBe(true)
})

it('a delivery reads only the start of an answer', async () => {
  const { send } = await receiver((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n${'x'.repeat(1_000_000)}`)
  })
  expect(await (await send()).text()).toBe('x'.repeat(1_024))
})
