import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { listen } from '../src/server.ts'

const directory = { fetch: async () => new Response('here') }

it('listens on a free port, and says where', async () => {
  const { origin, stop } = await listen(directory, { host: '127.0.0.1', port: 0 })
  expect(await (await fetch(origin)).text()).toBe('here')
  await stop()
  await expect(fetch(origin)).rejects.toThrow()
})

it('stops though a client says nothing, or half of a request, after some grace', async () => {
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
