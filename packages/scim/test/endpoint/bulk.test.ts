import { describe, expect, it } from 'vitest'
import { BULK_REQUEST_SCHEMA, ENTERPRISE_USER_SCHEMA } from '../../src/lib/constants.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import { BASE, type Body, patchOf, type Send, serve, USER_DEFINITIONS } from './serve.ts'

/** Sends a bulk request and returns the responses of its operations. */
async function sendBulk(send: Send, ...Operations: readonly object[]): Promise<readonly Body[]> {
  const answer = await send('POST', '/Bulk', { schemas: [BULK_REQUEST_SCHEMA], Operations })
  expect(answer.status).toBe(200)
  return answer.body.Operations
}

const post = (bulkId: string, data: object) => ({ method: 'POST', path: '/Users', bulkId, data })

describe("an operation's location (RFC 7644 §3.7.3)", () => {
  it.each<[string, object, string]>([
    ["with the request's origin", {}, BASE],
    ['with a fixed base', { base: 'https://id.example.org/v2' }, 'https://id.example.org/v2'],
    [
      'with a base that depends on the request',
      {
        base: ({ headers }: Request) =>
          `https://${headers.get('Authorization')?.slice(-1)}.example.org/`,
      },
      'https://t.example.org',
    ],
  ])("an operation's location is the resource URL %s", async (_, options, base) => {
    const { send } = serve(options)
    const { body } = await send('POST', '/Users', { userName: 'a' })
    const path = `/Users/${body.id}`
    const operations = await sendBulk(
      send,
      { method: 'PATCH', path, data: patchOf({ op: 'add', path: 'title', value: 'x' }) },
      { method: 'PUT', path, data: { userName: '' } },
      { method: 'PATCH', path, data: patchOf({ op: 'add', path: 'color', value: 'x' }) },
      { method: 'PUT', path, version: 'W/"0"', data: { userName: 'b' } },
      { method: 'DELETE', path },
      { method: 'DELETE', path },
      { method: 'PATCH', path: '/Groups/missing', data: patchOf() },
      { method: 'DELETE', path: '/Nothing/1' },
      post('a', { userName: 'c' }),
      post('b', { userName: '' }),
    )
    const location = `${base}${path}`
    expect(operations.map(({ status }) => status)).toEqual([
      '200',
      '400',
      '400',
      '412',
      '204',
      '404',
      '400',
      '404',
      '201',
      '400',
    ])
    const created = String(operations[8]?.location)
    expect(created.startsWith(`${base}/Users/`)).toBe(true)
    expect(operations.map((one) => one.location)).toEqual([
      location,
      location,
      location,
      location,
      location,
      location,
      `${base}/Groups/missing`,
      `${base}/Nothing/1`,
      created,
      undefined,
    ])
  })
})

describe('bulkId: names a new resource only in attributes defined as references (RFC 7644 §3.7.2)', () => {
  it('a userName, a title and a password are stored unchanged', async () => {
    const stored: object[] = []
    const memory = memoryStore({ definitions: USER_DEFINITIONS })
    const { send } = serve({
      users: {
        ...memory,
        create: async (resource, context, request) => {
          stored.push(resource)
          return await memory.create(resource, context, request)
        },
      },
    })
    const data = { userName: 'bulkId:nope', title: 'bulkId:a', password: 'bulkId:a' }
    const operations = await sendBulk(send, post('a', { userName: 'a' }), post('b', data))
    expect(operations.map(({ status }) => status)).toEqual(['201', '201'])
    expect(stored[1]).toMatchObject(data)
  })

  it("members, managers and PATCH filters get the new resource's id", async () => {
    const { send } = serve()
    const manager = { [ENTERPRISE_USER_SCHEMA]: { manager: { value: 'bulkId:a' } } }
    const member = { value: 'bulkId:a', $ref: '../Users/bulkId:a' }
    const members = [member, { value: 'bulkId:b' }]
    const group = { method: 'POST', path: '/Groups', bulkId: 'g' }
    const operations = await sendBulk(
      send,
      {
        method: 'PATCH',
        path: '/Groups/bulkId:g',
        data: patchOf({ op: 'remove', path: 'members[value eq "bulkId:a"]' }),
      },
      { ...group, data: { displayName: 'g', members } },
      post('b', { userName: 'b', ...manager }),
      post('a', { userName: 'a' }),
    )
    expect(operations.map(({ status }) => status)).toEqual(['200', '201', '201', '201'])
    const [, groupUrl, bossed, boss] = operations.map(({ location }) => String(location))
    const idOf = (url: string | undefined) => url?.split('/').at(-1)
    const found = await send('GET', groupUrl ?? '')
    expect(found.body.members.map(({ value }) => value)).toEqual([idOf(bossed)])
    expect((await send('GET', bossed ?? '')).body[ENTERPRISE_USER_SCHEMA]).toEqual({
      manager: { value: idOf(boss) },
    })
  })
})

describe('/Me in a bulk request (RFC 7644 §3.11)', () => {
  it("/Me is the client's own resource", async () => {
    const { send } = serve({ me: { id: () => id } })
    const { body } = await send('POST', '/Users', { userName: 'me' })
    const { id } = body
    const manager = { [ENTERPRISE_USER_SCHEMA]: { manager: { value: 'bulkId:a' } } }
    const [patched, , put, failed, deleted, again] = await sendBulk(
      send,
      { method: 'PATCH', path: '/Me', data: patchOf({ op: 'add', value: manager }) },
      post('a', { userName: 'a' }),
      { method: 'PUT', path: '/Me', data: { userName: 'me', ...manager } },
      { method: 'PUT', path: '/Me', data: { userName: '' } },
      { method: 'DELETE', path: '/Me' },
      { method: 'DELETE', path: '/Me' },
    )
    expect(patched).toMatchObject({ status: '200', location: `${BASE}/Users/${id}` })
    expect(put).toMatchObject({ status: '200', location: `${BASE}/Users/${id}` })
    expect(failed).toMatchObject({ status: '400', location: `${BASE}/Me` })
    expect(deleted).toMatchObject({ status: '204', location: `${BASE}/Me` })
    expect(again).toMatchObject({ status: '404', location: `${BASE}/Me` })
  })

  it('an operation on /Me is 501 without `me`, and a POST to /Me is 405', async () => {
    const { send } = serve()
    const operations = await sendBulk(
      send,
      { method: 'PATCH', path: '/Me', data: patchOf() },
      { method: 'POST', path: '/Me', bulkId: 'a', data: { userName: 'a' } },
    )
    expect(operations.map(({ status }) => status)).toEqual(['501', '405'])
  })
})

// RFC 7644 §3.7.3: each operation has a status of its own.
it('an operation unable to run is answered, and the others run', async () => {
  const { send } = serve()
  const group = { displayName: 'G', members: [{ value: 'bulkId:bad' }] }
  const operations = await sendBulk(
    send,
    { method: 'GET', path: '/Users/1' },
    { method: 'DELETE', path: '/Users/../Groups/1' },
    { method: 'POST', path: '/Users', data: { userName: 'b' } },
    { method: 'POST', path: '/Users', bulkId: 'bad' },
    { method: 'POST', path: '/Groups', bulkId: 'g', data: group },
    post('a', { userName: 'a' }),
  )
  const rejected = { status: '400', response: { scimType: 'invalidValue' } }
  expect(operations).toMatchObject([
    { method: 'GET', location: `${BASE}/Users/1`, ...rejected },
    { method: 'DELETE', ...rejected },
    { method: 'POST', ...rejected },
    { method: 'POST', bulkId: 'bad', ...rejected },
    { method: 'POST', bulkId: 'g', status: '409' },
    { method: 'POST', bulkId: 'a', status: '201' },
  ])
  expect(operations[1]).not.toHaveProperty('location')
  expect((await send('GET', '/Users')).body.totalResults).toBe(1)
})

it.each([0, 1])('failOnErrors %d ends at the first error', async (failOnErrors) => {
  const { send } = serve()
  const { body } = await send('POST', '/Bulk', {
    schemas: [BULK_REQUEST_SCHEMA],
    failOnErrors,
    Operations: [{ method: 'GET', path: '/Users/1' }, post('a', { userName: 'a' })],
  })
  expect(body.Operations).toMatchObject([{ method: 'GET', status: '400' }])
})
