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

describe('a filter that SQL does not translate exactly', () => {
  const filter = encodeURIComponent('userName sw "é"')
  const fill = async (candidates: number, names: readonly string[]) => {
    const { send } = serve('first text', { attributes: userName, candidates })
    for (const name of names) await send('POST', '/Users', { userName: name })
    return send
  }
  const namesIn = (resources: readonly { readonly userName: string }[] = []) =>
    resources.map(({ userName }) => userName)

  /** The names on each page by cursor. */
  async function pages(send: Send, query: string): Promise<readonly (readonly string[])[]> {
    const found: string[][] = []
    for (let cursor = ''; found.length < 20; ) {
      const { body } = await send('GET', `/Users?${query}&cursor=${cursor}`)
      found.push(namesIn(body.Resources))
      if (body.nextCursor === undefined) break
      cursor = encodeURIComponent(body.nextCursor)
    }
    return found
  }

  it('may read as many candidates as the limit', async () => {
    const send = await fill(2, ['é1', 'é2'])
    expect((await send('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(2)
  })

  it.each([
    ['in the order of ids', '&sortBy=id'],
    ['by name', '&sortBy=userName'],
    ['by name, descending', '&sortBy=userName&sortOrder=descending'],
    ['without an order', ''],
  ])('finds each user once on pages by cursor, %s (RFC 9865 §2)', async (_, order) => {
    const names = ['é1', 'a', 'é2', 'b', 'é3', 'é4', 'c', 'é5']
    const send = await fill(10_000, names)
    const found = await pages(send, `filter=${filter}&count=2${order}`)
    expect(found.map((page) => page.length)).toEqual([2, 2, 1])
    const wanted = ['é1', 'é2', 'é3', 'é4', 'é5']
    expect(found.flat().sort()).toEqual(wanted)
    if (order.includes('userName')) {
      const isDescending = order.includes('descending')
      expect(found.flat()).toEqual(isDescending ? [...wanted].reverse() : wanted)
    }
    const all = await pages(send, `count=3${order}`)
    expect(all.map((page) => page.length)).toEqual([3, 3, 2])
    expect(all.flat().sort()).toEqual([...names].sort())
  })

  it('does not limit a page by cursor without a filter', async () => {
    const send = await fill(3, ['a', 'b', 'c', 'd'])
    expect(await pages(send, 'count=3')).toHaveLength(2)
  })
})

describe('the values of a page', () => {
  const emails = { table: 'mails', on: { person: 'id' }, columns: { value: 'mail' } }
  /** Serves users with as many e-mail addresses. */
  function fill(counts: readonly number[]): Send {
    const { send, database } = serve('first text', { attributes: { ...userName, emails } })
    database.exec('create table mails (person text, mail text)')
    for (const [at, count] of counts.entries()) {
      database.prepare('insert into people (id, login) values (?, ?)').run(`u${at}`, `n${at}`)
      database.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
        insert into mails select 'u${at}', i || '@x' from n where ${count} > 0`)
    }
    return send
  }
  const ids = (body: { readonly Resources: readonly { readonly id: string }[] }) =>
    body.Resources.map(({ id }) => id)

  it('are at most 100,000: a page ends before the user that would exceed them', async () => {
    const send = fill([60_000, 40_000, 1, 0])
    const first = await send('GET', '/Users?attributes=emails')
    expect(first.body).toMatchObject({ totalResults: 4, itemsPerPage: 2 })
    expect(ids((await send('GET', '/Users?attributes=emails&startIndex=3')).body)).toEqual([
      'u2',
      'u3',
    ])
    const paged = await send('GET', '/Users?attributes=emails&cursor=')
    expect(ids(paged.body)).toEqual(['u0', 'u1'])
    const cursor = encodeURIComponent(paged.body.nextCursor)
    const next = await send('GET', `/Users?attributes=emails&cursor=${cursor}`)
    expect(ids(next.body)).toEqual(['u2', 'u3'])
    expect(ids((await send('GET', '/Users?attributes=userName')).body)).toHaveLength(4)
  })

  it('of one user are rejected if they are more', async () => {
    const send = fill([100_001])
    expect(await send('GET', '/Users/u0')).toMatchObject({
      status: 400,
      body: { scimType: 'tooMany', detail: 'emails has too many values' },
    })
    expect((await send('GET', '/Users/u0?attributes=userName')).status).toBe(200)
  })
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
