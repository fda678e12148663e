import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Listening, listen } from '../../src/server.ts'
import { type Client, connect } from '../support/harness.ts'

let store: Store
let client: Client
let server: Listening
let port: number
beforeAll(async () => {
  store = await openSqlite(':memory:')
  client = await connect(store)
  server = await listen(client.directory, { host: '127.0.0.1', port: 0 })
  port = Number(new URL(server.origin).port)
})
afterAll(async () => {
  await server.stop()
  await store.close()
})

/** Host headers, and the origin that a response may contain for each. */
const HOSTS: readonly (readonly [host: string, origin: () => string])[] = [
  ['evil.example', () => server.origin],
  ['evil.example:443', () => server.origin],
  ['127.0.0.1.evil.example', () => server.origin],
  ['localhost.evil.example', () => server.origin],
  ['10.0.0.1', () => server.origin],
  ['localhost', () => 'http://localhost'],
  ['localhost:8080', () => 'http://localhost:8080'],
  ['LOCALHOST:8080', () => 'http://localhost:8080'],
  ['[::1]:8080', () => 'http://[::1]:8080'],
]

describe('without PUBLIC_URL', () => {
  it.each(HOSTS)('a location never contains a foreign host: Host %s', async (host, origin) => {
    const userName = crypto.randomUUID()
    const created = await post('/scim/v2/Users', { userName }, host)
    const { id, meta } = Object(await json(created))
    expect(meta.location).toBe(`${origin()}/scim/v2/Users/${id}`)
    expect(created.headers.location).toBe(meta.location)
    const bulk = await post(
      '/scim/v2/Bulk',
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
        Operations: [{ method: 'PUT', path: `/Users/${id}`, data: { userName, title: 'a' } }],
      },
      host,
    )
    expect(Object(await json(bulk)).Operations).toMatchObject([{ location: meta.location }])
  })

  it.each(HOSTS)('the document names the requested server: Host %s', async (host, origin) => {
    const response = await get('/openapi.json', host)
    expect(await json(response)).toMatchObject({ servers: [{ url: origin() }] })
  })

  it('a request target in absolute form does not change locations (RFC 9112 §3.2.2)', async () => {
    const response = await get('http://evil.example/scim/v2/Users', '127.0.0.1')
    expect(JSON.stringify(await json(response))).not.toContain('//evil')
  })
})

describe('with PUBLIC_URL', () => {
  it('the document names that origin for any Host', async () => {
    const publicOrigin = 'https://directory.example.com'
    const { directory } = await connect(store, { publicOrigin })
    const response = await directory.fetch(new Request('http://localhost/openapi.json'))
    expect(await response.json()).toMatchObject({ servers: [{ url: publicOrigin }] })
  })
})

describe('every response', () => {
  it.each([
    ['GET', '/scim/v2/Users', 200],
    ['HEAD', '/scim/v2/Users', 200],
    ['GET', '/scim/v2/Users/none', 404],
    ['GET', '/scim/v2/nothing', 404],
    ['PATCH', '/scim/v2/Schemas', 405],
    ['GET', '/api/health', 200],
    ['POST', '/api/tokens', 403],
    ['GET', '/nothing', 404],
  ])('every response carries no-store and nosniff: %s %s', async (method, path, status) => {
    const response = await ask(method, path, 'localhost')
    expect(response.statusCode).toBe(status)
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.headers['x-content-type-options']).toBe('nosniff')
    response.resume()
  })

  it('a response carries no-store if it contains a token', async () => {
    const admin = await connect(store, { role: 'admin' })
    const body = { tenantId: admin.tenantId, name: 'a' }
    const created = await admin.send('POST', '/api/tokens', body)
    expect(created.body).toHaveProperty('token')
    expect(created.headers.get('Cache-Control')).toBe('no-store')
  })

  it('only the document may be cached', async () => {
    const { headers } = await get('/openapi.json', 'localhost')
    expect(headers['cache-control']).toBe('public, max-age=300')
    expect(headers['x-content-type-options']).toBe('nosniff')
  })
})

const get = (path: string, host: string) => ask('GET', path, host)
const post = (path: string, body: object, host: string) =>
  ask('POST', path, host, JSON.stringify(body))

async function ask(
  method: string,
  path: string,
  host: string,
  body = '',
): Promise<IncomingMessage> {
  const headers = {
    Host: host,
    Authorization: `Bearer ${client.token}`,
    'Content-Type': 'application/scim+json',
  }
  const sent = send({ host: '127.0.0.1', port, method, path, headers }).end(body)
  const [response] = await once(sent, 'response')
  return response
}
