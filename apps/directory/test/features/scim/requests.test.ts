import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { type Client, connect } from '../../support/harness.ts'

let store: Store
let client: Client
beforeAll(async () => {
  store = await openSqlite(':memory:')
  client = await connect(store)
})
afterAll(() => store.close())

const fetch = (path: string, init: RequestInit = {}): Promise<Response> =>
  client.directory.fetch(new Request(`http://localhost${path}`, init))

describe('a path without a route', () => {
  // RFC 7644 §3.12: the body of an error is a SCIM error.
  it.each(['/scim/v2', '/scim/v2/', '/scim/v2/Nothing', '/scim/v2/Users/a/b'])(
    '%s is answered with a SCIM error',
    async (path) => {
      const response = await fetch(path)
      expect(response.status).toBe(404)
      expect(response.headers.get('Content-Type')).toBe('application/scim+json')
      expect(await response.json()).toEqual({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '404',
        detail: `no endpoint at ${path}: this server expects paths such as /scim/v2/Users`,
      })
    },
  )

  it.each(['/scim', '/scim/v2x', '/v2/scim/v2/', '/api/nothing', '/consoles', '/x/console'])(
    '%s is answered with a problem (RFC 9457 §4.2.1)',
    async (path) => {
      const response = await fetch(path)
      expect(response.status).toBe(404)
      expect(response.headers.get('Content-Type')).toBe('application/problem+json')
      expect(await response.json()).toEqual({
        type: 'https://plumbline.example/problems/not-found',
        title: 'Not found',
        status: 404,
        // The router ignores a slash at the end.
        detail: `No operation matches the path ${path.replace(/\/$/, '')}.`,
      })
    },
  )
})

it.each([
  ['PUT', '/Users', 'GET, HEAD, POST'],
  ['POST', '/Users/a', 'GET, HEAD, PUT, PATCH, DELETE'],
  ['GET', '/Bulk', 'POST'],
  ['DELETE', '/ServiceProviderConfig', 'GET, HEAD'],
])(
  '%s %s is answered 405 and lists the supported methods (RFC 9110 §15.5.6)',
  async (method, path, allow) => {
    const response = await client.send(method, path)
    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toBe(allow)
    expect(response.body.detail).toBe(`this endpoint supports only ${allow}`)
  },
)

// RFC 9110 §11.6.1: such a response has WWW-Authenticate.
it.each(['/scim/v2/Users', '/api/tenants'])(
  'a request for %s without the header Authorization is answered 401',
  async (path) => {
    const response = await fetch(path)
    expect(response.status).toBe(401)
    expect(response.headers.get('WWW-Authenticate')).toMatch(/^Bearer(,|$)/)
  },
)

it('HEAD has the same status and headers as GET, also without a body (RFC 9110 §9.3.2)', async () => {
  const { body } = await client.send('POST', '/Users', { userName: 'head' })
  const path = `/scim/v2/Users/${body.id}`
  const Authorization = `Bearer ${client.token}`
  const headers = { Authorization, 'If-None-Match': String(body.meta?.version) }
  const [get, head] = [
    await fetch(path, { headers }),
    await fetch(path, { headers, method: 'HEAD' }),
  ]
  expect([get.status, head.status]).toEqual([304, 304])
  expect(head.headers.get('ETag')).toBe(get.headers.get('ETag'))
  expect(head.body).toBe(null)
  const whole = await fetch(`${path}/`, { headers: { Authorization }, method: 'HEAD' })
  expect(whole.status).toBe(200)
  expect(whole.headers.get('ETag')).toBe(get.headers.get('ETag'))
  expect(whole.body).toBe(null)
})
