import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { USER_DEFINITION } from '@plumbline/scim/discovery'
import { createScimEndpoint, defineResourceType, memoryStore } from '@plumbline/scim/endpoint'
import { createRequestListener } from '@plumbline/scim/node'
import { expect, it, onTestFinished } from 'vitest'

const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
const user = { schemas: [USER_DEFINITION.id], userName: 'ann' }

/** A server with one SCIM endpoint, behind a middleware. */
async function serve(
  before: (incoming: IncomingMessage) => Promise<void> | void = () => undefined,
) {
  const errors: unknown[] = []
  const store = memoryStore({ definitions })
  const listener = createRequestListener(
    createScimEndpoint({
      basePath: '/scim/v2',
      limits: { body: 1_000 },
      resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', definitions, store })],
      authenticate: async () => ({ tenant: 'a' }),
      onError: (error) => void errors.push(error),
    }),
  )
  const server = createServer(async (incoming, outgoing) => {
    await before(incoming)
    listener(incoming, outgoing)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/scim/v2/Users`
  const create = () =>
    fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/scim+json' },
      body: JSON.stringify(user),
    })
  return { url, port, errors, create }
}

async function readText(incoming: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of incoming) text += chunk
  return text
}

it('a listener serves an endpoint: a created user is read, listed and deleted', async () => {
  const { url, errors, create } = await serve()
  const created = await create()
  expect(created.status).toBe(201)
  const location = created.headers.get('Location') ?? ''
  expect(location).toMatch(url)
  expect(await (await fetch(location)).json()).toMatchObject(user)
  const head = await fetch(location, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(await (await fetch(url)).json()).toMatchObject({ totalResults: 1 })
  expect((await fetch(location, { method: 'DELETE' })).status).toBe(204)
  expect((await fetch(location)).status).toBe(404)
  expect(errors).toEqual([])
})

it('a chunked body beyond the limit is a 413 of SCIM before the client ends it (RFC 7644 §3.12)', async () => {
  const { port } = await serve()
  const socket = connect(port, '127.0.0.1')
  const type = 'Content-Type: application/scim+json'
  socket.write(
    `POST /scim/v2/Users HTTP/1.1\r\nHost: a\r\n${type}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  )
  socket.write(`400\r\n${' '.repeat(1_024)}\r\n`)
  const [answer] = await once(socket, 'data')
  socket.destroy()
  expect(`${answer}`).toMatch(/^HTTP\/1\.1 413 /)
})

it('a path with a dot segment is a 400, as a proxy may have read another path', async () => {
  const { port } = await serve()
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /public/../scim/v2/Users HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  const [answer] = await once(socket, 'data')
  expect(`${answer}`).toMatch(/^HTTP\/1\.1 400 /)
})

it('a body that a parser has kept as JSON is used', async () => {
  const { create, errors } = await serve(async (incoming) => {
    Reflect.set(incoming, 'rawBody', Buffer.from(await readText(incoming)))
  })
  expect((await create()).status).toBe(201)
  expect(errors).toEqual([])
})

it('a body that other code has read and lost is a 500 that says where to mount the endpoint', async () => {
  const { create, errors } = await serve(async (incoming) => void (await readText(incoming)))
  expect((await create()).status).toBe(500)
  expect(String(errors)).toContain('mount the endpoint before express.json() and other parsers')
})
