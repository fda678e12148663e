import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import {
  GROUP_DEFINITIONS,
  patchOf,
  serve,
  USER_DEFINITIONS,
} from '../../../test/endpoint/serve.ts'
import type { ListRequest, WireResource } from '../endpoint/options/store.ts'
import { parseFilter } from '../filter/parse.ts'
import type { Attribute } from '../schema/types.ts'
import { createWorkBudget } from '../work-budget.ts'
import { memoryStore } from './store.ts'

const common = {
  base: 'https://example.com',
  signal: new AbortController().signal,
  budget: createWorkBudget(),
}
const view = { needs: () => true }
const reading = { ...common, view, isForUpdate: false, isWanted: () => true }
const listing: ListRequest = {
  ...common,
  view,
  filter: null,
  sortBy: null,
  sortOrder: 'ascending',
  startIndex: 1,
  count: 100,
  cursor: null,
  complete: (resource) => resource,
}

function open() {
  const groups = memoryStore({ definitions: GROUP_DEFINITIONS })
  const users = memoryStore({ definitions: USER_DEFINITIONS, groups })
  const create = (resource: WireResource) => users.create(resource, null, common)
  const replace = (current: WireResource, resource: WireResource) =>
    users.replace(String(current.id), resource, null, { ...common, current, view })
  return { groups, users, create, replace }
}

it('a stored resource does not change with the object the client sent, and is frozen', async () => {
  const { users, create } = open()
  const sent = { userName: 'a', name: { givenName: 'b' } }
  const created = await create(sent)
  sent.name.givenName = 'c'
  const read = await users.read(String(created.id), null, reading)
  expect(read).toMatchObject({ name: { givenName: 'b' } })
  expect(() => Object.assign(Object(read).name, { givenName: 'd' })).toThrow(TypeError)
})

it('only one user is created when many with the same name arrive together (RFC 7643 §7)', async () => {
  const { create } = open()
  const names = ['a', 'A', 'a', 'A']
  const settled = await Promise.allSettled(names.map((userName) => create({ userName })))
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

it('a name is free again after its user is renamed or deleted', async () => {
  const { users, create, replace } = open()
  const user = await create({ userName: 'a' })
  await replace(user, { userName: 'b' })
  const other = await create({ userName: 'A' })
  await expect(replace(user, { userName: 'a' })).rejects.toMatchObject({ status: 409 })
  expect(await users.delete(String(other.id), null, common)).toBe(true)
  expect(await users.delete(String(other.id), null, common)).toBe(false)
  expect(await replace(user, { userName: 'a' })).toMatchObject({ userName: 'a' })
})

it('a write without effect keeps the version and lastModified (RFC 7644 §3.5.2.1)', async () => {
  const { create, replace } = open()
  const user = await create({ userName: 'a', title: 'x' })
  expect(await replace(user, { title: 'x', userName: 'a' })).toEqual(user)
  expect(await replace(user, { userName: 'a' })).toMatchObject({ meta: { version: 'W/"2"' } })
})

it.each(['userName eq "U500"', 'externalId eq "e500"', 'title pr and userName eq "u500"'])(
  'the look-up %s does not read the other resources',
  async (filter) => {
    const { users, create } = open()
    for (let at = 0; at < 1_000; at += 1) {
      await create({ userName: `u${at}`, externalId: `e${at}`, title: 't' })
    }
    const answer = await users.list(null, { ...listing, filter: unwrap(parseFilter(filter)) })
    expect(answer.resources).toMatchObject([{ userName: 'u500' }])
    const all = await users.list(null, {
      ...listing,
      filter: unwrap(parseFilter('title eq "u500"')),
    })
    expect(all.resources).toHaveLength(1_000)
  },
)

it('a look-up finds the other resource after one with the same value is deleted', async () => {
  const { users, create } = open()
  const first = await create({ userName: 'a', externalId: 'e' })
  await create({ userName: 'b', externalId: 'e' })
  await users.delete(String(first.id), null, common)
  const filter = unwrap(parseFilter('externalId eq "e"'))
  const { resources } = await users.list(null, { ...listing, filter })
  expect(resources).toMatchObject([{ userName: 'b' }])
})

it('looking up an absent value is not a look-up (RFC 7643 §2.5: null is unassigned)', async () => {
  const { users, create } = open()
  await create({ userName: 'a', externalId: 'e' })
  await create({ userName: 'b' })
  const filter = unwrap(parseFilter('externalId eq null'))
  const { resources } = await users.list(null, { ...listing, filter })
  expect(resources).toContainEqual(expect.objectContaining({ userName: 'b' }))
})

it('a look-up by id reads one resource', async () => {
  const { users, create } = open()
  const [first] = [await create({ userName: 'a' }), await create({ userName: 'b' })]
  const filter = unwrap(parseFilter(`id eq "${first?.id}"`))
  const answer = await users.list(null, { ...listing, filter })
  expect(answer.resources).toMatchObject([{ userName: 'a' }])
})

it('look-ups joined by or read the resources for each', async () => {
  const { users, create } = open()
  for (const userName of ['a', 'b', 'c']) await create({ userName })
  const filter = unwrap(parseFilter('userName eq "c" or userName eq "a" or userName eq "A"'))
  const { resources } = await users.list(null, { ...listing, filter })
  expect(resources).toMatchObject([{ userName: 'c' }, { userName: 'a' }])
})

it.each([
  'userName eq "a" or displayName eq "b"',
  'userName ne "a"',
  'not (userName eq "a")',
  'unknown eq "a"',
])('the filter %s is not a look-up: the store returns every possible match', async (text) => {
  const { users, create } = open()
  for (const userName of ['a', 'b', 'c']) await create({ userName })
  const answer = await users.list(null, { ...listing, filter: unwrap(parseFilter(text)) })
  expect(answer.resources).toHaveLength(3)
})

it('values that are not unique may repeat: externalId, names, and no value (RFC 7643 §7)', async () => {
  const { create } = open()
  const same = { externalId: 'e', name: { givenName: 'g', familyName: 'f' }, title: 't' }
  await create({ userName: 'a', ...same, emails: [{ value: 'a@x.com' }] })
  await create({ userName: 'b', ...same, emails: [{ value: 'a@x.com' }] })
  await expect(create({ userName: 'A' })).rejects.toMatchObject({
    status: 409,
    scimType: 'uniqueness',
    message: 'userName is already taken',
  })
})

it('unique values may be numbers, attribute parts, and absent', async () => {
  const plain = { multiValued: false, required: false }
  const attributes: readonly Attribute[] = [
    { ...plain, name: 'number', type: 'integer', uniqueness: 'server' },
    {
      ...plain,
      name: 'badge',
      type: 'complex' as const,
      subAttributes: [
        { ...plain, name: 'code', type: 'string', uniqueness: 'server' },
        { ...plain, name: 'color', type: 'string' },
        { ...plain, name: 'size', type: 'string', uniqueness: 'none' },
      ],
    },
  ]
  const definitions = { 'urn:x:Door': { id: 'urn:x:Door', name: 'Door', attributes } }
  const doors = memoryStore({ definitions })
  const create = (door: object) => doors.create({ ...door }, null, common)
  await create({})
  await create({})
  const same = { color: 'red', size: 'L' }
  await create({ number: 1, badge: { code: 'a', ...same } })
  const conflict = (name: string) => ({ status: 409, message: `${name} is already taken` })
  await expect(create({ number: 1 })).rejects.toMatchObject(conflict('number'))
  await expect(create({ badge: { code: 'A' } })).rejects.toMatchObject(conflict('code'))
  await create({ number: 2, badge: { code: 'b', ...same } })
})

it('a unique part may be named id, and an extension may have unique values', async () => {
  const plain = { multiValued: false, required: false, type: 'string' } as const
  const badge = { ...plain, name: 'badge', type: 'complex' } as const
  const parts = [{ ...plain, name: 'id', uniqueness: 'server' as const }]
  const door = { id: 'urn:x:Door', name: 'Door', attributes: [{ ...badge, subAttributes: parts }] }
  const lock = {
    id: 'urn:x:Lock',
    name: 'Lock',
    attributes: [{ ...plain, name: 'serial', uniqueness: 'server' as const }],
  }
  const doors = memoryStore({ definitions: { [door.id]: door, [lock.id]: lock } })
  const create = (values: WireResource) => doors.create(values, null, common)
  await create({})
  await create({})
  await create({ badge: { id: '7' }, [lock.id]: { serial: 's' } })
  for (const conflict of [{ badge: { id: '7' } }, { [lock.id]: { serial: 'S' } }]) {
    await expect(create(conflict)).rejects.toMatchObject({ status: 409 })
  }
  const filter = unwrap(parseFilter('badge.id eq "7"'))
  const { resources } = await doors.list(null, { ...listing, filter })
  expect(resources).toMatchObject([{ badge: { id: '7' } }])
})

it('a page without a filter and an order is read in creation order', async () => {
  const { users, create } = open()
  for (const userName of ['c', 'a', 'b']) await create({ userName })
  const answer = await users.list(null, { ...listing, startIndex: 2, count: 1 })
  expect(answer).toMatchObject({ totalResults: 3, resources: [{ userName: 'a' }] })
})

describe("a user's groups (RFC 7643 §4.1.2)", () => {
  it('groups follow the members', async () => {
    const { users, groups, create } = open()
    const { id } = await create({ userName: 'a' })
    const group = await groups.create({ displayName: 'g', members: [{ value: id }] }, null, common)
    const value = group.id
    const read = () => users.read(String(id), null, reading)
    expect(await read()).toMatchObject({ groups: [{ value, display: 'g', type: 'direct' }] })
    const current = group
    await groups.replace(String(value), { displayName: 'g' }, null, { ...common, current, view })
    expect(await read()).not.toHaveProperty('groups')
  })

  it('a user who leaves a group keeps the other groups in order', async () => {
    const { users, groups, create } = open()
    const { id } = await create({ userName: 'a' })
    const added: WireResource[] = []
    for (const displayName of ['g', 'h', 'i']) {
      added.push(await groups.create({ displayName, members: [{ value: id }] }, null, common))
    }
    const [first = {}, second = {}] = added
    const rename = { displayName: 'G', members: [{ value: id }] }
    const write = (current: WireResource, resource: WireResource) =>
      groups.replace(String(current.id), resource, null, { ...common, current, view })
    await write(first, rename)
    await write(second, { displayName: 'h' })
    const { groups: left } = Object(await users.read(String(id), null, reading))
    expect(left).toMatchObject([{ display: 'G' }, { display: 'i' }])
  })

  it('a deleted group disappears from the user, and from the groups containing it', async () => {
    const { groups } = open()
    const inner = await groups.create({ displayName: 'inner' }, null, common)
    const members = [{ value: inner.id }]
    const outer = await groups.create({ displayName: 'outer', members }, null, common)
    expect(groups.groupsOf(String(inner.id))).toMatchObject([{ display: 'outer' }])
    await groups.delete(String(inner.id), null, common)
    expect(await groups.read(String(outer.id), null, reading)).not.toHaveProperty('members')
    expect(groups.groupsOf(String(inner.id))).toEqual([])
  })

  it('a deleted user disappears from the groups, which then have another version', async () => {
    const { users, groups, create } = open()
    const { id } = await create({ userName: 'a' })
    const members = [{ value: id }, { value: 'x' }]
    const group = await groups.create({ displayName: 'g', members }, null, common)
    await users.delete(String(id), null, common)
    expect(await groups.read(String(group.id), null, reading)).toMatchObject({
      members: [{ value: 'x' }],
      meta: { version: 'W/"2"' },
    })
  })
})

describe('concurrent writes are isolated even if the transaction isolates nothing', () => {
  const transaction = <Context, Value>(
    context: Context,
    work: (context: Context) => Promise<Value>,
  ) => work(context)

  it.each([
    ['without onChange', {}],
    ['with onChange', { onChange: () => undefined }],
  ])('50 PATCHes that each add a member keep all 50, %s', async (_, options) => {
    const { send } = serve({ transaction, ...options })
    const { body } = await send('POST', '/Groups', { displayName: 'g' })
    const adding = Array.from({ length: 50 }, (_, at) => {
      const value = [{ value: `user ${at}` }]
      return send('PATCH', `/Groups/${body.id}`, patchOf({ op: 'add', path: 'members', value }))
    })
    expect(new Set((await Promise.all(adding)).map(({ status }) => status))).toEqual(new Set([200]))
    expect((await send('GET', `/Groups/${body.id}`)).body.members).toHaveLength(50)
  })

  it('20 deleted users do not return as members through PATCHes to their group', async () => {
    const { send } = serve({ transaction })
    const users = await Promise.all(
      Array.from({ length: 20 }, (_, at) => send('POST', '/Users', { userName: `${at}` })),
    )
    const members = users.map(({ body }) => ({ value: body.id }))
    const group = await send('POST', '/Groups', { displayName: 'g', members })
    const path = `/Groups/${group.body.id}`
    const writes = users.flatMap(({ body }, at) => [
      send('PATCH', path, patchOf({ op: 'replace', path: 'displayName', value: `${at}` })),
      send('DELETE', `/Users/${body.id}`),
    ])
    await Promise.all(writes)
    expect((await send('GET', path)).body).not.toHaveProperty('members')
  })

  it('only one creation succeeds for a value the profile requires to be unique', async () => {
    const profile = { patch: [], patchBody: [], query: [], unique: { User: ['nickName'] } }
    const { send } = serve({ transaction, profile })
    const names = Array.from({ length: 10 }, (_, at) => ({ userName: `${at}`, nickName: 'n' }))
    const created = await Promise.all(names.map((body) => send('POST', '/Users', body)))
    expect(created.filter(({ status }) => status === 201)).toHaveLength(1)
  })
})
