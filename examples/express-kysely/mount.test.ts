import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { getRequestListener } from '@hono/node-server'
import { USER_DEFINITION } from '@plumbline/scim/discovery'
import { createScimEndpoint, defineResourceType, memoryStore } from '@plumbline/scim/endpoint'
import express, { type RequestHandler } from 'express'

// The usual mistakes of a mount in Express, and the one line that says what is wrong.

const init = {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ userName: 'ada' }),
}

/** Serves users in memory behind a middleware, and returns the answer to a POST with the reported errors. */
async function post(parser: RequestHandler, { isWrapped = true, request = init } = {}) {
  const errors: unknown[] = []
  const store = memoryStore({ definitions: { [USER_DEFINITION.id]: USER_DEFINITION } })
  const scim = createScimEndpoint({
    base: 'https://example.com/scim/v2',
    resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', store })],
    authenticate: async () => ({}),
    onError: (error) => errors.push(String(error)),
  })
  const app = express()
  app.use(parser)
  if (isWrapped) app.use('/scim/v2', getRequestListener(scim.fetch))
  // Express's types accept the function without the adapter.
  else app.use('/scim/v2', scim.fetch)
  const passed: express.ErrorRequestHandler = (error, _, response, next) => {
    errors.push(String(error))
    if (response.headersSent) next(error)
    else response.sendStatus(500)
  }
  app.use(passed)
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    const { status } = await fetch(`http://127.0.0.1:${port}/scim/v2/Users`, request)
    return { status, errors }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('a parser before the endpoint is a 500 that says where to mount it', async () => {
  const chunked = () => ({ ...init, body: new Blob([init.body]).stream(), duplex: 'half' })
  for (const parser of [
    express.json(),
    express.text({ type: '*/*' }),
    express.urlencoded({ type: '*/*' }),
    express.raw({ type: '*/*' }),
  ]) {
    for (const request of [init, chunked()]) {
      const { status, errors } = await post(parser, { request: request as typeof init })
      assert.equal(status, 500)
      assert.deepEqual(errors, [
        'TypeError: the body was read by another middleware: mount the endpoint before express.json() and other parsers',
      ])
    }
  }
})

test('a parser of other media types does not read the body', async () => {
  const { status, errors } = await post(express.urlencoded())
  assert.deepEqual({ status, errors }, { status: 201, errors: [] })
})

test('a mount without the adapter is answered, and the error names the adapter', async () => {
  const { status, errors } = await post((_, __, next) => next(), { isWrapped: false })
  assert.equal(status, 500)
  assert.match(String(errors), /getRequestListener\(scim\.fetch\) of @hono\/node-server/)
})
