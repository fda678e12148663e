import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import { type Client, connect } from '../support/harness.ts'

let store: Store
let client: Client
beforeAll(async () => {
  store = await openSqlite(':memory:')
  client = await connect(store)
})
afterAll(() => store.close())

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const idOf = async (method: string, path: string, headers: Record<string, string> = {}) => {
  const request = new Request(`http://localhost${path}`, { method, headers })
  return (await client.directory.fetch(request)).headers.get('X-Request-Id')
}

describe('every answer has an X-Request-Id', () => {
  it.each([
    ['GET', '/scim/v2/Users'],
    ['HEAD', '/scim/v2/Users'],
    ['GET', '/scim/v2/nothing'],
    ['PUT', '/scim/v2/Users'],
    ['GET', '/api/health'],
    ['HEAD', '/api/health/'],
    ['GET', '/api/tenants'],
    ['PATCH', '/api/tenants'],
    ['GET', '/openapi.json'],
    ['GET', '/nothing'],
  ])('%s %s', async (method, path) => {
    const first = await idOf(method, path)
    expect(first).toMatch(UUID)
    expect(await idOf(method, path)).not.toBe(first)
  })
})

describe("the client's X-Request-Id", () => {
  it.each(['a', '0', '1-67891233-abcdef', 'a.B_c-9', 'a'.repeat(64)])(
    "an X-Request-Id is the request's id if it is safe in a log: %j",
    async (id) => {
      for (const path of ['/scim/v2/Users', '/api/health', '/']) {
        expect(await idOf('GET', path, { 'X-Request-Id': id })).toBe(id)
      }
    },
  )

  it.each(['', 'a b', 'a,b', '<b>', '"', "'", 'a\\', 'ä', '%0a', 'a'.repeat(65)])(
    'an X-Request-Id is replaced if it is not safe: %j',
    async (id) => {
      for (const path of ['/scim/v2/Users', '/api/health', '/']) {
        expect(await idOf('GET', path, { 'X-Request-Id': id })).toMatch(UUID)
      }
    },
  )
})
