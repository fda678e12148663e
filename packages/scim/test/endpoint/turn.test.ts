import { describe, expect, it } from 'vitest'
import { BULK_REQUEST_SCHEMA, USER_SCHEMA } from '../../src/lib/constants.ts'
import { createScimEndpoint } from '../../src/lib/endpoint/endpoint.ts'
import { defineResourceType } from '../../src/lib/endpoint/options/resource-type.ts'
import type { ScimEndpointOptions } from '../../src/lib/endpoint/options.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import { USER_DEFINITION } from '../../src/lib/schema/core-schemas.ts'

const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
const user = (userName: string, title = '') => ({ schemas: [USER_SCHEMA], userName, title })

function serve(turn?: ScimEndpointOptions<{ tenant: string }>['turn']) {
  const store = memoryStore({ definitions })
  const answered: string[] = []
  const scim = createScimEndpoint({
    basePath: '/',
    resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', definitions, store })],
    authenticate: async () => ({ tenant: 'a' }),
    turn,
  })
  const post = async (path: string, body: object) => {
    const init = { method: 'POST', body: JSON.stringify(body) }
    const request = new Request(`http://localhost${path}`, init)
    request.headers.set('Content-Type', 'application/scim+json')
    const { status } = await scim.fetch(request)
    answered.push(path)
    return status
  }
  return { post, answered }
}

describe('the endpoint option turn', () => {
  it("turn is called with the client and the body's bytes before parsing", async () => {
    const calls: [tenant: string, bytes: number][] = []
    let open = (): void => undefined
    const { post, answered } = serve(({ tenant }, bytes) => {
      calls.push([tenant, bytes])
      return new Promise((resolve) => {
        open = resolve
      })
    })
    const sent = user('b')
    const posted = post('/Users', sent)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(calls).toEqual([['a', JSON.stringify(sent).length]])
    expect(answered).toEqual([])
    open()
    expect(await posted).toBe(201)
  })

  it('turn is called with 0 before each bulk operation (RFC 7644 §3.7)', async () => {
    const bytes: number[] = []
    const { post } = serve((_, count) => {
      bytes.push(count)
      return undefined
    })
    const Operations = ['b', 'c'].map((bulkId) => ({
      method: 'POST',
      path: '/Users',
      bulkId,
      data: user(bulkId),
    }))
    await post('/Bulk', { schemas: [BULK_REQUEST_SCHEMA], Operations })
    expect(bytes.slice(1)).toEqual([0, 0])
  })

  it('turn by default lets timers run between large bodies that arrive together', async () => {
    const { post, answered } = serve()
    const posts = ['b', 'c', 'd'].map((name) => post('/Users', user(name, 'x'.repeat(65_536))))
    const seen: number[] = []
    while (answered.length < 3) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      seen.push(answered.length)
    }
    expect(await Promise.all(posts)).toEqual([201, 201, 201])
    expect(seen.some((count) => count === 1 || count === 2)).toBe(true)
  })
})
