import { DatabaseSync } from 'node:sqlite'
import { GROUP_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { createScimEndpoint, defineResourceType } from '@plumbline/scim/endpoint'
import { type Execute, type SqlStoreOptions, sqlStore } from '@plumbline/scim/sql'
import { describe, expect, it } from 'vitest'
import { patchOf, type Send, sender } from '../../src/lib/endpoint/testing/serve.ts'

const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
const userName = { userName: 'login' }

/** Serves users from the table `people`, which has the columns of a statement. */
function serve(
  columns: string,
  options: Pick<SqlStoreOptions<unknown>, 'attributes'> & Partial<SqlStoreOptions<unknown>>,
): { readonly send: Send; readonly database: DatabaseSync } {
  const database = new DatabaseSync(':memory:')
  database.exec(`create table people (id text primary key, login text, ${columns})`)
  const execute: Execute<unknown> = (sql, values) =>
    database.prepare(sql).all(...(values as never[]))
  const common = { execute, dialect: 'sqlite', definitions, table: 'people', id: 'id' } as const
  const store = sqlStore<unknown>({ ...common, ...options })
  const { fetch } = createScimEndpoint<unknown>({
    basePath: '/scim/v2',
    resourceTypes: [
      defineResourceType({
        name: 'User',
        endpoint: '/Users',
        definitions: store.definitions,
        store,
      }),
    ],
    authenticate: async () => ({}),
    onError: (error) => console.error(error),
  })
  return { send: sender(fetch), database }
}

describe('an entry of the map', () => {
  it('stores a whole attribute as JSON, and filters it in memory', async () => {
    const { send } = serve('phones text', {
      attributes: { ...userName, phoneNumbers: { column: 'phones', type: 'json' } },
    })
    const phoneNumbers = [{ value: '1', type: 'work' }, { value: '2' }]
    const created = await send('POST', '/Users', { userName: 'a', phoneNumbers })
    expect(created).toMatchObject({ status: 201, body: { phoneNumbers } })
    const filter = encodeURIComponent('phoneNumbers[type eq "work" and value eq "1"]')
    expect((await send('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(1)
    const path = 'phoneNumbers[type eq "work"]'
    const patched = await send(
      'PATCH',
      `/Users/${created.body.id}`,
      patchOf({ op: 'remove', path }),
    )
    expect(patched.body.phoneNumbers).toEqual([{ value: '2' }])
  })

  it('rejects a value without a column in every write, also if no column changes', async () => {
    const { send } = serve('mobile text', {
      attributes: { ...userName, 'phoneNumbers[mobile].value': 'mobile' },
    })
    const { body } = await send('POST', '/Users', { userName: 'a' })
    const path = `/Users/${body.id}`
    const phoneNumbers = [{ type: 'work', value: '1' }]
    const place = 'phoneNumbers[type eq "work"].value'
    for (const answer of [
      await send('POST', '/Users', { userName: 'b', phoneNumbers }),
      await send('PUT', path, { userName: 'a', phoneNumbers }),
      await send('PATCH', path, patchOf({ op: 'add', path: place, value: '1' })),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    }
  })

  it('encodes and decodes values of another form', async () => {
    const { send, database } = serve('status text', {
      attributes: {
        ...userName,
        active: {
          column: 'status',
          encode: (value) => (value === true ? 'on' : 'off'),
          decode: (stored) => stored === 'on',
        },
      },
    })
    const { body } = await send('POST', '/Users', { userName: 'a', active: false })
    expect(body.active).toBe(false)
    expect(database.prepare('select status from people').get()).toEqual({ status: 'off' })
    const found = await send('GET', '/Users?filter=active%20eq%20false')
    expect(found.body.totalResults).toBe(1)
  })

  it('stores a folded value, which an ordinary index serves', async () => {
    const { send } = serve('nick text', {
      attributes: { ...userName, nickName: { column: 'nick', folded: true } },
    })
    const { body } = await send('POST', '/Users', { userName: 'a', nickName: 'ÉVA' })
    expect(body.nickName).toBe('éva')
    const found = await send('GET', `/Users?filter=${encodeURIComponent('nickName sw "ÉV"')}`)
    expect(found.body.totalResults).toBe(1)
  })

  it('has a default for an unassigned attribute, and active has true', async () => {
    const { send } = serve(
      "is_on boolean not null default false, lang text not null default 'de'",
      {
        attributes: {
          ...userName,
          active: 'is_on',
          preferredLanguage: { column: 'lang', default: 'en' },
        },
      },
    )
    const created = await send('POST', '/Users', { userName: 'a' })
    expect(created.body).toMatchObject({ active: true, preferredLanguage: 'en' })
    const put = await send('PUT', `/Users/${created.body.id}`, { userName: 'a' })
    expect(put.body).toMatchObject({ active: true, preferredLanguage: 'en' })
  })

  it.each([
    ['milliseconds', { type: 'dateTime', format: 'milliseconds' }, 'number'],
    ['seconds', { type: 'dateTime', format: 'seconds' }, 'number'],
    ['strings', { type: 'dateTime', format: 'text' }, 'string'],
    ['the timestamps of the database', {}, 'string'],
  ] as const)('stores instants as %s', async (_, format, type) => {
    const { send, database } = serve('created', {
      attributes: { ...userName, 'meta.created': { column: 'created', ...format } },
    })
    const { body } = await send('POST', '/Users', { userName: 'a' })
    expect(Math.abs(Date.parse(body.meta.created) - Date.now())).toBeLessThan(60_000)
    expect(typeof database.prepare('select created from people').get()?.created).toBe(type)
    const filter = encodeURIComponent(`meta.created eq "${body.meta.created}"`)
    expect((await send('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(1)
    expect((await send('GET', '/Users?sortBy=meta.created')).body.totalResults).toBe(1)
  })
})

describe('the hooks of a store', () => {
  it('read a computed attribute, and write further columns', async () => {
    const { send, database } = serve('first text, search text', {
      attributes: { ...userName, 'name.givenName': 'first' },
      select: ['search'],
      computed: ['displayName'],
      hooks: {
        read: ({ search }) => ({ displayName: String(search) }),
        write: (resource) => ({ search: `found by ${resource.userName}` }),
      },
    })
    const { body } = await send('POST', '/Users', { userName: 'a' })
    expect(body.displayName).toBe('found by a')
    await send('PUT', `/Users/${body.id}`, { userName: 'b' })
    expect(database.prepare('select search from people').get()).toEqual({ search: 'found by b' })
  })

  it('delete softly, and create rows in other tables', async () => {
    const created: string[] = []
    const { send, database } = serve('deleted_at text', {
      attributes: userName,
      where: { deleted_at: null },
      hooks: {
        created: (_, { id }) => created.push(id),
        delete: ({ id }) =>
          database.prepare("update people set deleted_at = 'now' where id = ?").run(id),
      },
    })
    const { body } = await send('POST', '/Users', { userName: 'a' })
    expect(created).toEqual([body.id])
    expect(await send('DELETE', `/Users/${body.id}`)).toMatchObject({ status: 204 })
    expect(await send('GET', `/Users/${body.id}`)).toMatchObject({ status: 404 })
    expect(database.prepare('select count(*) as n from people').get()).toEqual({ n: 1 })
    expect(await send('POST', '/Users', { userName: 'A' })).toMatchObject({ status: 201 })
  })
})

it('rejects a search that would read more candidates than the limit', async () => {
  const { send } = serve('first text', { attributes: userName, candidates: 2 })
  for (const name of ['é1', 'é2', 'é3']) await send('POST', '/Users', { userName: name })
  const filter = encodeURIComponent('userName sw "é"')
  const tooMany = { status: 400, body: { scimType: 'tooMany' } }
  expect(await send('GET', `/Users?filter=${filter}`)).toMatchObject(tooMany)
  expect(await send('GET', '/Users?sortBy=userName')).toMatchObject({ status: 200 })
})

describe('a map that does not fit the definitions throws a TypeError', () => {
  const options = {
    execute: () => [],
    dialect: 'sqlite',
    definitions,
    table: 'people',
    id: 'id',
  } as const
  const group = { ...options, definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION } }
  const members = { table: 'm', on: { group_id: 'id' }, columns: { value: 'user_id' } }

  it.each([
    [
      'an unknown attribute',
      { ...options, attributes: { ...userName, shoeSize: 'size' } },
      'shoeSize',
    ],
    [
      'a missing attribute that is required',
      { ...options, attributes: {} },
      'User requires userName',
    ],
    [
      'an unknown computed attribute',
      { ...options, attributes: userName, computed: ['x'] },
      'contain x',
    ],
    [
      'an unknown part of a value',
      {
        ...group,
        attributes: { displayName: 'n', members: { ...members, columns: { size: 's' } } },
      },
      'members.size',
    ],
    [
      'values that do not name the id',
      {
        ...group,
        attributes: { displayName: 'n', members: { ...members, on: { group_id: 'key' } } },
      },
      'on must name the columns of the id',
    ],
  ])('%s', (_, invalid, message) => {
    expect(() => sqlStore(invalid)).toThrow(TypeError)
    expect(() => sqlStore(invalid)).toThrow(message)
  })
})
