import { BodyReadError } from '@plumbline/base'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createDocument } from '../document/build.ts'
import { defineOperation } from '../operation.ts'
import { defineWebhook } from '../webhook/webhook.ts'
import { implement } from './implement.ts'

const URL_OF_ECHO = 'https://example.com/echo'
const echo = defineOperation('echo', 'POST /echo', {
  summary: 'Echo',
  body: { 'text/plain': z.string().optional() },
  responses: { 200: { description: 'It', body: z.string() } },
})

function serve() {
  const errors: unknown[] = []
  const builder = createDocument({ info: { title: 'Echo', version: '1' }, defaults: {} }).add(echo)
  const api = implement(builder, {
    handlers: { echo: ({ body, reply }) => reply(200, body ?? 'nothing') },
    onError: (error) => {
      errors.push(error)
    },
  })
  return { fetch: api.fetch as (...values: readonly unknown[]) => Promise<Response>, errors }
}

const requestOf = (body: string, headers: HeadersInit = {}) =>
  new Request(URL_OF_ECHO, {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain', ...headers },
    body,
  })

/** As @hono/node-server makes requests, whose bodies are read without a stream. */
class ServerRequest extends Request {}

describe('a body already read by the program', () => {
  const requests: readonly (readonly [string, () => Promise<Request>])[] = [
    [
      'was read',
      async () => {
        const request = requestOf('hello')
        await request.text()
        return request
      },
    ],
    [
      'is being read',
      async () => {
        const request = requestOf('hello')
        request.body?.getReader()
        return request
      },
    ],
    ['is empty, and has a length', async () => requestOf('', { 'Content-Length': '5' })],
    [
      'is unusable for an adapter',
      async () => {
        const request = new ServerRequest(requestOf('hello', { 'Content-Length': '5' }))
        const arrayBuffer = () => Promise.reject(new TypeError('Body is unusable'))
        return Object.assign(request, { arrayBuffer })
      },
    ],
    [
      'is empty for an adapter',
      async () => {
        const request = new ServerRequest(requestOf('hello', { 'Content-Length': '5' }))
        return Object.assign(request, { arrayBuffer: async () => new ArrayBuffer(0) })
      },
    ],
  ]

  it.each(requests)('an API answers with 500 if the body %s', async (_, make) => {
    const { fetch, errors } = serve()
    expect((await fetch(await make())).status).toBe(500)
    expect(errors).toEqual([new BodyReadError()])
  })

  it.each(requests)('a webhook rejects if the body %s', async (_, make) => {
    const hook = defineWebhook('hook', { summary: 'A', body: { 'text/plain': z.string() } })
    const verify = async () => ({ code: 'invalid-signature', message: '' }) as const
    await expect(hook.receive(await make(), { verify })).rejects.toThrow(BodyReadError)
  })
})

it('a body is rejected if an adapter cannot read it because the client has gone', async () => {
  const { fetch, errors } = serve()
  const init = { signal: AbortSignal.abort(), headers: { 'Content-Length': '5' } }
  const request = new ServerRequest(requestOf('hello'), init)
  const arrayBuffer = () => Promise.reject(new TypeError('Body is unusable'))
  expect((await fetch(Object.assign(request, { arrayBuffer }))).status).toBe(400)
  expect(errors).toEqual([])
})

describe('an adapter that passes the node:http request', () => {
  const read = { incoming: { readableDidRead: true } }

  it('an empty body is recognized as lost', async () => {
    const { fetch, errors } = serve()
    expect((await fetch(requestOf(''), read)).status).toBe(500)
    expect(errors).toEqual([new BodyReadError()])
  })

  it.each([
    ['a body whose clone was read', 'hello', read, 'hello'],
    ['an empty body', '', { incoming: { readableDidRead: false } }, 'nothing'],
    ['an empty body in rawBody', '', { incoming: { ...read.incoming, rawBody: '' } }, 'nothing'],
    ['an empty body of another adapter', '', 5, 'nothing'],
  ])('the API accepts %s', async (_, body, adapter, got) => {
    const { fetch } = serve()
    expect(await (await fetch(requestOf(body), adapter)).text()).toBe(JSON.stringify(got))
  })
})

describe('an API mounted without a listener', () => {
  const message =
    'fetch must receive a Request: mount createRequestListener(api) of @plumbline/openapi/node'
  const incoming = { method: 'GET', url: '/echo', headers: { host: 'localhost' } }

  it("errors are passed to next, as Express's app.use calls it", async () => {
    const passed: unknown[] = []
    await serve().fetch(incoming, {}, (error: unknown) => passed.push(error))
    expect(passed).toEqual([new TypeError(message)])
  })

  it.each([[[]], [[{}]], [[() => undefined]]])('a call without next rejects: %j', async (rest) => {
    await expect(serve().fetch(incoming, ...rest)).rejects.toThrow(message)
  })
})
