import { unwrap } from '@plumbline/result'
import { describe, expect, it, vi } from 'vitest'
import { BULK_REQUEST_SCHEMA, BULK_RESPONSE_SCHEMA, ERROR_SCHEMA } from '../constants.ts'
import { ScimError } from '../error.ts'
import { ENTERPRISE_USER_DEFINITION } from '../schema/core-schemas.ts'
import { parseBulk } from './parse.ts'
import { runBulk } from './run.ts'
import { createStore, type Store } from './testing/store.ts'
import type { Call, Execute, Outcome, RunOptions } from './types.ts'

const ENTERPRISE = ENTERPRISE_USER_DEFINITION.id
const limits = { maxOperations: 200_000, maxPayloadSize: 100_000_000 }

function run(
  execute: Execute,
  operations: readonly object[],
  failOnErrors?: number,
  options?: RunOptions,
) {
  const body = { schemas: [BULK_REQUEST_SCHEMA], failOnErrors, Operations: operations }
  return runBulk(unwrap(parseBulk(body, limits)), execute, options)
}

function user(bulkId: string, data: object = {}): object {
  return { method: 'POST', path: '/Users', bulkId, data: { userName: bulkId, ...data } }
}

function group(bulkId: string, ...members: readonly string[]): object {
  const data = { displayName: bulkId, members: members.map((value) => ({ value })) }
  return { method: 'POST', path: '/Groups', bulkId, data }
}

/** The names of the members of a group in the store. */
function membersOf(store: Store, name: string): unknown[] {
  const { members = [] } = store.named(name) as { members?: { value: string }[] }
  return members.map(({ value }) => {
    const { userName, displayName } = store.resources.get(value) ?? {}
    return userName ?? displayName ?? value
  })
}

const DEVICE = 'urn:example:2.0:Device'
const DEVICES = {
  endpoint: '/Devices',
  definitions: {
    [DEVICE]: {
      id: DEVICE,
      name: 'Device',
      attributes: [
        { name: 'serial', type: 'string' },
        {
          name: 'owner',
          type: 'complex',
          subAttributes: [
            { name: 'value', type: 'string' },
            { name: '$ref', type: 'reference', referenceTypes: ['User'] },
            { name: 'display', type: 'string' },
          ],
        },
      ],
    },
  },
} as const

const statuses = ({ Operations }: Awaited<ReturnType<typeof runBulk>>) =>
  Operations.map(({ status }) => status)

describe('RFC 7644 §3.7: bulk operations', () => {
  it('operations run in request order, and each outcome is returned', async () => {
    const store = createStore()
    const response = await run(store.execute, [
      user('qwerty'),
      { method: 'PUT', path: '/Users/1', version: 'W/"1"', data: { userName: 'b' } },
      {
        method: 'PATCH',
        path: '/Users/1',
        bulkId: 'p',
        data: { Operations: [{ op: 'add', path: 'title', value: 'Guide' }] },
      },
      { method: 'DELETE', path: '/Users/1' },
    ])
    expect(response).toStrictEqual({
      schemas: [BULK_RESPONSE_SCHEMA],
      Operations: [
        {
          method: 'POST',
          bulkId: 'qwerty',
          location: 'https://example.com/v2/Users/1',
          version: 'W/"1"',
          status: '201',
        },
        {
          method: 'PUT',
          location: 'https://example.com/v2/Users/1',
          version: 'W/"2"',
          status: '200',
        },
        {
          method: 'PATCH',
          bulkId: 'p',
          location: 'https://example.com/v2/Users/1',
          version: 'W/"3"',
          status: '200',
        },
        // Without a base, a location is a path.
        { method: 'DELETE', location: '/Users/1', status: '204' },
      ],
    })
    expect(store.calls.map((call) => Object.keys(call))).toStrictEqual([
      ['method', 'path', 'data'],
      ['method', 'path', 'version', 'data'],
      ['method', 'path', 'data'],
      ['method', 'path'],
    ])
  })

  it('operations continue after errors without failOnErrors', async () => {
    const operations = [user('a', { userName: '' }), user('b', { userName: '' }), user('c')]
    expect(statuses(await run(createStore().execute, operations))).toEqual(['400', '400', '201'])
  })

  it.each([
    [0, 1],
    [1, 1],
    [2, 3],
    [3, 4],
  ])(
    'bulk operations with failOnErrors %d stop after operation %d',
    async (failOnErrors, count) => {
      const bad = { method: 'DELETE', path: '/Users/none' }
      const store = createStore()
      const response = await run(store.execute, [bad, user('a'), bad, bad, user('b')], failOnErrors)
      expect(response.Operations).toHaveLength(count)
      expect(store.calls).toHaveLength(count)
    },
  )
})

describe('RFC 7644 §3.7.1: circular references', () => {
  it('two groups that contain each other are created, as in the RFC example', async () => {
    const store = createStore()
    const response = await run(store.execute, [group('a', 'bulkId:b'), group('b', 'bulkId:a')])
    expect(statuses(response)).toEqual(['201', '201'])
    expect(membersOf(store, 'a')).toEqual(['b'])
    expect(membersOf(store, 'b')).toEqual(['a'])
    // The group is created without a list, because RFC 7643 §2.5 reads an empty list as unassigned.
    expect(store.calls[0]?.data).toStrictEqual({ displayName: 'a' })
    // One group is changed after it was created: the tag is that of the change.
    expect(response.Operations.map(({ version }) => version)).toEqual(['W/"3"', 'W/"2"'])
    expect(store.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /Groups',
      'POST /Groups',
      'PATCH /Groups/1',
    ])
  })

  it('a group may contain itself', async () => {
    const store = createStore()
    await run(store.execute, [group('a', 'bulkId:a')])
    expect(membersOf(store, 'a')).toEqual(['a'])
  })

  it('only references are deferred', async () => {
    const store = createStore()
    const manager = (value: string) => ({ [ENTERPRISE]: { department: 'HR', manager: { value } } })
    await run(store.execute, [
      user('a', manager('bulkId:b')),
      user('b', manager('bulkId:a')),
      group('g', 'bulkId:a', 'bulkId:h', '7'),
      group('h', 'bulkId:g'),
    ])
    const posted = store.calls.map(({ data }) => data) as Record<string, unknown>[]
    expect(posted[0]).toStrictEqual({ userName: 'a', [ENTERPRISE]: { department: 'HR' } })
    expect(posted[3]).toStrictEqual({
      displayName: 'g',
      members: [{ value: '1' }, { value: '7' }],
    })
    expect(store.named('a')).toMatchObject(manager('2'))
    expect(store.named('b')).toMatchObject(manager('1'))
    expect(membersOf(store, 'g')).toEqual(['a', '7', 'h'])
  })

  it('a list without references to later resources is not deferred', async () => {
    const store = createStore()
    const emails = [{ value: 'a@x.org' }]
    const manager = { [ENTERPRISE]: { manager: { value: 'bulkId:a' } } }
    await run(store.execute, [user('a', { emails, roles: [], ...manager })])
    expect(store.calls[0]?.data).toStrictEqual({ userName: 'a', emails, roles: [] })
    expect(store.calls[1]?.data).toMatchObject({
      Operations: [{ op: 'add', path: ENTERPRISE, value: { manager: { value: '1' } } }],
    })
    expect(JSON.stringify(store.calls[1])).not.toMatch(/emails|roles/)
  })

  it("a cycle is 409 with the created resource's location if the other cannot be created", async () => {
    const response = await run(createStore().execute, [
      group('a', 'bulkId:b'),
      { method: 'POST', path: '/Groups', bulkId: 'b', data: { members: [{ value: 'bulkId:a' }] } },
    ])
    expect(statuses(response)).toEqual(['409', '400'])
    expect(response.Operations[0]).toMatchObject({
      location: 'https://example.com/v2/Groups/1',
      version: 'W/"1"',
      response: {
        schemas: [ERROR_SCHEMA],
        scimType: 'invalidValue',
        detail: 'no resource was created for bulkId:b',
        status: '409',
      },
    })
  })

  it("a failed PATCH that adds references is the operation's response", async () => {
    const store = createStore()
    const execute: Execute = (call) =>
      call.method === 'PATCH'
        ? Promise.reject(new ScimError(501, 'PATCH is not supported'))
        : store.execute(call)
    const response = await run(execute, [group('a', 'bulkId:a')])
    expect(response.Operations[0]).toMatchObject({
      method: 'POST',
      status: '501',
      location: 'https://example.com/v2/Groups/1',
      response: { detail: 'PATCH is not supported' },
    })
  })

  it("a cycle is answered with the POST's location and the PATCH's version", async () => {
    const execute: Execute = async ({ method }) =>
      method === 'POST'
        ? { status: 201, location: 'https://example.com/Groups/1', version: 'W/"1"' }
        : { status: 204 }
    const response = await run(execute, [group('a', 'bulkId:a')])
    // The version of the POST is out of date, and the PATCH returned none.
    expect(response.Operations).toStrictEqual([
      { method: 'POST', bulkId: 'a', location: 'https://example.com/Groups/1', status: '201' },
    ])
  })

  it('an error does not have a version if the resource does not have one', async () => {
    const execute: Execute = async ({ method }) =>
      method === 'POST'
        ? { status: 201, location: 'https://example.com/Groups/1' }
        : { status: 403, response: {} }
    const response = await run(execute, [group('a', 'bulkId:a')])
    const location = 'https://example.com/Groups/1'
    expect(response.Operations).toStrictEqual([
      { method: 'POST', bulkId: 'a', location, status: '403', response: {} },
    ])
  })

  it("the id is escaped in the PATCH's path, but not in the data", async () => {
    const calls: Call[] = []
    await run(
      async (call) => {
        calls.push(call)
        return { status: 201, location: 'https://example.com/Groups/a%2Fb' }
      },
      [group('a', 'bulkId:a')],
    )
    expect(calls[1]).toMatchObject({
      method: 'PATCH',
      path: '/Groups/a%2Fb',
      data: { Operations: [{ op: 'add', path: 'members', value: [{ value: 'a/b' }] }] },
    })
  })

  it('a complex attribute is deferred as a whole, because its parts belong together', async () => {
    const calls: Call[] = []
    const execute = async (call: Call): Promise<Outcome> => {
      calls.push(call)
      return { status: 201, location: 'https://example.com/Devices/1' }
    }
    const owner = { value: 'bulkId:a', display: 'A' }
    const data = { serial: 'a', owner }
    const device = { method: 'POST', path: '/Devices', bulkId: 'a', data }
    await run(execute, [device], undefined, { resourceTypes: [DEVICES] })
    expect(calls[0]?.data).toStrictEqual({ serial: 'a' })
    expect(calls[1]?.data).toMatchObject({
      Operations: [{ path: 'owner', value: { value: '1', display: 'A' } }],
    })
  })

  it('deferred references are dropped once failOnErrors is reached', async () => {
    const store = createStore()
    const nameless = { ...group('b'), data: { members: [{ value: 'bulkId:a' }] } }
    const response = await run(store.execute, [group('a', 'bulkId:b'), nameless, user('c')], 1)
    expect(response.Operations.map(({ bulkId, status }) => [bulkId, status])).toEqual([
      ['a', '409'],
      ['b', '400'],
    ])
    expect(store.calls).toHaveLength(2)
  })

  it('no more references are added once failOnErrors is reached', async () => {
    const store = createStore()
    let patches = 0
    const execute: Execute = (call) => {
      if (call.method !== 'PATCH') return store.execute(call)
      patches += 1
      return Promise.reject(new ScimError(501, 'PATCH is not supported'))
    }
    const groups = [
      group('a', 'bulkId:b', 'bulkId:c'),
      group('b', 'bulkId:a', 'bulkId:c'),
      group('c', 'bulkId:a'),
    ]
    const response = await run(execute, groups, 1)
    expect(statuses(response)).toEqual(['501', '409', '201'])
    expect(patches).toBe(1)
    expect(statuses(await run(execute, groups, 2))).toEqual(['501', '501', '201'])
  })
})

describe('RFC 7644 §3.7.2: bulkId references', () => {
  it('operations run in request order, whatever bulkId references name', async () => {
    const store = createStore()
    const response = await run(store.execute, [
      group('g', 'bulkId:v', 'bulkId:u'),
      user('u'),
      user('v'),
    ])
    expect(store.calls.map(({ data }) => Object.values(data ?? {})[0])).toEqual(['u', 'v', 'g'])
    expect(response.Operations.map(({ bulkId }) => bulkId)).toEqual(['g', 'u', 'v'])
    expect(membersOf(store, 'g')).toEqual(['v', 'u'])
  })

  it('bulkId references are resolved in data, in $ref and in paths, wherever the operation is', async () => {
    const store = createStore()
    const member = { value: 'bulkId:u', $ref: '../Users/bulkId:u' }
    const response = await run(store.execute, [
      {
        method: 'PATCH',
        path: '/Groups/bulkId:g',
        data: { Operations: [{ op: 'add', path: 'members', value: [member] }] },
      },
      group('g'),
      { method: 'PUT', path: '/Users/bulkId:u', data: { userName: 'u', profileUrl: 'x' } },
      user('u', { nickName: 'see bulkId:u' }),
    ])
    expect(response.Operations.map(({ method, status }) => `${method} ${status}`)).toEqual([
      'PATCH 200',
      'POST 201',
      'PUT 200',
      'POST 201',
    ])
    const { id } = store.named('u') as { id: string }
    expect(store.named('g')).toMatchObject({ members: [{ value: id, $ref: `../Users/${id}` }] })
  })

  it("a $ref with only a bulkId reference becomes the resource's address", async () => {
    const store = createStore()
    const $ref = 'bulkId:u'
    await run(store.execute, [
      user('u'),
      { ...group('g'), data: { displayName: 'g', members: [{ value: 'bulkId:u', $ref }] } },
    ])
    const member = { value: '1', $ref: 'https://example.com/v2/Users/1' }
    expect(store.named('g')).toMatchObject({ members: [member] })
  })

  it('bulkId references inside a longer string are not resolved', async () => {
    const store = createStore()
    const nickName = 'see bulkId:u'
    await run(store.execute, [user('u', { nickName, title: 'x/bulkId:u' })])
    expect(store.named('u')).toMatchObject({ nickName, title: 'x/bulkId:u' })
  })

  it('a bulkId reference must be a whole path segment', async () => {
    const calls: Call[] = []
    const execute = async (call: Call): Promise<Outcome> => {
      calls.push(call)
      return { status: 201, location: `https://example.com${call.path}/1` }
    }
    await run(execute, [
      user('u'),
      { method: 'DELETE', path: '/Devicesu/bulkId:u' },
      { method: 'DELETE', path: '/Users/x-bulkId:u' },
    ])
    expect(calls.map(({ path }) => path)).toEqual(['/Users', '/Devicesu/1', '/Users/x-bulkId:u'])
  })

  it('bulkId references are resolved in $ref in any letter case (RFC 7643 §2.1)', async () => {
    const calls: Call[] = []
    const execute = async (call: Call): Promise<Outcome> => {
      calls.push(call)
      return { status: 201, location: 'https://example.com/Users/1' }
    }
    const Members = [{ $REF: '/bulkId:u', $ref: 'x/bulkId:no/bulkId:u', href: 'x/bulkId:u' }]
    await run(execute, [{ method: 'PUT', path: '/Groups/7', data: { Members } }, user('u')])
    expect(calls[1]?.data).toStrictEqual({
      Members: [{ $REF: '/1', $ref: 'x/bulkId:no/1', href: 'x/bulkId:u' }],
    })
  })

  it('all other strings in the data stay unchanged', async () => {
    const calls: Call[] = []
    const execute = async (call: Call): Promise<Outcome> => {
      calls.push(call)
      return { status: 201, location: 'https://example.com/Users/1' }
    }
    const data = { emails: [{ value: 'a@x.org' }], name: { givenName: 'A' } }
    const manager = (value: string) => ({ [ENTERPRISE]: { manager: { value } } })
    await run(execute, [
      { ...user('u'), data },
      { method: 'PUT', path: '/Users/7', data: { ...data, ...manager('bulkId:u') } },
    ])
    expect(calls[0]?.data).toBe(data)
    expect(calls[1]?.data).toStrictEqual({ ...data, ...manager('1') })
    // Data without a reference is passed on, not copied.
    expect(Object.values(calls[1]?.data ?? {})[0]).toBe(data.emails)
  })

  it('numbers, booleans and null in the data stay unchanged (RFC 7643 §2.5)', async () => {
    const store = createStore()
    const members = { title: null, active: true, rank: 5 }
    const manager = { [ENTERPRISE]: { manager: { value: 'bulkId:a' } } }
    await run(store.execute, [user('a'), user('b', { ...members, ...manager })])
    expect(store.calls[1]?.data).toStrictEqual({
      userName: 'b',
      ...members,
      [ENTERPRISE]: { manager: { value: '1' } },
    })
  })

  it('a reference to an operation other than a POST is 409 (RFC 7644 §3.7.2)', async () => {
    const execute: Execute = async () => ({ status: 204 })
    const response = await run(execute, [
      { method: 'PUT', path: '/Users/7', bulkId: 'p', data: { userName: 'p' } },
      { method: 'PUT', path: '/Groups/1', data: { members: [{ value: 'bulkId:p' }] } },
    ])
    expect(statuses(response)).toEqual(['204', '409'])
  })

  it('resolved ids are escaped in paths, but not in data', async () => {
    const calls: Call[] = []
    const execute = async (call: Call): Promise<Outcome> => {
      calls.push(call)
      return { status: 201, location: 'https://example.com/Users/a%2Fb' }
    }
    await run(execute, [
      user('u'),
      { method: 'PUT', path: '/Groups/bulkId:u', data: { members: [{ value: 'bulkId:u' }] } },
    ])
    expect(calls[1]).toMatchObject({ path: '/Groups/a%2Fb', data: { members: [{ value: 'a/b' }] } })
  })

  it.each([
    ['nobody', 'of an id that no operation has'],
    ['p', 'of an operation that creates nothing'],
    ['__proto__', 'of a name that every object has'],
    ['', 'of no id'],
  ])('a reference to bulkId:%s (%s) is 409, and the operation does not run', async (id) => {
    const store = createStore()
    const response = await run(store.execute, [
      group('g', `bulkId:${id}`),
      { method: 'DELETE', path: `/Users/bulkId:${id}` },
      { method: 'PUT', path: '/Users/7', bulkId: 'p', data: { userName: 'p' } },
    ])
    expect(statuses(response)).toEqual(['409', '409', '404'])
    expect(response.Operations[0]).not.toHaveProperty('location')
    expect(response.Operations[1]).not.toHaveProperty('location')
    expect(store.calls).toHaveLength(1)
  })

  it('references to a failed operation are 409, and so are references to the referring operation', async () => {
    const response = await run(createStore().execute, [
      group('a', 'bulkId:b'),
      group('b', 'bulkId:c'),
      user('c', { userName: '' }),
    ])
    expect(statuses(response)).toEqual(['409', '409', '400'])
  })

  it('data keeps members named like those of a prototype', async () => {
    const calls: Call[] = []
    const execute = async (call: Call): Promise<Outcome> => {
      calls.push(call)
      return { status: 201, location: '/Users/1' }
    }
    const textOf = (id: string): string =>
      `{"__proto__":{"value":"x"},"constructor":"y","members":[{"__proto__":"z","value":"${id}"}]}`
    const data = JSON.parse(textOf('bulkId:a'))
    await run(execute, [user('a'), { method: 'POST', path: '/Groups', bulkId: 'b', data }])
    expect(JSON.stringify(calls[1]?.data)).toBe(textOf('1'))
  })
})

describe('RFC 7644 §3.7.3: responses and errors', () => {
  it('each location is a URL if the base is known, even in errors', async () => {
    const base = 'https://id.example.org/scim/v2'
    const operations = [
      { method: 'DELETE', path: '/Users/1' },
      { method: 'PUT', path: '/Users/2', data: { userName: 'b' } },
      { method: 'PATCH', path: '/Groups/3', data: {} },
      { method: 'DELETE', path: '/Users/4', version: 'not a tag' },
      { method: 'PUT', path: '/Groups/5', data: { members: [{ value: 'bulkId:none' }] } },
      { method: 'DELETE', path: '/Users/bulkId:none' },
      { method: 'DELETE', path: '/Me' },
      { method: 'DELETE', path: '/Users/a%2Fé☃' },
      { method: 'POST', path: '/Users', bulkId: 'b', data: { userName: 'b' } },
    ]
    const outcomes = [{ status: 204 }, { status: 404 }, { status: 400 }, { status: 204 }]
    const execute = async ({ method }: Call): Promise<Outcome> =>
      method === 'POST' ? { status: 409 } : (outcomes.shift() ?? { status: 204 })
    const { Operations } = await run(execute, operations, undefined, { base })
    expect(Operations.map(({ location }) => location)).toEqual([
      `${base}/Users/1`,
      `${base}/Users/2`,
      `${base}/Groups/3`,
      `${base}/Users/4`,
      `${base}/Groups/5`,
      // Such a resource was not created.
      undefined,
      `${base}/Me`,
      `${base}/Users/a%2F%C3%A9%E2%98%83`,
      undefined,
    ])
  })

  it('an error has an error document even if execute returns no body', async () => {
    const execute = async ({ method }: Call): Promise<Outcome> => {
      if (method === 'POST') throw new ScimError(409, 'taken', { scimType: 'uniqueness' })
      return { status: 412 }
    }
    const response = await run(execute, [user('a'), { method: 'DELETE', path: '/Users/1' }])
    expect(response.Operations).toStrictEqual([
      {
        method: 'POST',
        bulkId: 'a',
        status: '409',
        response: {
          schemas: [ERROR_SCHEMA],
          scimType: 'uniqueness',
          detail: 'taken',
          status: '409',
        },
      },
      {
        method: 'DELETE',
        location: '/Users/1',
        status: '412',
        response: { schemas: [ERROR_SCHEMA], detail: 'DELETE /Users/1 failed', status: '412' },
      },
    ])
  })

  it.each([
    ['a line break', 'W/"1"\r\nX: y'],
    ['no quotes', '1'],
    ['a quote inside', '"a"b"'],
    ['a character beyond Latin-1', 'W/"€"'],
    ['two tags', 'W/"1", W/"2"'],
    ['text before the tag', 'x"1"'],
    ['a weak prefix in lower case', 'w/"1"'],
  ])('a version with %s fails only its operation (RFC 9110 §8.8.3)', async (_, version) => {
    const store = createStore()
    const response = await run(store.execute, [
      user('a'),
      { method: 'PUT', path: '/Users/1', version, data: { userName: 'b' } },
      { method: 'DELETE', path: '/Users/1', version: 'W/"1"' },
    ])
    expect(statuses(response)).toEqual(['201', '400', '204'])
    expect(response.Operations[1]?.response).toMatchObject({ scimType: 'invalidValue' })
  })

  it.each(['"1"', 'W/"1"', 'W/""', '"!#~\u00e9"'])(
    'the version %s is accepted (RFC 9110 §8.8.3)',
    async (version) => {
      const execute = async (): Promise<Outcome> => ({ status: 204 })
      const response = await run(execute, [{ method: 'DELETE', path: '/Users/1', version }])
      expect(statuses(response)).toEqual(['204'])
    },
  )

  it('a version error names the invalid member', async () => {
    const response = await run(createStore().execute, [
      { method: 'DELETE', path: '/Users/1', version: '1' },
    ])
    const detail = expect.stringContaining('version must be an entity tag')
    expect(response.Operations[0]?.response).toMatchObject({ detail })
  })

  it.each([
    [199, true],
    [200, false],
    [299, false],
    [300, true],
  ])('status %d gets an error document: %s', async (status, isError) => {
    const execute = async (): Promise<Outcome> => ({ status })
    const response = await run(execute, [{ method: 'DELETE', path: '/Users/1' }])
    expect(response.Operations[0]?.response !== undefined).toBe(isError)
  })

  it('an unknown bulkId is shown with at most 100 characters', async () => {
    const response = await run(createStore().execute, [group('g', `bulkId:${'x'.repeat(101)}`)])
    const detail = `no resource was created for bulkId:${'x'.repeat(100)}`
    expect(response.Operations[0]?.response).toMatchObject({ detail })
  })

  it('the body returned by execute is passed on', async () => {
    const execute = async (): Promise<Outcome> => ({ status: 200, response: { id: '1' } })
    const response = await run(execute, [{ method: 'PUT', path: '/Users/1', data: {} }])
    expect(response.Operations[0]?.response).toStrictEqual({ id: '1' })
  })

  it('an error other than a ScimError from execute rejects', async () => {
    const execute = () => Promise.reject(new Error('the disk is full'))
    await expect(run(execute, [user('a')])).rejects.toThrow('the disk is full')
  })

  it.each([{ status: 201 }, { status: 201, location: 'https://example.com/Users/' }])(
    'a new resource without a location is a program error: %j',
    async (outcome) => {
      await expect(run(async () => outcome, [user('a')])).rejects.toThrow(
        new TypeError('a successful POST must return the location of the resource'),
      )
    },
  )
})

describe('the time slices of a long bulk request', () => {
  /** How many of 100 operations run before a timer that the second operation sets. */
  const executedBeforeTimer = async (): Promise<number> => {
    let executed = 0
    let seen = 0
    const execute: Execute = async ({ path }) => {
      executed += 1
      if (executed === 2) {
        setTimeout(() => {
          seen = executed
        }, 0)
      }
      return { status: 201, location: `${path}/${executed}` }
    }
    await run(
      execute,
      Array.from({ length: 100 }, (_, at) => user(`u${at}`)),
    )
    expect(executed).toBe(100)
    return seen === 0 ? executed : seen
  }

  it.each([
    ['after a time slice of short operations', 1, 2, 20],
    ['after each operation that is longer than a time slice', 10, 2, 4],
    ['not after each short operation, because a timer would slow it down', 0, 100, 100],
  ])('other requests run during a long bulk request %s', async (_, milliseconds, least, most) => {
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      now += milliseconds
      return now
    })
    try {
      const executed = await executedBeforeTimer()
      expect(executed).toBeGreaterThanOrEqual(least)
      expect(executed).toBeLessThanOrEqual(most)
    } finally {
      clock.mockRestore()
    }
  })
})
