import { describe, expect, it } from 'vitest'
import { createScimEndpoint } from '../../src/lib/endpoint/endpoint.ts'
import { PROFILES } from '../../src/lib/endpoint/options/profiles.ts'
import { defineResourceType } from '../../src/lib/endpoint/options/resource-type.ts'
import {
  type ListAnswer,
  PreparedResource,
  type ResourceStore,
  type WireResource,
} from '../../src/lib/endpoint/options/store.ts'
import { badRequest, ScimError } from '../../src/lib/error.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import { RawJson } from '../../src/lib/message/raw-json.ts'
import { type Client, GROUP_DEFINITIONS, patchOf, serve, USER_DEFINITIONS } from './serve.ts'

const user = { id: '1', userName: 'a', title: 'x' }

/** Serves users and groups with parts of a store, and records the calls of some methods and the errors. */
function record(parts: Partial<ResourceStore<Client>> = {}, options = {}) {
  const calls: string[] = []
  const errors: unknown[] = []
  const store: ResourceStore<Client> = {
    ...memoryStore({ definitions: USER_DEFINITIONS }),
    read: async (id) => (id === '1' ? user : null),
    replace: async (id, resource) => ({ ...resource, id }),
    delete: async () => true,
    ...parts,
  }
  const logged: ResourceStore<Client> = {
    ...store,
    read: (...sent) => {
      calls.push('read')
      return store.read(...sent)
    },
    replace: (...sent) => {
      calls.push('replace')
      return store.replace(...sent)
    },
  }
  const onError = (error: unknown): void => void errors.push(error)
  const served = serve({ users: logged, groups: logged, onError, ...options })
  return { ...served, calls, errors }
}

describe('unneeded store calls', () => {
  it('a PATCH without effect does not call replace on the store (RFC 7644 §3.5.2.1)', async () => {
    const { send, calls } = record()
    const same = patchOf({ op: 'replace', path: 'title', value: 'x' })
    expect((await send('PATCH', '/Users/1', same)).status).toBe(200)
    expect(calls).toEqual(['read'])
    const other = patchOf({ op: 'replace', path: 'title', value: 'y' })
    expect((await send('PATCH', '/Users/1', other)).status).toBe(200)
    expect(calls).toEqual(['read', 'read', 'replace'])
  })

  it.each<[Record<string, string>, readonly string[], number]>([
    [{}, [], 204],
    [{ 'If-Match': '*' }, ['read'], 204],
    [{ 'If-None-Match': 'W/"x"' }, ['read'], 204],
    [{ 'If-None-Match': '*' }, ['read'], 412],
  ])('a deletion reads the resource only for a condition: %j', async (headers, reads, status) => {
    const { send, calls } = record()
    const answer = await send('DELETE', '/Users/1', undefined, headers)
    expect(answer.status).toBe(status)
    expect(answer.headers.has('Content-Type')).toBe(status !== 204)
    expect(calls).toEqual(reads)
  })
})

describe('a store without versions that omits what a view does not need', () => {
  const omitting = (needed: string[] = []) =>
    record({
      read: async (id, _, { view }) => {
        if (id !== '1') return null
        needed.push(view.needs('title') ? 'title' : '')
        return view.needs('title') ? user : { id, userName: 'a' }
      },
    })

  it('a read is answered without an entity tag, and with the location (RFC 7644 §3.14)', async () => {
    const { send } = omitting()
    const path = '/Users/1'
    const part = await send('GET', `${path}?attributes=userName`)
    expect(part.headers.get('ETag')).toBeNull()
    expect(part.headers.get('Location')).toMatch(/\/Users\/1$/)
    const whole = await send('GET', path)
    expect(whole.headers.get('ETag')).toMatch(/^W\/"/)
    expect(whole.headers.get('Location')).toBe(part.headers.get('Location'))
  })

  it('a write that requires the tag reads the resource again (RFC 7644 §3.14)', async () => {
    const needed: string[] = []
    const { send } = omitting(needed)
    const version = (await send('GET', '/Users/1')).headers.get('ETag') ?? ''
    needed.length = 0
    const headers = { 'If-Match': version }
    expect((await send('DELETE', '/Users/1', undefined, headers)).status).toBe(204)
    expect(needed).toEqual(['', 'title'])
    const stale = { 'If-Match': 'W/"stale"' }
    expect((await send('DELETE', '/Users/1', undefined, stale)).status).toBe(412)
  })
})

describe('isWanted for a read (RFC 7644 §3.14)', () => {
  /** Reads with a store that has versions, and returns its answers. */
  async function wanted(method: string, path: string, headers: Record<string, string>) {
    const answers: boolean[] = []
    const read: ResourceStore<Client>['read'] = async (id, _, { isWanted }) => {
      answers.push(isWanted('W/"7"'))
      return { id, userName: 'a', displayName: 'g', meta: { version: 'W/"7"' } }
    }
    const { send } = record({ read })
    const body = method === 'GET' ? undefined : { userName: 'a', displayName: 'g' }
    const { status } = await send(method, path, body, headers)
    return [...answers, status]
  }

  it.each([
    ['GET', '/Groups/1', {}, [true, 200]],
    ['GET', '/Groups/1', { 'If-None-Match': 'W/"7"' }, [false, 304]],
    ['GET', '/Groups/1', { 'If-None-Match': 'W/"6"' }, [true, 200]],
    ['GET', '/Groups/1', { 'If-Match': 'W/"6"' }, [false, 412]],
    // The tag of a user also contains the groups, which the version of the store does not.
    ['GET', '/Users/1', { 'If-None-Match': 'W/"7"' }, [true, 304]],
    ['PUT', '/Groups/1', { 'If-Match': 'W/"7"' }, [true, 200]],
  ])('isWanted for %s %s with %j is %j', async (method, path, headers, answers) => {
    expect(await wanted(method, path, headers)).toEqual(answers)
  })
})

describe('the tag in a store without versions', () => {
  const read: ResourceStore<Client>['read'] = async (_, __, { view }) =>
    view.needs('title') ? user : { id: '1', userName: 'a' }

  it('the tag covers the whole resource', async () => {
    const { send } = record({ read, create: async (resource) => ({ ...resource, id: '1' }) })
    const whole = await send('GET', '/Users/1')
    expect(whole.headers.get('ETag')).toMatch(/^W\/"/)
    const created = await send('POST', '/Users', { userName: 'a', title: 'x' })
    expect(created.headers.get('ETag')).toBe(whole.headers.get('ETag'))
  })

  it('the tag is not sent if the store has omitted attributes', async () => {
    const { send } = record({ read })
    const { status, headers, body } = await send('GET', '/Users/1?attributes=userName')
    expect([status, headers.get('ETag'), body.meta]).toEqual([200, null, undefined])
  })
})

describe('a list from a store that only returns resources', () => {
  const all = ['c', 'a', 'b'].map((userName, at) => ({ id: String(at), userName }))
  const listOf = (resources: readonly unknown[]) =>
    record({ list: async () => ({ resources }) as ListAnswer }, { limits: { candidates: 3 } })
  const namesIn = (resources: readonly WireResource[]) => resources.map(({ userName }) => userName)

  it('a list may exceed the candidates limit if it is neither filtered nor sorted', async () => {
    const { send } = listOf([...all, { id: '9', userName: 'd' }])
    expect((await send('GET', '/Users')).body.totalResults).toBe(4)
    const tooMany = { status: 400, body: { scimType: 'tooMany' } }
    expect(await send('GET', '/Users?filter=userName pr')).toMatchObject(tooMany)
    expect(await send('GET', '/Users?sortBy=userName')).toMatchObject(tooMany)
  })

  it('a list with exactly as many resources as candidates is filtered and sorted', async () => {
    const { send } = listOf(all)
    const { body } = await send('GET', '/Users?filter=userName ne "b"&sortBy=userName')
    expect(namesIn(body.Resources)).toEqual(['a', 'c'])
  })

  it('a list is sorted and filtered by attributes the endpoint adds (RFC 7643 §3.1)', async () => {
    const { send } = listOf(all)
    const sorted = await send('GET', '/Users?sortBy=meta.location&sortOrder=descending')
    expect(namesIn(sorted.body.Resources)).toEqual(['b', 'a', 'c'])
    const filtered = await send('GET', '/Users?filter=meta.location ew "/1"')
    expect(namesIn(filtered.body.Resources)).toEqual(['a'])
  })

  it('a list value other than a resource is a 500, and the error names the method', async () => {
    const { send, errors } = listOf([null])
    expect((await send('GET', '/Users?filter=title pr')).status).toBe(500)
    expect(String(errors[0])).toContain(
      'returned null, which is not a resource (list, resources[0])',
    )
  })
})

describe('the error for an invalid answer names the method', () => {
  const prepared = new PreparedResource({ body: new RawJson('{}'), version: 'W/"1"' })
  it.each<[string, Partial<ResourceStore<Client>>, string, string, object | undefined]>([
    [
      'null, which is not a resource (create)',
      { create: async () => null as unknown as WireResource },
      'POST',
      '/Users',
      { userName: 'a' },
    ],
    [
      'a prepared resource from a write (create)',
      { create: async () => prepared as unknown as WireResource },
      'POST',
      '/Users',
      { userName: 'a' },
    ],
    [
      'a nextCursor without a page (list)',
      { cursors: {}, list: async () => ({ resources: [user], nextCursor: 'n' }) },
      'GET',
      '/Users?cursor=',
      undefined,
    ],
  ])('an invalid answer from a store is a 500: %s', async (fault, parts, method, path, body) => {
    const { send, errors } = record(parts)
    expect((await send(method, path, body)).status).toBe(500)
    expect(errors.map(String)).toEqual([expect.stringContaining(fault)])
  })
})

it('a resource deleted while it is being replaced is a 404', async () => {
  const { send } = record({ replace: async () => null })
  expect((await send('PUT', '/Users/1', { userName: 'b' })).status).toBe(404)
})

it('stored members are sent in any letter case (RFC 7643 §2.1)', async () => {
  const { send } = record({ read: async () => ({ id: '1', USERNAME: 'a', username_key: 'a' }) })
  const { body } = await send('GET', '/Users/1')
  expect([body.USERNAME ?? body.userName, body.username_key]).toEqual(['a', undefined])
})

it('an undefined value is reported like any store error', async () => {
  const { send, errors } = record({ read: async () => Promise.reject(undefined) })
  expect((await send('GET', '/Users/1')).status).toBe(500)
  expect(errors).toEqual([undefined])
})

describe('a profile that requires unique attributes', () => {
  const profile = { ...PROFILES.standard, unique: { User: ['title'] } }

  it('a value another user has is found, and the message names the type', async () => {
    const { send } = serve({ profile })
    await send('POST', '/Users', { userName: 'a', title: 'x' })
    expect(await send('POST', '/Users', { userName: 'b', title: 'X' })).toMatchObject({
      status: 409,
      body: { detail: 'title is already taken', scimType: 'uniqueness' },
    })
  })

  it('users without the unique attribute are accepted, and one may get it later', async () => {
    const { send } = serve({ profile })
    expect((await send('POST', '/Users', { userName: 'a' })).status).toBe(201)
    const { body } = await send('POST', '/Users', { userName: 'b' })
    const changed = await send('PUT', `/Users/${body.id}`, { userName: 'b', title: 'x' })
    expect([changed.status, changed.body.title]).toEqual([200, 'x'])
  })

  it('concurrent users with another profile are accepted, and their writes do not wait', async () => {
    let active = 0
    let most = 0
    const create = async (resource: WireResource) => {
      active += 1
      most = Math.max(most, active)
      await new Promise((resolve) => setTimeout(resolve, 1))
      active -= 1
      return { ...resource, id: crypto.randomUUID() }
    }
    const create2 = async (unique: Record<string, readonly string[]>) => {
      const { send } = record({ create }, { profile: { ...PROFILES.standard, unique } })
      most = 0
      await Promise.all(['a', 'b'].map((userName) => send('POST', '/Users', { userName })))
      return most
    }
    expect(await create2({})).toBe(2)
    expect(await create2({ User: [] })).toBe(2)
    expect(await create2({ User: ['userName'] })).toBe(1)
  })
})

it('each profile ignores unknown query attributes (RFC 7644 §3.9)', async () => {
  for (const profile of ['standard', 'entra', 'okta'] as const) {
    const { send } = serve({ profile })
    expect((await send('GET', '/Users?attributes=userName,shoeSize')).status).toBe(200)
  }
})

describe('an endpoint', () => {
  it.each(['/Me', '/Bulk', '/ServiceProviderConfig', '/ResourceTypes', '/Schemas'])(
    'an endpoint does not have a resource type at %s (RFC 7644 §3.2)',
    (endpoint) => {
      const type = { name: 'Device', endpoint, definitions: GROUP_DEFINITIONS }
      const store = memoryStore({ definitions: GROUP_DEFINITIONS })
      const resourceTypes = [defineResourceType({ ...type, store })]
      const authenticate = async () => null
      expect(() => createScimEndpoint({ resourceTypes, authenticate })).toThrow(
        `the resource type Device at ${endpoint} already exists`,
      )
    },
  )

  it.each(['/ServiceProviderConfig', '/ResourceTypes', '/ResourceTypes/User', '/Schemas'])(
    'an endpoint serves %s (RFC 7644 §4)',
    async (path) => {
      expect((await serve().send('GET', path)).status).toBe(200)
    },
  )

  it('HEAD is answered without a body, even for a 404 (RFC 9110 §9.3.2)', async () => {
    const { fetch } = serve()
    for (const [path, status] of [
      ['/Users', 200],
      ['/Users/1', 404],
    ] as const) {
      const headers = { Authorization: 'Bearer t' }
      const url = `https://example.com/scim/v2${path}`
      const response = await fetch(new Request(url, { method: 'HEAD', headers }))
      expect([response.status, await response.text()]).toEqual([status, ''])
      expect(response.headers.get('Content-Type')).toBe('application/scim+json')
    }
  })

  it('an endpoint only answers below its path', async () => {
    const { send } = serve()
    for (const path of ['/scim/v3/Users', '/scim/v2x/Users', '/scim/v2xUsers', '/Users']) {
      expect((await send('GET', `https://example.com${path}`)).status).toBe(404)
    }
  })

  it.each([null, undefined])(
    'an endpoint answers 401 if authenticate returns %s',
    async (context) => {
      const authenticate = async () => context as null
      expect(await serve({ authenticate }).send('GET', '/Users')).toMatchObject({
        status: 401,
        body: { detail: 'authentication is required' },
      })
    },
  )

  it('an attribute with more values than the limit is rejected', async () => {
    const { send } = serve({ limits: { values: 2 } })
    const emails = ['a', 'b', 'c'].map((name) => ({ value: `${name}@x.com` }))
    expect((await send('POST', '/Users', { userName: 'a', emails })).status).toBe(400)
    const accepted = { userName: 'a', emails: emails.slice(1) }
    expect((await send('POST', '/Users', accepted)).status).toBe(201)
  })
})

describe('an operation of a bulk request (RFC 7644 §3.7.3)', () => {
  const bulk = (...Operations: readonly object[]) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations,
  })

  it("a bulk operation's response has a body only if the operation fails", async () => {
    const { send } = serve()
    const post = (bulkId: string) => ({
      method: 'POST',
      path: '/Users',
      bulkId,
      data: { userName: 'a' },
    })
    const { body } = await send('POST', '/Bulk', bulk(post('1'), post('2')))
    expect(body.Operations.map((one) => [one.status, 'response' in one])).toEqual([
      ['201', false],
      ['409', true],
    ])
  })

  it('a bulk operation cannot create a resource at /Me, only other methods work (RFC 7644 §3.11)', async () => {
    const { send } = serve({ me: { id: () => '1' } })
    const post = { method: 'POST', path: '/Me', bulkId: '1', data: { userName: 'a' } }
    const { body } = await send('POST', '/Bulk', bulk(post))
    expect(body.Operations).toMatchObject([{ status: '405' }])
  })
})

it("a search over every type fails with the first type's error if the filter fits none", async () => {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest']
  const list = async () => {
    throw badRequest('invalidFilter', 'no')
  }
  const failing = record({ list })
  expect(await failing.send('POST', '/.search', { schemas, filter: 'title pr' })).toMatchObject({
    status: 400,
    body: { scimType: 'invalidFilter', detail: 'no' },
  })
})

it.each([
  ['invalidFilter', 200],
  ['tooMany', 400],
] as const)(
  'a search over every type in which one fails with %s is %i',
  async (scimType, status) => {
    const users = memoryStore({ definitions: USER_DEFINITIONS })
    const list = async () => {
      throw badRequest(scimType, 'no')
    }
    const { send } = serve({ users: { ...users, list } })
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest']
    const found = await send('POST', '/.search', { schemas, filter: 'displayName eq "a"' })
    expect(found.status).toBe(status)
  },
)

it("a search over every type counts one type's resources after the other's (RFC 7644 §3.4.3)", async () => {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest']
  const { send } = serve()
  for (const userName of ['u1', 'u2']) await send('POST', '/Users', { userName })
  for (const displayName of ['g1', 'g2', 'g3']) await send('POST', '/Groups', { displayName })
  const page = async (startIndex: number, count: number) => {
    const { body } = await send('POST', '/.search', { schemas, startIndex, count })
    return body.Resources.map((one) => one.userName ?? one.displayName)
  }
  expect(await page(2, 2)).toEqual(['u2', 'g1'])
  expect(await page(3, 1)).toEqual(['g1'])
  expect(await page(4, 10)).toEqual(['g2', 'g3'])
  expect(await page(6, 10)).toEqual([])
})

it('a search over every type ends with a page that a store cut (RFC 7644 §3.4.2.4)', async () => {
  const users = memoryStore({ definitions: USER_DEFINITIONS })
  const list = async () =>
    ({ resources: [user], totalResults: 2, applied: ['filter', 'sort', 'page'] }) as const
  const { send } = serve({ users: { ...users, list } })
  await send('POST', '/Groups', { displayName: 'g' })
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest']
  const { body } = await send('POST', '/.search', { schemas })
  expect(body).toMatchObject({ totalResults: 3, Resources: [{ userName: 'a' }] })
})

it('a resource with an empty id is a store fault', async () => {
  const { send, errors } = record({ create: async (resource) => ({ ...resource, id: '' }) })
  expect((await send('POST', '/Users', { userName: 'a' })).status).toBe(500)
  expect(String(errors[0])).toContain('a resource without an id (create)')
})

it.each([
  [429, '5'],
  [503, '5'],
  [500, null],
  [403, null],
])('Retry-After for a %i is %j (RFC 9110 §10.2.3)', async (status, seconds) => {
  const { send } = record({ read: async () => Promise.reject(new ScimError(status, 'x')) })
  const response = await send('GET', '/Users/1')
  expect([response.status, response.headers.get('Retry-After')]).toEqual([status, seconds])
})
