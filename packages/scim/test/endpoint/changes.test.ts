import { beforeEach, describe, expect, it } from 'vitest'
import { BULK_REQUEST_SCHEMA } from '../../src/lib/constants.ts'
import type { Change, ChangeDetail } from '../../src/lib/endpoint/changes/changes.ts'
import type { OnChange } from '../../src/lib/endpoint/changes/report-changes.ts'
import { createScimEndpoint } from '../../src/lib/endpoint/endpoint.ts'
import { defineResourceType } from '../../src/lib/endpoint/options/resource-type.ts'
import { ScimError } from '../../src/lib/error.ts'
import { memoryStore } from '../../src/lib/memory/store.ts'
import { type Client, patchOf, type Send, sender, serve } from './serve.ts'

const DEPARTMENT = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

let send: Send
let listen: OnChange<Client>
let changes: Change[]
let ada: string
let bob: string
let group: string

beforeEach(async () => {
  changes = []
  listen = (reported) => void changes.push(...reported)
  ;({ send } = serve({
    transaction: (context, work) => work(context),
    onChange: (reported, write) => listen(reported, write),
  }))
  const create = async (path: string, body: object) => (await send('POST', path, body)).body.id
  ada = await create('/Users', { userName: 'ada', externalId: 'hr-1', title: 'Dr.' })
  bob = await create('/Users', { userName: 'bob', active: false })
  group = await create('/Groups', { displayName: 'staff', members: [{ value: ada }] })
})

/** The details of the changes that a request causes, with the id of each resource. */
async function detailsOf(method: string, path: string, body?: object) {
  changes = []
  const { status } = await send(method, path, body)
  expect(status).toBeLessThan(300)
  return changes.map(({ resourceType, externalId, requestId, time, ...detail }) => detail)
}

const members = (added: readonly string[], removed: readonly string[]) => {
  return { type: 'group.members', id: group, added, removed }
}

it('creating resources is reported with their facts, and creating a group with the members', () => {
  const facts = {
    requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    time: expect.stringMatching(TIME),
  }
  const user = { ...facts, resourceType: 'User', type: 'user.created' }
  const ofGroup = { ...facts, resourceType: 'Group', id: group, externalId: null }
  expect(changes).toEqual([
    { ...user, id: ada, externalId: 'hr-1', active: true },
    { ...user, id: bob, externalId: null, active: false },
    { ...ofGroup, type: 'group.created' },
    { ...ofGroup, type: 'group.members', added: [ada], removed: [] },
  ])
})

describe('a user change', () => {
  const replace = (path: string, value: unknown) => patchOf({ op: 'replace', path, value })
  it.each<[string, object, ChangeDetail[]]>([
    ['the attribute', replace('title', 'Prof.'), [{ type: 'user.changed', attributes: ['title'] }]],
    [
      'a sub-attribute as its attribute',
      replace('name.givenName', 'Ada'),
      [{ type: 'user.changed', attributes: ['name'] }],
    ],
    [
      'an extension attribute with the URN',
      replace(`${DEPARTMENT}:department`, 'Sales'),
      [{ type: 'user.changed', attributes: [`${DEPARTMENT}:department`] }],
    ],
    [
      'a password without the value',
      replace('password', 'secret'),
      [{ type: 'user.changed', attributes: ['password'] }],
    ],
    [
      'a removed value',
      patchOf({ op: 'remove', path: 'title' }),
      [{ type: 'user.changed', attributes: ['title'] }],
    ],
    ['active: false alone', replace('active', false), [{ type: 'user.deactivated' }]],
    [
      'active: false apart from other attributes',
      patchOf({ op: 'replace', value: { active: false, title: 'x', nickName: 'y' } }),
      [{ type: 'user.changed', attributes: ['nickName', 'title'] }, { type: 'user.deactivated' }],
    ],
    ['no change for the same value', replace('title', 'Dr.'), []],
    [
      'active: true instead of none as a changed value, because the state is the same',
      replace('active', true),
      [{ type: 'user.changed', attributes: ['active'] }],
    ],
  ])('a user change reports %s', async (_, body, details) => {
    const found = await detailsOf('PATCH', `/Users/${ada}`, body)
    expect(found).toEqual(details.map((detail) => ({ ...detail, id: ada })))
  })

  it('activating an inactive user is reported as a reactivation', async () => {
    const found = await detailsOf('PATCH', `/Users/${bob}`, replace('active', true))
    expect(found).toEqual([{ type: 'user.reactivated', id: bob }])
  })

  it('active: true for an active user reports no change', async () => {
    await send('PATCH', `/Users/${ada}`, replace('active', true))
    expect(await detailsOf('PATCH', `/Users/${ada}`, replace('active', true))).toEqual([])
  })

  it('a PUT reports changed and cleared attributes, and nothing for the same resource', async () => {
    const found = await detailsOf('PUT', `/Users/${ada}`, { userName: 'ada', nickName: 'A' })
    const attributes = expect.toSatisfy(
      (names: string[]) => names.toSorted().join() === 'externalId,nickName,title',
    )
    expect(found).toEqual([{ type: 'user.changed', id: ada, attributes }])
    expect(await detailsOf('PUT', `/Users/${ada}`, { userName: 'ada', nickName: 'A' })).toEqual([])
  })
})

describe('a change to a group', () => {
  it('added and removed members are reported, and unchanged members are not', async () => {
    const add = { op: 'add', path: 'members', value: [{ value: ada }, { value: bob }] }
    expect(await detailsOf('PATCH', `/Groups/${group}`, patchOf(add))).toEqual([members([bob], [])])
    expect(await detailsOf('PATCH', `/Groups/${group}`, patchOf(add))).toEqual([])
    const remove = { op: 'remove', path: `members[value eq "${ada}"]` }
    expect(await detailsOf('PATCH', `/Groups/${group}`, patchOf(remove))).toEqual([
      members([], [ada]),
    ])
  })

  it('a PUT reports the replaced members', async () => {
    const body = { displayName: 'staff', members: [{ value: bob }] }
    expect(await detailsOf('PUT', `/Groups/${group}`, body)).toEqual([members([bob], [ada])])
  })

  it('a new name is reported without members', async () => {
    const body = patchOf({ op: 'replace', path: 'displayName', value: 'all' })
    expect(await detailsOf('PATCH', `/Groups/${group}`, body)).toEqual([
      { type: 'group.changed', id: group, attributes: ['displayName'] },
    ])
  })
})

it('a deletion reports the groups the user leaves before the user', async () => {
  expect(await detailsOf('DELETE', `/Users/${ada}`)).toEqual([
    members([], [ada]),
    { type: 'user.deleted', id: ada },
  ])
  expect(changes.map(({ externalId }) => externalId)).toEqual([null, 'hr-1'])
})

it('deleting a group reports the members before the group', async () => {
  expect(await detailsOf('DELETE', `/Groups/${group}`)).toEqual([
    members([], [ada]),
    { type: 'group.deleted', id: group },
  ])
})

it('custom resource types have the same changes, named after the type', async () => {
  const id = 'urn:example:schemas:MeetingRoom'
  const definitions = {
    [id]: {
      id,
      name: 'MeetingRoom',
      description: 'A room',
      attributes: [{ name: 'displayName', type: 'string' as const }],
    },
  }
  const store = memoryStore({ definitions })
  const types: string[] = []
  const { fetch } = createScimEndpoint({
    basePath: '/scim/v2',
    resourceTypes: [defineResourceType({ name: 'MeetingRoom', endpoint: '/Rooms', store })],
    authenticate: async () => ({}),
    transaction: (context, work) => work(context),
    onChange: (reported) => void types.push(...reported.map(({ type }) => type)),
  })
  const sendRoom = sender(fetch)
  const { body } = await sendRoom('POST', '/Rooms', { schemas: [id], displayName: 'Oslo' })
  await sendRoom('PUT', `/Rooms/${body.id}`, { schemas: [id], displayName: 'Bergen' })
  await sendRoom('DELETE', `/Rooms/${body.id}`)
  expect(types).toEqual(['meetingRoom.created', 'meetingRoom.changed', 'meetingRoom.deleted'])
})

// RFC 7644 §3.5.1: a server may keep what a PUT omits.
it.each<[string, (id: string) => [string, string, object]]>([
  ['a PUT without active', (id) => ['PUT', `/Users/${id}`, { userName: 'bob', title: 'T' }]],
  [
    'a PUT with null',
    (id) => ['PUT', `/Users/${id}`, { userName: 'bob', title: 'T', active: null }],
  ],
  [
    'a PUT in a Bulk',
    (id) => {
      const data = { userName: 'bob', title: 'T' }
      const Operations = [{ method: 'PUT', path: `/Users/${id}`, data }]
      return ['POST', '/Bulk', { schemas: [BULK_REQUEST_SCHEMA], Operations }]
    },
  ],
])('%s reports no reactivation, and the user stays inactive', async (_, requestOf) => {
  const found = await detailsOf(...requestOf(bob))
  expect(found).toEqual([{ type: 'user.changed', id: bob, attributes: ['title'] }])
  expect((await send('GET', `/Users/${bob}`)).body.active).toBe(false)
})

it("a PATCH remove unassigns active, which changes the user's state", async () => {
  await detailsOf('PATCH', `/Users/${bob}`, patchOf({ op: 'remove', path: 'active' }))
  expect((await send('GET', `/Users/${bob}`)).body).not.toHaveProperty('active')
})

it('attributes named active and members are reported if RFC 7643 does not define them', async () => {
  const [id, extension] = ['urn:example:schemas:MeetingRoom', 'urn:example:schemas:Club']
  const attribute = (name: string) => ({ name, type: 'string' as const })
  const definition = { name: 'MeetingRoom', description: 'A room' }
  const definitions = {
    [id]: { ...definition, id, attributes: [attribute('members')] },
    [extension]: {
      ...definition,
      id: extension,
      attributes: [attribute('active'), attribute('members')],
    },
  }
  const store = memoryStore({ definitions })
  const names: string[] = []
  const { fetch } = createScimEndpoint({
    basePath: '/scim/v2',
    resourceTypes: [defineResourceType({ name: 'MeetingRoom', endpoint: '/Rooms', store })],
    authenticate: async () => ({}),
    transaction: (context, work) => work(context),
    onChange: (reported) => {
      names.push(...reported.flatMap((one) => ('attributes' in one ? one.attributes : [])))
    },
  })
  const sendRoom = sender(fetch)
  const { body } = await sendRoom('POST', '/Rooms', { schemas: [id], members: '2' })
  const changed = { members: '3', [extension]: { active: 'weekly', members: '4' } }
  await sendRoom('PUT', `/Rooms/${body.id}`, { schemas: [id, extension], ...changed })
  expect(names).toEqual(['members', `${extension}:active`, `${extension}:members`])
})

it('a bulk request reports each operation with one request id, and nothing for a failed one', async () => {
  const user = (userName: string) => ({
    method: 'POST',
    path: '/Users',
    bulkId: userName,
    data: { userName },
  })
  const reported: number[] = []
  listen = (some) => {
    reported.push(some.length)
    changes.push(...some)
  }
  changes = []
  await send('POST', '/Bulk', {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: [user('carl'), user('ada'), user('dora')],
  })
  expect(reported).toEqual([1, 1])
  expect(new Set(changes.map(({ requestId }) => requestId)).size).toBe(1)
})

it('the listener can read the resource before a change, for example to undo it', async () => {
  const titles: unknown[] = []
  listen = (reported, { before }) => {
    for (const change of reported) titles.push([change.type, before(change)?.title ?? null])
  }
  await send('PATCH', `/Users/${ada}`, patchOf({ op: 'replace', path: 'title', value: 'Prof.' }))
  await send('DELETE', `/Users/${ada}`)
  await send('POST', '/Users', { userName: 'carl', title: 'Mr.' })
  expect(titles).toEqual([
    ['user.changed', 'Dr.'],
    ['group.members', null],
    ['user.deleted', 'Prof.'],
    ['user.created', null],
  ])
})

it("the listener gets the transaction's context, the client and the request", async () => {
  const received: unknown[] = []
  const { send: sendInTransaction } = serve({
    transaction: (context, work) =>
      work({ ...context, token: `${context.token} in a transaction` }),
    requestId: ({ headers }) => headers.get('X-Request-Id') ?? '',
    onChange: ([change], { transaction, context, request }) => {
      received.push(transaction.token, context.token, request.method, change?.requestId)
    },
  })
  await sendInTransaction('POST', '/Users', { userName: 'a' }, { 'X-Request-Id': 'r1' })
  expect(received).toEqual(['t in a transaction', 't', 'POST', 'r1'])
})

describe('a listener that throws', () => {
  it('an error in the listener answers the write with 500', async () => {
    listen = () => {
      throw new Error('the outbox is full')
    }
    expect((await send('POST', '/Users', { userName: 'x' })).status).toBe(500)
  })

  it('a ScimError in the listener answers the write', async () => {
    listen = async () => {
      throw new ScimError(409, 'the account belongs to another person', { scimType: 'uniqueness' })
    }
    expect(await send('POST', '/Users', { userName: 'x' })).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    })
  })
})

it('onChange without transaction is a TypeError, because a reported write could be undone', () => {
  expect(() => serve({ onChange: () => undefined })).toThrow(
    /onChange needs the option transaction/,
  )
})
