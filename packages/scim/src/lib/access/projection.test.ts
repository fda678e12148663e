import { beforeEach, describe, expect, it } from 'vitest'
import {
  GROUP_DEFINITIONS,
  patchOf,
  type Send,
  sender,
  USER_DEFINITIONS,
} from '../../../test/endpoint/serve.ts'
import { createScimEndpoint, type TransactingEndpoint } from '../endpoint/endpoint.ts'
import { defineResourceType } from '../endpoint/options/resource-type.ts'
import type { ResourceStore, StoreRequest } from '../endpoint/options/store.ts'
import { type MemoryStore, memoryStore } from '../memory/store.ts'
import type { Access } from './grants.ts'
import type { LinkOptions } from './link.ts'
import { type Projection, projection } from './projection.ts'

/** An account of the application. */
interface Account {
  readonly id: number
  readonly email: string
  readonly isVerified: boolean
}
type Stored = Access<number, string>

const owner: Account = { id: 1, email: 'ada@example.com', isVerified: true }
let accounts: Account[]
let stored: Map<string, Stored>
let applied: string[]
let access: Projection<object, string>
let endpoint: TransactingEndpoint<object>
let send: Send
let groups: MemoryStore

const link: LinkOptions<object, number> = {
  attribute: 'emails.value',
  find: (value) => {
    const account = accounts.find(({ email }) => email === value)
    if (account === undefined) return null
    const [linkedTo = null] = [...stored].find(([, one]) => one.account === account.id) ?? []
    return { account: account.id, isVerified: account.isVerified, linkedTo }
  },
  mayManage: () => true,
  create: ({ userName }) => {
    const id = accounts.length + 1
    accounts.push({ id, email: String(userName), isVerified: false })
    return id
  },
}

function open(
  options: Partial<LinkOptions<object, number>> = {},
  serve: (store: ResourceStore) => ResourceStore = (store) => store,
  others: readonly string[] = [],
): void {
  accounts = [owner]
  stored = new Map()
  applied = []
  access = projection<object, number, string>({
    link: { ...link, ...options },
    roles: ({ displayName, externalId }) => [
      ...(displayName === 'finance' ? ['billing', 'reports'] : []),
      ...(externalId === '00g1' ? ['admin'] : []),
    ],
    read: () => stored,
    stored: (after) => [...stored.keys()].sort().filter((id) => after === null || id > after),
    apply: (changes) => {
      for (const { user, isDeleted, ...rest } of changes) {
        applied.push(user)
        if (isDeleted) stored.delete(user)
        else stored.set(user, rest)
      }
    },
  })
  groups = memoryStore({ definitions: GROUP_DEFINITIONS })
  const users = memoryStore({ definitions: USER_DEFINITIONS, groups })
  const served = (name: string, store: MemoryStore) =>
    defineResourceType({
      name,
      endpoint: `/${name}s`,
      definitions: store.definitions,
      store: serve(store),
    })
  endpoint = createScimEndpoint<object>({
    basePath: '/scim/v2',
    resourceTypes: [
      served('User', users),
      served('Group', groups),
      ...others.map((name) => served(name, memoryStore({ definitions: GROUP_DEFINITIONS }))),
    ],
    authenticate: async () => ({}),
    transaction: (context, work) => work(context),
    requestId: ({ headers }) => headers.get('X-Request-Id') ?? 'r',
    onChange: access.onChange,
  })
  send = sender(endpoint.fetch)
}

beforeEach(() => open())

const create = async (path: string, body: object): Promise<string> => {
  const { status, body: created } = await send('POST', path, body)
  expect(status).toBe(201)
  return created.id
}
const createUser = (userName: string, rest: object = {}) => create('/Users', { userName, ...rest })
const createGroup = (displayName: string, members: readonly string[], rest: object = {}) =>
  create('/Groups', { displayName, members: members.map((value) => ({ value })), ...rest })
const rolesOf = (user: string) => stored.get(user)?.grants.map(({ role }) => role)
const patch = (path: string, ...operations: readonly object[]) =>
  send('PATCH', path, patchOf(...operations))

describe('a new user', () => {
  const emails = (...values: readonly string[]) => ({ emails: values.map((value) => ({ value })) })

  it('a user with a verified address gets the account that has this address', async () => {
    expect(stored.get(await createUser('ada', emails('ada@example.com')))?.account).toBe(owner.id)
  })

  it('a user without an account gets a new one', async () => {
    const user = await createUser('bob', emails('bob@example.com'))
    expect(stored.get(user)).toEqual({
      account: 2,
      isActive: true,
      grants: [],
    })
  })

  it.each([
    ['found by an unverified address', { isVerified: false, linkedTo: null }],
    ['linked to another user', { isVerified: true, linkedTo: 'another-user' }],
  ])(
    'a user whose account is %s is 409 uniqueness and does not take it over',
    async (_, candidate) => {
      open({ find: () => ({ account: owner.id, ...candidate }) })
      expect(
        await send('POST', '/Users', { userName: 'eve', ...emails('ada@example.com') }),
      ).toMatchObject({
        status: 409,
        body: { scimType: 'uniqueness' },
      })
      expect(stored.size).toBe(0)
    },
  )

  it('a user with the addresses of two accounts is rejected', async () => {
    accounts.push({ id: 2, email: 'b@example.com', isVerified: true })
    const body = { userName: 'eve', ...emails('ada@example.com', 'b@example.com') }
    expect((await send('POST', '/Users', body)).status).toBe(409)
  })

  it('a user without an account is rejected if none may be created', async () => {
    open({ create: null })
    expect((await send('POST', '/Users', { userName: 'bob' })).status).toBe(409)
  })

  it.each([
    ['externalId', { externalId: 'hr-1' }],
    [
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber',
      {
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { employeeNumber: 'hr-1' },
      },
    ],
  ])('a user is linked by %s', async (attribute, body) => {
    open({
      attribute,
      find: (value) =>
        value === 'hr-1' ? { account: owner.id, isVerified: true, linkedTo: null } : null,
    })
    expect(stored.get(await createUser('ada', body))?.account).toBe(owner.id)
  })
})

describe('roles', () => {
  it('a user has roles from groups, each with the group and request behind it', async () => {
    const user = await createUser('ada')
    const group = await createGroup('finance', [])
    const add = patchOf({ op: 'add', path: 'members', value: [{ value: user }] })
    await send('PATCH', `/Groups/${group}`, add, { 'X-Request-Id': 'r1' })
    await createGroup('other', [user])
    expect(await access.explain(user, {})).toEqual([
      { role: 'billing', because: { group, requestId: 'r1' } },
      { role: 'reports', because: { group, requestId: 'r1' } },
    ])
    await patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${user}"]` })
    expect(await access.explain(user, {})).toEqual([])
  })

  it('roles follow groups in a store with only the five functions, which reads users for update', async () => {
    const locked: string[] = []
    open({}, ({ read, list, create, replace, delete: remove }) => ({
      list,
      create,
      replace,
      delete: remove,
      read: (id, context, request) => {
        if (request.isForUpdate) locked.push(id)
        return read(id, context, request)
      },
    }))
    const ids = [await createUser('ada'), await createUser('bob')]
    locked.length = 0
    const inner = await createGroup('inner', ids)
    expect(locked).toEqual(ids.toSorted())
    await createGroup('finance', [inner])
    expect(ids.map(rolesOf)).toEqual(ids.map(() => ['billing', 'reports']))
  })

  it('nested groups pass on roles, even in a cycle', async () => {
    const user = await createUser('ada')
    const inner = await createGroup('inner', [user])
    const outer = await createGroup('finance', [inner])
    expect(rolesOf(user)).toEqual(['billing', 'reports'])
    await patch(`/Groups/${inner}`, { op: 'add', path: 'members', value: [{ value: outer }] })
    await patch(`/Groups/${outer}`, { op: 'remove', path: `members[value eq "${inner}"]` })
    expect(rolesOf(user)).toEqual([])
  })

  it('renaming a group changes the roles', async () => {
    const user = await createUser('ada')
    const group = await createGroup('sales', [user])
    await patch(`/Groups/${group}`, { op: 'replace', path: 'displayName', value: 'finance' })
    expect(rolesOf(user)).toEqual(['billing', 'reports'])
  })

  it('deleting a group ends the roles', async () => {
    const user = await createUser('ada')
    const group = await createGroup('x', [user], { externalId: '00g1' })
    expect(rolesOf(user)).toEqual(['admin'])
    await send('DELETE', `/Groups/${group}`)
    expect(rolesOf(user)).toEqual([])
  })

  it('deactivating a user ends the roles, and reactivating restores them', async () => {
    const user = await createUser('ada')
    await createGroup('finance', [user])
    const setActive = (value: boolean) =>
      patch(`/Users/${user}`, { op: 'replace', path: 'active', value })
    await setActive(false)
    expect(stored.get(user)).toMatchObject({ isActive: false, grants: [] })
    await setActive(true)
    expect(rolesOf(user)).toEqual(['billing', 'reports'])
  })

  it('deleting a user ends the roles and the link', async () => {
    const user = await createUser('ada')
    await createGroup('finance', [user])
    await send('DELETE', `/Users/${user}`)
    expect(stored.has(user)).toBe(false)
  })

  it('a change with no effect on roles stores nothing', async () => {
    const user = await createUser('ada')
    applied = []
    await patch(`/Users/${user}`, { op: 'replace', path: 'title', value: 'Dr.' })
    expect(applied).toEqual([])
  })

  it('a user in more than 1,000 groups is tooMany', async () => {
    const user = await createUser('ada')
    const addGroups = async (count: number) => {
      const group = { displayName: 'x', members: [{ value: user }] }
      for (let at = 0; at < count; at += 1) await groups.create(group, {}, {} as StoreRequest)
    }
    const reactivate = async () => {
      await patch(`/Users/${user}`, { op: 'replace', path: 'active', value: false })
      return await patch(`/Users/${user}`, { op: 'replace', path: 'active', value: true })
    }
    await addGroups(1_000)
    expect((await reactivate()).body).toMatchObject({ active: true })
    await addGroups(1)
    expect(await reactivate()).toMatchObject({ status: 400, body: { scimType: 'tooMany' } })
  })

  it('a user in more than 1,000 groups loses roles with a group, and other members lose theirs too', async () => {
    const [ada, bob] = [await createUser('ada'), await createUser('bob')]
    const finance = await createGroup('finance', [ada, bob])
    await createGroup('x', [ada], { externalId: '00g1' })
    const group = { displayName: 'x', members: [{ value: ada }] }
    for (let at = 0; at < 1_000; at += 1) await groups.create(group, {}, {} as StoreRequest)
    expect(await patch(`/Groups/${finance}`, { op: 'remove', path: 'members' })).toMatchObject({
      status: 200,
    })
    expect([rolesOf(ada), rolesOf(bob)]).toEqual([['admin'], []])
    const added = { op: 'add', path: 'members', value: [{ value: ada }] }
    expect(await patch(`/Groups/${finance}`, added)).toMatchObject({
      status: 400,
      body: { scimType: 'tooMany' },
    })
  })
})

describe('an unlinked user with an unverified address', () => {
  let eve: string
  let bob: string
  let group: string
  const refused = { status: 409, body: { scimType: 'uniqueness' } }
  const member = (value: string) => ({ path: 'members', value: [{ value }] })

  beforeEach(async () => {
    const emails = [{ value: owner.email }]
    eve = await createUser('eve', { emails })
    bob = await createUser('bob')
    group = await createGroup('finance', [eve, bob])
    // The application has ended the link.
    stored.delete(eve)
    accounts = accounts.map((account) => ({ ...account, isVerified: false }))
  })

  it.each<[string, () => ReturnType<Send>]>([
    ['is changed', () => patch(`/Users/${eve}`, { op: 'add', value: { title: 'x' } })],
    ['is deactivated', () => patch(`/Users/${eve}`, { op: 'replace', value: { active: false } })],
    ['is deleted', () => send('DELETE', `/Users/${eve}`)],
    [
      'is removed from a group',
      () => patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${eve}"]` }),
    ],
  ])('the write succeeds and the user stays unlinked when the user %s', async (_, request) => {
    expect((await request()).status).toBeLessThan(300)
    expect([stored.has(eve), rolesOf(bob)]).toEqual([false, ['billing', 'reports']])
  })

  it.each<[string, () => ReturnType<Send>]>([
    ['emptied by PATCH', () => patch(`/Groups/${group}`, { op: 'remove', path: 'members' })],
    ['emptied by PUT', () => send('PUT', `/Groups/${group}`, { displayName: 'finance' })],
    ['renamed', () => send('PUT', `/Groups/${group}`, { displayName: 'x', members: [] })],
    ['deleted', () => send('DELETE', `/Groups/${group}`)],
  ])('other members lose their roles when the group is %s', async (_, request) => {
    expect((await request()).status).toBeLessThan(300)
    expect(rolesOf(bob)).toEqual([])
  })

  it('reactivating an unlinked user or adding it to a group fails, because the client requests access', async () => {
    const other = await createGroup('other', [])
    expect(await patch(`/Groups/${other}`, { op: 'add', ...member(eve) })).toMatchObject(refused)
    const setActive = (active: boolean) =>
      patch(`/Users/${eve}`, { op: 'replace', value: { active } })
    expect((await setActive(false)).status).toBe(200)
    expect(await setActive(true)).toMatchObject(refused)
  })

  it('the next change links a user once the application has verified the address', async () => {
    accounts = [owner]
    await patch(`/Users/${eve}`, { op: 'add', value: { title: 'x' } })
    expect(stored.get(eve)).toMatchObject({ account: owner.id, isActive: true })
  })
})

describe('a member id written in capitals', () => {
  const member = (value: string) => ({ value: value.toUpperCase() })

  it.each<[string, (group: string, user: string) => ReturnType<Send>]>([
    ['removed', (group) => patch(`/Groups/${group}`, { op: 'remove', path: 'members' })],
    [
      'removed by a filter',
      (group, user) =>
        patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${user}"]` }),
    ],
    ['in a deleted group', (group) => send('DELETE', `/Groups/${group}`)],
  ])(
    'a member id in capitals gets the roles, and loses them when the member is %s',
    async (_, end) => {
      const user = await createUser('ada')
      const group = await createGroup('finance', [])
      await send('PUT', `/Groups/${group}`, { displayName: 'finance', members: [member(user)] })
      expect(rolesOf(user)).toEqual(['billing', 'reports'])
      expect((await end(group, user)).status).toBeLessThan(300)
      expect(rolesOf(user)).toEqual([])
    },
  )

  it('a member id in capitals may name a group', async () => {
    const user = await createUser('ada')
    const inner = await createGroup('inner', [user])
    const outer = await createGroup('finance', [])
    const group = { displayName: 'finance', members: [member(inner)] }
    await send('PUT', `/Groups/${outer}`, group)
    expect(rolesOf(user)).toEqual(['billing', 'reports'])
    await send('DELETE', `/Groups/${outer}`)
    expect(rolesOf(user)).toEqual([])
  })
})

it('only groups grant roles: other resource types with members do not', async () => {
  open({}, (store) => store, ['Department'])
  const user = await createUser('ada')
  const department = { displayName: 'finance', members: [{ value: user }] }
  await create('/Departments', department)
  await patch(`/Users/${user}`, { op: 'replace', path: 'title', value: 'Dr.' })
  expect(rolesOf(user)).toEqual([])
})

it('changing another resource type reads no users and groups', async () => {
  const id = 'urn:example:schemas:Room'
  const attributes = [{ name: 'displayName', type: 'string' as const }]
  const store = memoryStore({
    definitions: { [id]: { id, name: 'Room', description: 'A room', attributes } },
  })
  const rooms = createScimEndpoint<object>({
    basePath: '/scim/v2',
    resourceTypes: [
      defineResourceType({ name: 'Room', endpoint: '/Rooms', store }),
      defineResourceType({
        name: 'User',
        endpoint: '/Users',
        store: memoryStore({ definitions: USER_DEFINITIONS }),
      }),
    ],
    authenticate: async () => ({}),
    transaction: (context, work) => work(context),
    onChange: access.onChange,
  })
  const sendRoom = sender(rooms.fetch)
  const { body } = await sendRoom('POST', '/Rooms', { schemas: [id], displayName: 'Oslo' })
  const changed = { schemas: [id], displayName: 'Bergen' }
  expect((await sendRoom('PUT', `/Rooms/${body.id}`, changed)).status).toBe(200)
})

describe('reconcile', () => {
  it('reconcile repairs changes made outside the endpoint, links older users and reports both', async () => {
    const users = await Promise.all(['ada', 'bob', 'carl'].map((name) => createUser(name)))
    await createGroup('finance', users)
    const [ada = '', bob = ''] = users
    stored.set(ada, { account: owner.id, isActive: true, grants: [] })
    stored.delete(bob)
    const { checked, repaired } = await access.reconcile(endpoint, {})
    expect(checked).toBe(3)
    expect(repaired.toSorted()).toEqual([ada, bob].sort())
    expect(rolesOf(ada)).toEqual(['billing', 'reports'])
    expect((await access.explain(ada, {}))[0]?.because.requestId).toBe('reconcile')
    expect(await access.reconcile(endpoint, {})).toEqual({ checked: 3, repaired: [], failed: [] })
  })

  it('reconcile links an account to one of two older users with the same address', async () => {
    const [ada, eve] = [await createUser('ada'), await createUser('eve')]
    const emails = [{ value: owner.email }]
    for (const id of [ada, eve]) await patch(`/Users/${id}`, { op: 'add', value: { emails } })
    stored.clear()
    const { repaired, failed } = await access.reconcile(endpoint, {})
    const [linked = '', other = ''] = repaired[0] === ada ? [ada, eve] : [eve, ada]
    expect({ repaired, failed }).toEqual({
      repaired: [linked],
      failed: [
        { user: other, scimType: 'uniqueness', reason: 'the account is linked to another user' },
      ],
    })
    expect([...stored].map(([user, { account }]) => [user, account])).toEqual([[linked, owner.id]])
  })

  it('reconcile links the other users on every page if some cannot be linked', async () => {
    const users: string[] = []
    for (let at = 0; at < 130; at += 1) users.push(await createUser(`user ${at}`))
    const rejected = users.filter((_, at) => at % 3 === 0)
    const emails = [{ value: owner.email }]
    for (const id of rejected) await patch(`/Users/${id}`, { op: 'add', value: { emails } })
    stored.clear()
    accounts = [{ ...owner, isVerified: false }]
    const result = await access.reconcile(endpoint, {})
    expect(result.checked).toBe(130)
    expect(result.failed).toHaveLength(rejected.length)
    expect(new Set(result.failed)).toEqual(
      new Set(
        rejected.map((user) => ({ user, scimType: 'uniqueness', reason: 'isVerified is false' })),
      ),
    )
    expect([...stored.keys()].sort()).toEqual([...result.repaired].sort())
    expect(result.repaired).toHaveLength(130 - rejected.length)
  })

  it.each(['wide', 'deep'])(
    'reconcile keeps the access of a user in too many groups (%s) and repairs the others',
    async (shape) => {
      const [ada, bob] = [await createUser('ada'), await createUser('bob')]
      await createGroup('finance', [ada, bob])
      const before = stored.get(ada)
      let member = ada
      for (let at = 0; at < 1_050; at += 1) {
        const members = [{ value: member }]
        const { id } = await groups.create({ displayName: 'x', members }, {}, {} as StoreRequest)
        if (shape === 'deep') member = String(id)
      }
      stored.delete(bob)
      expect(await access.reconcile(endpoint, {})).toEqual({
        checked: 2,
        repaired: [bob],
        failed: [
          { user: ada, scimType: 'tooMany', reason: 'the user is in more than 1,000 groups' },
        ],
      })
      expect(stored.get(ada)).toEqual(before)
      expect(rolesOf(bob)).toEqual(['billing', 'reports'])
    },
  )

  it('reconcile reads users beyond one page', async () => {
    const count = 230
    for (let at = 0; at < count; at += 1) await createUser(`user ${at}`)
    stored.clear()
    const { checked, repaired } = await access.reconcile(endpoint, {})
    expect([checked, new Set(repaired).size]).toEqual([count, count])
  })
})
