import { describe, expect, it, vi } from 'vitest'
import {
  type ListAnswer,
  PreparedResource,
  type ResourceStore,
} from '../../src/lib/endpoint/options/store.ts'
import { ScimError } from '../../src/lib/error.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import { RawJson } from '../../src/lib/message/raw-json.ts'
import { type Client, patchOf, serve, USER_DEFINITIONS } from './serve.ts'

/** A value that a store in JavaScript may return, such as that of a missing entry of a Map. */
const nothing = (): never => undefined as never

const memory = memoryStore({ definitions: USER_DEFINITIONS })
const user = { id: '1', userName: 'a' }

/** Serves users with a store that differs from a correct one, and records the errors behind a 5xx. */
function serveFaulty(fault: Partial<ResourceStore<Client>>, options = {}) {
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const store = { ...memory, read: async () => user, ...fault }
  return { ...serve({ users: store, onError, ...options }), errors }
}

describe('the error for an invalid resource names the fault', () => {
  it.each<[string, Partial<ResourceStore<Client>>, string, unknown]>([
    ['without an id (read)', { read: async () => ({ userName: 'a' }) }, 'GET', undefined],
    ['with another id (read)', { read: async () => ({ ...user, id: '2' }) }, 'GET', undefined],
    [
      'of another type, "Group" (read)',
      { read: async () => ({ ...user, meta: { resourceType: 'Group' } }) },
      'GET',
      undefined,
    ],
    [
      'whose schemas do not list the core schema (read)',
      { read: async () => ({ ...user, schemas: ['urn:x'] }) },
      'GET',
      undefined,
    ],
    [
      'a prepared resource although isForUpdate is true (read)',
      { read: async () => new PreparedResource({ body: new RawJson('{}'), version: 'W/"1"' }) },
      'PUT',
      { userName: 'a' },
    ],
    [
      'without an id (replace)',
      { replace: async () => ({ userName: 'a' }) },
      'PUT',
      { userName: 'a' },
    ],
    [
      'undefined, which is neither a resource nor null (read)',
      { read: async () => nothing() },
      'GET',
      undefined,
    ],
    [
      'undefined, which is neither a resource nor null (read)',
      { read: async () => nothing() },
      'PATCH',
      patchOf({ op: 'remove', path: 'title' }),
    ],
    [
      'undefined, which is neither a resource nor null (replace)',
      { replace: async () => nothing() },
      'PUT',
      { userName: 'b' },
    ],
    [
      'a list, which is neither a resource nor null (read)',
      { read: async () => [user] as never },
      'GET',
      undefined,
    ],
    [
      'undefined instead of true or false (delete)',
      { delete: async () => nothing() },
      'DELETE',
      undefined,
    ],
    [
      'a number instead of true or false (delete)',
      { delete: async () => 1 as never },
      'DELETE',
      undefined,
    ],
  ])(
    'a store that returns an invalid resource is a 500: %s',
    async (fault, store, method, body) => {
      const { send, errors } = serveFaulty(store)
      const response = await send(method, '/Users/1', body)
      expect(response.status).toBe(500)
      expect(response.body.detail).toBe('internal server error')
      expect(errors).toHaveLength(1)
      expect(errors[0]).toBeInstanceOf(TypeError)
      expect(String(errors[0])).toContain('the store of User returned ')
      expect(String(errors[0])).toContain(fault)
    },
  )
})

describe('the error for an invalid list names the fault', () => {
  const prepared = new PreparedResource({ body: new RawJson('{"id":"1"}'), version: 'W/"1"' })
  const total = { totalResults: 1 }
  const PAGE = { resources: [user, user], totalResults: 2, applied: ['filter', 'sort', 'page'] }
  it.each<[string, string, unknown]>([
    ['an answer without resources', '', {}],
    ['an unknown step', '', { resources: [], applied: ['limit'] }],
    [
      'did not apply the filter',
      '?filter=title pr',
      { resources: [], ...total, applied: ['page'] },
    ],
    ['a page of more than 1', '?count=1', { resources: [user, user], ...total, applied: ['page'] }],
    ['without totalResults', '', { resources: [], applied: ['page'] }],
    ['a prepared resource', '?sortBy=id', { resources: [prepared], applied: ['filter'] }],
    ['without an id (list, resources[1])', '', { resources: [user, {}] }],
    [
      'undefined, which is not a resource (list, resources[2])',
      '?sortBy=meta.created',
      { resources: [user, { ...user, id: '2' }, undefined] },
    ],
    [
      'null, which is not a resource (list, resources[0])',
      '?filter=title pr',
      { resources: [null, user] },
    ],
    ['undefined instead of an answer with resources', '', undefined],
    ['an empty nextCursor', '', { ...PAGE, nextCursor: '' }],
    ['a number as the previousCursor', '', { ...PAGE, previousCursor: 7 }],
    ...[-5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '2', null].map(
      (totalResults): [string, string, unknown] => [
        'totalResults that are not a whole number of at least 0',
        '',
        { ...PAGE, totalResults },
      ],
    ),
    ['totalResults that are not', '?filter=title pr', { resources: [user], totalResults: -1 }],
    ['totalResults of 1, and a page that ends at 2', '', { ...PAGE, totalResults: 1 }],
    ['totalResults of 3, and a page that ends at 4', '?startIndex=3', { ...PAGE, totalResults: 3 }],
    ['totalResults of 1, and a page of 2', '?cursor=', { ...PAGE, totalResults: 1 }],
  ])('a store that returns an invalid list is a 500: %s', async (fault, query, answer) => {
    const { send, errors } = serveFaulty({ list: async () => answer as ListAnswer, cursors: {} })
    expect((await send('GET', `/Users${query}`)).status).toBe(500)
    expect(String(errors[0])).toContain(fault)
  })
})

it("a resource inserted between a store's count and page is not a fault", async () => {
  const totals = [1, 2]
  const { send, errors } = serveFaulty({
    list: async () => ({
      resources: [user, { ...user, id: '2' }],
      totalResults: totals.shift() ?? 0,
      applied: ['filter', 'sort', 'page'],
    }),
  })
  const { status, body } = await send('GET', '/Users')
  expect({ status, total: body.totalResults, errors }).toEqual({
    status: 200,
    total: 2,
    errors: [],
  })
})

describe('the error for an invalid id names the store and the id', () => {
  it.each(['\ud800', 'a\udc00', 'a\0', '.', '..', '.search'])(
    'the id %j, which a URL cannot contain, is a 500',
    async (id) => {
      const bad = { ...user, id }
      const { send, errors } = serveFaulty({
        create: async () => bad,
        list: async () => ({ resources: [user, bad] }),
      })
      expect((await send('GET', '/Users')).status).toBe(500)
      expect((await send('GET', '/Users?filter=userName pr&sortBy=meta.location')).status).toBe(500)
      expect((await send('POST', '/Users', { userName: 'a' })).status).toBe(500)
      const fault = `the store of User returned a resource whose id ${JSON.stringify(id)} a URL cannot contain`
      expect(errors.map(String)).toEqual([
        `TypeError: ${fault} (list, resources[1])`,
        `TypeError: ${fault} (list, resources[1])`,
        `TypeError: ${fault} (create)`,
      ])
    },
  )
})

describe('a group store that changes members', () => {
  const group = { id: '1', displayName: 'g' }
  const removal = patchOf({ op: 'remove', path: 'members[value eq "a"]' })
  it.each<[string, Partial<ResourceStore<Client>>]>([
    [
      'undefined instead of true or false (changeMembers)',
      { changeMembers: async () => nothing() },
    ],
    [
      'a string instead of true or false (changeMembers)',
      { changeMembers: async () => 'x' as never },
    ],
    [
      'undefined instead of a list of strings (findMembers)',
      { findMembers: async () => nothing() },
    ],
    [
      'a list instead of a list of strings (findMembers)',
      { findMembers: async () => [1] as never },
    ],
  ])('a group store with an invalid answer is a 500: %s', async (fault, methods) => {
    const errors: unknown[] = []
    const groups = {
      ...memory,
      read: async () => group,
      findMembers: async () => ['a'],
      changeMembers: async () => true,
      ...methods,
    }
    const { send } = serve({ groups, onError: (error) => errors.push(error) })
    expect((await send('PATCH', '/Groups/1', removal)).status).toBe(500)
    expect(String(errors[0])).toBe(`TypeError: the store of Group returned ${fault}`)
  })
})

it('memberships without a group are a 500 if an application asks for them', async () => {
  const errors: unknown[] = []
  const { send } = serve({
    groups: { ...memory, findHolders: async () => [{ value: '1' }] as never },
    transaction: (context, work) => work(context),
    onChange: async (_, { resources }) => void (await resources.groupsOf('User', ['1'])),
    onError: (error) => errors.push(error),
  })
  expect((await send('POST', '/Users', { userName: 'a' })).status).toBe(500)
  expect(String(errors[0])).toBe(
    'TypeError: the store of Group returned a list instead of a list of memberships (findHolders)',
  )
})

describe('an error of a store', () => {
  const full = new Error('the log is full')
  const secret = new Error('password=hunter2 at db.internal')
  const failing = { read: async () => Promise.reject(secret) }

  it('a store error is a 500 without details, and onError receives it with request and context', async () => {
    const seen: unknown[] = []
    const { send } = serveFaulty(failing, {
      onError: (...sent: unknown[]) => void seen.push(sent),
    })
    const { status, body } = await send('GET', '/Users/1')
    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toMatch(/hunter2|db\.internal/)
    const context = { token: 't' }
    expect(seen).toEqual([[secret, { request: expect.any(Request), context }]])
  })

  it('a store error is printed once on the console without an onError', async () => {
    const print = vi.spyOn(console, 'error').mockReturnValue()
    try {
      const { send } = serveFaulty(failing, { onError: undefined })
      expect(await send('GET', '/Users/1')).toMatchObject({ status: 500 })
      expect(await send('POST', '/Users', { userName: '' })).toMatchObject({ status: 400 })
      expect(print.mock.calls).toEqual([[secret]])
    } finally {
      print.mockRestore()
    }
  })

  it('toScimError may return a ScimError, and onError receives the store error if that is a 5xx', async () => {
    const translate = (status: number) => () => new ScimError(status, 'translated')
    const conflict = serveFaulty(failing, { toScimError: translate(409) })
    expect(await conflict.send('GET', '/Users/1')).toMatchObject({ status: 409 })
    expect(conflict.errors).toEqual([])
    const busy = serveFaulty(failing, { toScimError: translate(503) })
    const response = await busy.send('GET', '/Users/1')
    expect(response).toMatchObject({ status: 503, body: { detail: 'translated' } })
    expect(response.headers.get('Retry-After')).toBe('5')
    expect(busy.errors).toEqual([secret])
  })

  it('a ScimError from a store is sent to the client', async () => {
    const read = async () =>
      Promise.reject(new ScimError(403, 'not yours', { scimType: 'sensitive' }))
    const { send, errors } = serveFaulty({ read })
    expect(await send('GET', '/Users/1')).toMatchObject({
      status: 403,
      body: { detail: 'not yours', scimType: 'sensitive' },
    })
    expect(errors).toEqual([])
  })

  it('a ScimError from a store with a success status is a 500', async () => {
    const { send } = serveFaulty({ read: async () => Promise.reject(new ScimError(42, 'x')) })
    expect(await send('GET', '/Users/1')).toMatchObject({ status: 500 })
  })

  it('a store version that a header cannot contain is a 500', async () => {
    const { send, errors } = serveFaulty({
      read: async () => ({ ...user, meta: { version: 'W/"\n"' } }),
    })
    expect((await send('GET', '/Users/1')).status).toBe(500)
    expect(errors).toHaveLength(1)
  })

  it.each([
    [
      'throw',
      () => {
        throw full
      },
    ],
    // In JavaScript, or with a cast.
    ['reject', (async () => Promise.reject(full)) as () => never],
  ])(
    'a store error is a 500 if onError and toScimError %s, and all errors are printed',
    async (_, fail) => {
      const print = vi.spyOn(console, 'error').mockReturnValue()
      try {
        const users = { ...memory, ...failing }
        const { send } = serve({ users, onError: fail, toScimError: fail })
        expect((await send('GET', '/Users/1')).status).toBe(500)
        await vi.waitFor(() =>
          expect(print.mock.calls).toEqual([
            ['toScimError failed:', full],
            ['onError failed:', full, 'The reported error:', secret],
          ]),
        )
      } finally {
        print.mockRestore()
      }
    },
  )

  it('a store error in a bulk request fails only one operation (RFC 7644 §3.7.3)', async () => {
    const { send, errors } = serveFaulty({ delete: async () => Promise.reject(secret) })
    const Operations = [
      { method: 'DELETE', path: '/Users/1' },
      { method: 'POST', path: '/Groups', bulkId: 'g', data: { displayName: 'g' } },
    ]
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest']
    const { status, body } = await send('POST', '/Bulk', { schemas, Operations })
    expect(status).toBe(200)
    expect(body.Operations).toMatchObject([
      { status: '500', response: { detail: 'internal server error' } },
      { status: '201' },
    ])
    expect(errors).toEqual([secret])
  })
})

it('an error in authenticate is a 500, or the ScimError it throws', async () => {
  const failing = serve({ authenticate: async () => Promise.reject(new Error('no database')) })
  expect((await failing.send('GET', '/Users')).status).toBe(500)
  const forbidding = serve({
    authenticate: async () => Promise.reject(new ScimError(403, 'read-only token')),
  })
  expect((await forbidding.send('GET', '/Users')).status).toBe(403)
})

it('undefined and unassigned stored members are not sent', async () => {
  const row = { ...user, password_hash: 'x', title: null, emails: [] }
  const { send } = serveFaulty({ read: async () => row, list: async () => ({ resources: [row] }) })
  const keys = ['schemas', 'id', 'userName', 'meta']
  expect(Object.keys((await send('GET', '/Users/1')).body)).toEqual(keys)
  expect(Object.keys(Object((await send('GET', '/Users')).body.Resources[0]))).toEqual(keys)
})

/** Aborts a read of a resource, whose store then rejects with an error. */
async function abortRead(errorOf: (reason: unknown) => unknown, why?: unknown) {
  let resolve = (): void => undefined
  const isReading = new Promise<void>((done) => {
    resolve = done
  })
  const { fetch, errors } = serveFaulty({
    read: (_id, _context, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(errorOf(signal.reason)))
        resolve()
      }),
  })
  const controller = new AbortController()
  const headers = { Authorization: 'Bearer t' }
  const request = new Request('https://example.com/scim/v2/Users/1', {
    headers,
    signal: controller.signal,
  })
  const response = fetch(request)
  await isReading
  controller.abort(why)
  return { status: (await response).status, errors }
}

it.each([
  ["the signal's reason", (reason: unknown) => reason],
  ['an AbortError', () => new DOMException('aborted', 'AbortError')],
])(
  'an abort reaches the store, and the response is 499 without an error: %s',
  async (_, errorOf) => {
    expect(await abortRead(errorOf)).toEqual({ status: 499, errors: [] })
  },
)

it("a copy of a store's request has the signal", async () => {
  const found: unknown[] = []
  const { fetch } = serveFaulty({
    read: async (_id, _context, storeRequest) => {
      found.push({ ...storeRequest }.signal)
      return user
    },
  })
  const headers = { Authorization: 'Bearer t' }
  const request = new Request('https://example.com/scim/v2/Users/1', { headers })
  await fetch(request)
  expect(found).toEqual([request.signal])
})

it("an abort's reason may be any value", async () => {
  const answered = await abortRead((reason) => reason, new RangeError('closed'))
  expect(answered).toEqual({ status: 499, errors: [] })
})

it('a bug in a store is reported even after the client has closed the connection', async () => {
  const bug = new RangeError('a bug')
  expect(await abortRead(() => bug)).toEqual({ status: 499, errors: [bug] })
})

it('a store may answer a read the client does not want with meta only (RFC 7644 §3.14)', async () => {
  const groups: ResourceStore<Client> = {
    ...memory,
    read: async (id, _, { isWanted }) => {
      const meta = { version: 'W/"7"' }
      return isWanted(meta.version) ? { id, displayName: 'g', meta } : { meta }
    },
  }
  const { send } = serve({ groups })
  const same = await send('GET', '/Groups/1', undefined, { 'If-None-Match': 'W/"7"' })
  expect({ status: same.status, tag: same.headers.get('ETag') }).toEqual({
    status: 304,
    tag: 'W/"7"',
  })
  expect((await send('GET', '/Groups/1')).body.displayName).toBe('g')
})

it('the tag covers the whole resource if the store sets no version', async () => {
  const store = {
    ...memory,
    read: async () => user,
    replace: async (id: string, one: object) => ({ ...one, id }),
  }
  const { send } = serve({ users: store })
  const { headers } = await send('GET', '/Users/1')
  const tag = headers.get('ETag') ?? ''
  expect(tag).toMatch(/^W\/"[0-9a-f]{32}"$/)
  const part = await send('GET', '/Users/1?attributes=title', undefined, { 'If-None-Match': tag })
  expect(part.status).toBe(304)
  const patch = patchOf({ op: 'add', path: 'title', value: 'x' })
  expect((await send('PATCH', '/Users/1', patch, { 'If-Match': 'W/"0"' })).status).toBe(412)
  expect((await send('PATCH', '/Users/1', patch, { 'If-Match': tag })).status).toBe(200)
})
