import { type Access, type LinkOptions, projection } from '@plumbline/scim/access'
import { createScimEndpoint, defineResourceType, type OnChange } from '@plumbline/scim/endpoint'
import { sqlStore } from '@plumbline/scim/sql'
import { expect, it } from 'vitest'
import { GROUP_DEFINITIONS, patchOf, sender, USER_DEFINITIONS } from '../endpoint/serve.ts'
import { openStores } from '../sql/contract-suite.ts'
import { SQLITE } from '../sql/openers.ts'
import { type Client, groupOptions, tables, userOptions } from '../sql/teams.ts'

const MEMBERS = 1_000
const link: LinkOptions<Client, string> = {
  attribute: 'userName',
  find: () => null,
  mayManage: () => true,
  create: ({ userName }) => String(userName),
}

it(`a PATCH with ${MEMBERS.toLocaleString('en')} members costs a few statements and one role write for each 100`, async () => {
  const stored = new Map<string, Access<string, string>>()
  let writes = 0
  let statements = 0
  const access = projection<Client, string, string>({
    link,
    roles: ({ displayName }) => (displayName === 'finance' ? ['billing'] : []),
    read: () => stored,
    stored: () => [],
    apply: (changes) => {
      writes += 1
      for (const { user, isDeleted: _, ...rest } of changes) stored.set(user, rest)
    },
  })
  const { resourceTypes, transaction, context, close } = await openStores({
    ...SQLITE,
    open: async () => {
      const { execute, ...opened } = await SQLITE.open()
      return {
        ...opened,
        execute: (sql, values) => {
          statements += 1
          return execute(sql, values)
        },
      }
    },
  })
  const { fetch } = createScimEndpoint<Client>({
    basePath: '/scim/v2',
    resourceTypes,
    transaction,
    authenticate: async () => context,
    onChange: access.onChange,
  })
  const send = sender(fetch)
  const members: { readonly value: string }[] = []
  for (let at = 0; at < MEMBERS; at += 1) {
    members.push({ value: (await send('POST', '/Users', { userName: `${at}@a.com` })).body.id })
  }
  const { body: group } = await send('POST', '/Groups', { displayName: 'finance' })
  const change = async (operation: object) => {
    statements = 0
    writes = 0
    const { status } = await send('PATCH', `/Groups/${group.id}`, patchOf(operation))
    expect(status).toBe(204)
    expect(statements).toBeLessThan(MEMBERS / 10)
    expect(writes).toBe(MEMBERS / 100)
    return [...stored.values()].filter(({ grants }) => grants.length === 1).length
  }
  expect(await change({ op: 'add', path: 'members', value: members })).toBe(MEMBERS)
  expect(await change({ op: 'replace', path: 'displayName', value: 'sales' })).toBe(0)
  expect(await change({ op: 'replace', path: 'displayName', value: 'finance' })).toBe(MEMBERS)
  expect(await change({ op: 'remove', path: 'members' })).toBe(0)
  await close()
})

it('roles follow the groups in sqlStore, and a write with an unstorable role is undone', async () => {
  const stored = new Map<string, Access<string, string>>()
  let isFull = false
  const access = projection<Client, string, string>({
    link,
    roles: ({ displayName }) => (displayName === 'finance' ? ['billing'] : []),
    read: () => stored,
    stored: () => [],
    apply: (changes) => {
      if (isFull) throw new Error('the table of roles is full')
      for (const { user, isDeleted, ...rest } of changes) {
        if (isDeleted) stored.delete(user)
        else stored.set(user, rest)
      }
    },
  })
  const { resourceTypes, transaction, context, close } = await openStores(SQLITE)
  const endpoint = createScimEndpoint<Client>({
    basePath: '/scim/v2',
    resourceTypes,
    transaction,
    authenticate: async () => context,
    onChange: access.onChange,
    onError: () => undefined,
  })
  const send = sender(endpoint.fetch)
  // The keys of both tables start at 1: the user and the group have the same id.
  const { body: user } = await send('POST', '/Users', { userName: 'ada@example.com' })
  const { body: group } = await send('POST', '/Groups', { displayName: 'finance' })
  const add = patchOf({ op: 'add', path: 'members', value: [{ value: user.id }] })
  isFull = true
  expect((await send('PATCH', `/Groups/${group.id}`, add)).status).toBe(500)
  expect((await send('GET', `/Groups/${group.id}`)).body).not.toHaveProperty('members')
  isFull = false
  expect((await send('PATCH', `/Groups/${group.id}`, add)).status).toBe(204)
  expect(await access.explain(user.id, context)).toMatchObject([
    { role: 'billing', because: { group: group.id } },
  ])
  stored.clear()
  expect(await access.reconcile(endpoint, context)).toEqual({
    checked: 1,
    repaired: [user.id],
    failed: [],
  })
  await send('DELETE', `/Users/${user.id}`)
  expect(stored.size).toBe(0)
  await close()
})

it.each([
  ['that finds holders', true],
  ['that only lists groups', false],
])(
  "a user with the same id as a group has only roles from the user's groups, in a store %s",
  async (_title, isFound) => {
    const stored = new Map<string, Access<string, string>>()
    const access = projection<Client, string, string>({
      link,
      roles: ({ displayName }) => [String(displayName)],
      read: () => stored,
      stored: () => [],
      apply: (changes) => {
        for (const { user, isDeleted: _, ...rest } of changes) stored.set(user, rest)
      },
    })
    const { execute, close } = await SQLITE.open()
    for (const statement of tables('sqlite')) await execute(statement, [])
    const users = sqlStore(userOptions(execute, 'sqlite'))
    const groups = sqlStore(groupOptions(execute, 'sqlite'))
    const { findHolders: _, ...listing } = groups
    const { fetch } = createScimEndpoint<Client>({
      basePath: '/scim/v2',
      resourceTypes: [
        defineResourceType({ name: 'User', endpoint: '/Users', store: users }),
        defineResourceType({
          name: 'Group',
          endpoint: '/Groups',
          store: isFound ? groups : listing,
        }),
      ],
      transaction: (context, work) => work(context),
      authenticate: async () => ({ org: 1 }),
      onChange: access.onChange,
    })
    const send = sender(fetch)
    const create = async (path: string, body: object): Promise<string> =>
      (await send('POST', path, body)).body.id
    const ada = await create('/Users', { userName: 'ada@example.com' })
    const bob = await create('/Users', { userName: 'bob@example.com' })
    const admins = await create('/Groups', { displayName: 'admins', members: [{ value: bob }] })
    const staff = await create('/Groups', { displayName: 'staff', members: [{ value: ada }] })
    expect([admins, staff]).toEqual([ada, bob])
    const rolesOf = (id: string) => stored.get(id)?.grants.map(({ role }) => role)
    expect([rolesOf(ada), rolesOf(bob)]).toEqual([['staff'], ['admins']])
    await close()
  },
)

it('a PATCH with a member id in capitals reports the id, and grants the roles', async () => {
  const { execute, close } = await SQLITE.open()
  for (const statement of [
    'create table people (id text primary key, name text not null)',
    'create table teams (id text primary key, name text not null)',
    'create table seats (team_id text not null, person_id text not null, primary key (team_id, person_id))',
  ]) {
    await execute(statement, [])
  }
  const stored = new Map<string, Access<string, string>>()
  const added: string[] = []
  const access = projection<Client, string, string>({
    link,
    roles: () => ['member'],
    read: () => stored,
    stored: () => [],
    apply: (changes) => {
      for (const { user, isDeleted: _, ...rest } of changes) stored.set(user, rest)
    },
  })
  const common = { execute, dialect: 'sqlite', id: 'id' } as const
  const users = sqlStore<Client>({
    ...common,
    table: 'people',
    definitions: USER_DEFINITIONS,
    attributes: { userName: 'name' },
  })
  const groups = sqlStore<Client>({
    ...common,
    table: 'teams',
    definitions: GROUP_DEFINITIONS,
    attributes: {
      displayName: 'name',
      members: {
        table: 'seats',
        on: { team_id: 'id' },
        columns: { value: 'person_id' },
        target: { table: 'people', id: 'id' },
      },
    },
  })
  const { fetch } = createScimEndpoint<Client>({
    basePath: '/scim/v2',
    resourceTypes: [
      defineResourceType({ name: 'User', endpoint: '/Users', store: users }),
      defineResourceType({ name: 'Group', endpoint: '/Groups', store: groups }),
    ],
    transaction: (context, work) => work(context),
    authenticate: async () => ({ org: 1 }),
    onChange: Object.assign<OnChange<Client>, object>(
      async (changes, write) => {
        for (const change of changes) if ('added' in change) added.push(...change.added)
        await access.onChange(changes, write)
      },
      { requireTypes: access.onChange.requireTypes },
    ),
  })
  const send = sender(fetch)
  const { body: ada } = await send('POST', '/Users', { userName: 'ada' })
  const { body: group } = await send('POST', '/Groups', { displayName: 'g' })
  const value = [{ value: ada.id.toUpperCase() }]
  const add = patchOf({ op: 'add', path: 'members', value })
  expect((await send('PATCH', `/Groups/${group.id}`, add)).status).toBe(204)
  expect([added, stored.get(ada.id)?.grants.length]).toEqual([[ada.id], 1])
  await close()
})
