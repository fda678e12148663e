import { DatabaseSync } from 'node:sqlite'
import { GROUP_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { createScimEndpoint, defineResourceType } from '@plumbline/scim/endpoint'
import { type AttributeEntry, type Execute, sqlStore } from '@plumbline/scim/sql'
import { describe, expect, it } from 'vitest'
import type { SchemaDefinition } from '../../src/lib/schema/types.ts'
import { patchOf, type Send, sender } from '../endpoint/serve.ts'
import { definitions, serve, userName } from './people.ts'

describe('a map entry', () => {
  it('a whole attribute is stored as JSON, and filtered in memory', async () => {
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

  it('sorting ignores letter case although the column distinguishes it (RFC 7644 §3.4.2.3)', async () => {
    const { send } = serve('nick text', {
      attributes: { ...userName, nickName: { column: 'nick', caseExact: true } },
    })
    for (const [name, nickName] of Object.entries({ a: 'y', b: 'X', c: 'Z' })) {
      await send('POST', '/Users', { userName: name, nickName })
    }
    const { body } = await send('GET', '/Users?sortBy=nickName')
    expect(body.Resources.map((user) => user.userName)).toEqual(['b', 'a', 'c'])
  })

  it('a string is stored as JSON, and sorted in memory', async () => {
    const { send } = serve('nick text', {
      attributes: { ...userName, nickName: { column: 'nick', type: 'json' } },
    })
    for (const [name, nickName] of Object.entries({ a: 'y', b: 'X' })) {
      await send('POST', '/Users', { userName: name, nickName })
    }
    const { body } = await send('GET', '/Users?sortBy=nickName')
    expect(body.Resources.map((user) => user.userName)).toEqual(['b', 'a'])
  })

  it('a value without a column is rejected in every write, even if no column changes', async () => {
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

  it('values in another form are encoded and decoded', async () => {
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

  it('an unassigned value is not encoded', async () => {
    const { send, database } = serve('nick text', {
      attributes: {
        ...userName,
        nickName: { column: 'nick', encode: (value) => `<${value}>`, decode: String },
      },
    })
    await send('POST', '/Users', { userName: 'a' })
    expect(database.prepare('select nick from people').get()).toEqual({ nick: null })
  })

  it('decimal numbers are compared as numbers', async () => {
    const text = { multiValued: false, required: false } as const
    const attributes = [
      { ...text, name: 'userName', type: 'string' },
      { ...text, name: 'score', type: 'decimal' },
    ] as const
    const { send, database } = serve('score real', {
      definitions: { [USER_DEFINITION.id]: { ...USER_DEFINITION, attributes } },
      attributes: { ...userName, score: 'score' },
    })
    database.exec("insert into people values ('1', 'a', 1.5), ('2', 'b', 10.25)")
    const filter = encodeURIComponent('score gt 2.5')
    expect((await send('GET', `/Users?filter=${filter}`)).body).toMatchObject({
      Resources: [{ userName: 'b', score: 10.25 }],
    })
  })

  it('a folded value is stored, and an ordinary index serves it', async () => {
    const { send } = serve('nick text', {
      attributes: { ...userName, nickName: { column: 'nick', folded: true } },
    })
    const { body } = await send('POST', '/Users', { userName: 'a', nickName: 'ÉVA' })
    expect(body.nickName).toBe('éva')
    const found = await send('GET', `/Users?filter=${encodeURIComponent('nickName sw "ÉV"')}`)
    expect(found.body.totalResults).toBe(1)
  })

  it('an unassigned attribute has a default, and active has true', async () => {
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
    ['milliseconds', { type: 'dateTime', format: 'milliseconds' }, /^\d{13}$/],
    ['seconds', { type: 'dateTime', format: 'seconds' }, /^\d{10}$/],
    ['strings', { type: 'dateTime', format: 'text' }, /^[\d-]{10}T[\d:]{8}\.\d{3}Z$/],
    ['the timestamps of the database', {}, /^[\d-]{10} [\d:]{8}\.\d{3}$/],
  ] as const)('instants are stored as %s', async (_, format, stored) => {
    const { send, database } = serve('created', {
      attributes: { ...userName, 'meta.created': { column: 'created', ...format } },
    })
    const { body } = await send('POST', '/Users', { userName: 'a' })
    expect(Math.abs(Date.parse(body.meta.created) - Date.now())).toBeLessThan(60_000)
    expect(String(database.prepare('select created from people').get()?.created)).toMatch(stored)
    const filter = encodeURIComponent(`meta.created eq "${body.meta.created}"`)
    expect((await send('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(1)
    expect((await send('GET', '/Users?sortBy=meta.created')).body.totalResults).toBe(1)
  })
})

describe("a store's hooks", () => {
  it('hooks read a computed attribute, and write further columns', async () => {
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
    const stored = () => database.prepare('select search from people').get()
    expect(stored()).toEqual({ search: 'found by b' })
    // A hook may also write values that do not depend on the resource.
    database.exec("update people set search = 'old'")
    await send('PUT', `/Users/${body.id}`, { userName: 'b' })
    expect(stored()).toEqual({ search: 'found by b' })
  })

  it('hooks delete softly, and create rows in other tables', async () => {
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

it('a search reading more candidates than the limit is rejected', async () => {
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

  it('a partly translated filter may read as many candidates as the limit', async () => {
    const send = await fill(2, ['é1', 'é2'])
    expect((await send('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(2)
  })

  it.each([
    ['ordered by id', '&sortBy=id'],
    ['by name', '&sortBy=userName'],
    ['by name, descending', '&sortBy=userName&sortOrder=descending'],
    ['without an order', ''],
  ])(
    'a partly translated filter finds each user once on cursor pages, %s (RFC 9865 §2)',
    async (_, order) => {
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
    },
  )

  it('cursor pages find users behind many candidates without a match', async () => {
    const { send, database } = serve('first text', { attributes: userName })
    for (let at = 0; at < 401; at += 1) {
      const name = at % 200 === 0 ? `é${at}` : `e${at}é`
      database.prepare('insert into people (id, login) values (?, ?)').run(1000 + at, name)
    }
    expect(await pages(send, `filter=${filter}&count=2`)).toEqual([['é0', 'é200'], ['é400']])
  })

  it('a uniqueness filter is finished in memory before a name is taken (RFC 7643 §4.1.1)', async () => {
    const send = await fill(10, ['é1', 'á1'])
    expect((await send('GET', '/Users')).body.totalResults).toBe(2)
    expect((await send('POST', '/Users', { userName: 'É1' })).status).toBe(409)
  })

  it.each([
    ['schemas eq "urn:ietf:params:scim:schemas:core:2.0:User"', 2],
    ['meta.resourceType eq "User"', 2],
    ['meta.resourceType ne "User"', 0],
    ['meta.location ew "/Users/none"', 0],
    ['meta.location co "/Users/"', 2],
  ])(
    'cursor pages evaluate attributes the endpoint adds: %s (RFC 7643 §3.1)',
    async (text, count) => {
      const send = await fill(10, ['a', 'b'])
      const named = `filter=${encodeURIComponent(text)}`
      for (const order of ['', '&sortBy=userName', '&sortBy=meta.location']) {
        expect((await pages(send, `${named}&count=5${order}`)).flat()).toHaveLength(count)
      }
    },
  )

  it('a cursor page without a filter is not limited to candidates', async () => {
    const send = await fill(3, ['a', 'b', 'c', 'd'])
    expect(await pages(send, 'count=3')).toHaveLength(2)
  })
})

describe('list order', () => {
  it.each([
    [2, ['é0', 'É1']],
    [1, ['É1', 'é0']],
  ])(
    'letters the database does not fold are sorted in memory for %i candidates',
    async (candidates, names) => {
      const { send } = serve('first text', { attributes: userName, candidates })
      for (const name of ['É1', 'é0']) await send('POST', '/Users', { userName: name })
      const { body } = await send('GET', '/Users?sortBy=userName')
      expect(body.Resources.map((user) => user.userName)).toEqual(names)
    },
  )

  it.each([
    ['ascending', ['b', 'c', 'd', 'a']],
    ['descending', ['a', 'd', 'c', 'b']],
  ])('unassigned and empty values are at the end, %s (RFC 7644 §3.4.2.3)', async (order, names) => {
    const { send, database } = serve('called text', {
      attributes: { ...userName, nickName: { column: 'called', folded: true } },
    })
    const insert = database.prepare('insert into people values (?, ?, ?)')
    for (const [id, called] of [
      ['a', ''],
      ['b', 'x'],
      ['c', 'y'],
      ['d', null],
    ] as const)
      insert.run(id, id, called)
    const { body } = await send('GET', `/Users?sortBy=nickName&sortOrder=${order}`)
    expect(body.Resources.map(({ id }) => id)).toEqual(names)
  })
})

describe('a map for other definitions', () => {
  const plain = { multiValued: false, required: false } as const
  const badge: SchemaDefinition = {
    id: 'urn:x:Badge',
    name: 'Badge',
    attributes: [
      { ...plain, name: 'code', type: 'string', uniqueness: 'server', caseExact: true },
      { ...plain, name: 'doors', type: 'string', multiValued: true },
      {
        ...plain,
        name: 'owner',
        type: 'complex' as const,
        required: true,
        subAttributes: [{ ...plain, name: 'id', type: 'string' }],
      },
    ],
  }
  const common = { dialect: 'sqlite', definitions: { [badge.id]: badge }, id: 'id' } as const
  const attributes = {
    code: 'code',
    'owner.id': 'owner',
    doors: { table: 'doors', on: { badge: 'id' }, columns: { value: 'door' } },
  }

  it.each<[string, AttributeEntry]>([
    ['as the type says', 'code'],
    ['without regard to letter case', { column: 'code', caseExact: false }],
  ])(
    "unique values have the definitions' letter case, and lists hold strings: a column compared %s",
    async (_, code) => {
      const database = new DatabaseSync(':memory:')
      database.exec('create table badges (id text, code text, owner text)')
      database.exec('create table doors (badge text, door text)')
      const execute: Execute<unknown> = (sql, values) =>
        database.prepare(sql).all(...(values as never[]))
      const store = sqlStore<unknown>({
        ...common,
        execute,
        table: 'badges',
        attributes: { ...attributes, code },
      })
      const { fetch } = createScimEndpoint<object>({
        basePath: '/scim/v2',
        resourceTypes: [
          defineResourceType({
            name: 'Badge',
            endpoint: '/Badges',
            definitions: store.definitions,
            store,
          }),
        ],
        authenticate: async () => ({}),
        transaction: (context, work) => work(context),
      })
      const send = sender(fetch)
      const schemas = [badge.id]
      const owner = { id: 'o' }
      const doors = ['north', 'south']
      const first = await send('POST', '/Badges', { schemas, code: 'a', owner, doors })
      expect(first).toMatchObject({ status: 201, body: { code: 'a', owner, doors } })
      const other = await send('POST', '/Badges', { schemas, code: 'A', owner })
      expect(other.status).toBe(201)
      expect(await send('POST', '/Badges', { schemas, code: 'a', owner })).toMatchObject({
        status: 409,
        body: { detail: 'code is already taken', scimType: 'uniqueness' },
      })
    },
  )

  it.each([
    ['integer', 'integer', 7, 8],
    ['decimal', 'real', 1.5, 2.5],
    ['dateTime', 'text', '2026-01-31T12:00:00Z', '2026-01-31T12:00:01Z'],
  ] as const)(
    'values with the type %s are unique, and any number may be unassigned',
    async (type, column, used, free) => {
      const serial = { ...plain, name: 'serial', type, uniqueness: 'server' } as const
      const name = { ...plain, name: 'userName', type: 'string' } as const
      const { send } = serve(`serial ${column}`, {
        definitions: {
          [USER_DEFINITION.id]: { ...USER_DEFINITION, attributes: [name, serial] },
        },
        attributes: { ...userName, serial: 'serial' },
      })
      const create = (values: object) => send('POST', '/Users', { userName: 'a', ...values })
      expect((await create({})).status).toBe(201)
      expect((await create({})).status).toBe(201)
      const first = await create({ serial: used })
      expect(first.status).toBe(201)
      expect((await create({ serial: free })).status).toBe(201)
      expect(await create({ serial: used })).toMatchObject({
        status: 409,
        body: { detail: 'serial is already taken', scimType: 'uniqueness' },
      })
      const path = `/Users/${first.body.id}`
      expect((await send('PUT', path, { userName: 'b', serial: used })).status).toBe(200)
      expect((await send('PUT', path, { userName: 'b', serial: free })).status).toBe(409)
    },
  )

  it('a write that keeps a unique value does not search for it', async () => {
    const { send, statements } = serve('nick text', {
      attributes: { ...userName, nickName: 'nick' },
    })
    const { body } = await send('POST', '/Users', { userName: 'a' })
    const before = statements.length
    await send('PUT', `/Users/${body.id}`, { userName: 'a', nickName: 'b' })
    const searches = statements.slice(before).filter((one) => /where.*login/.test(one))
    expect(searches).toEqual([])
    await send('PUT', `/Users/${body.id}`, { userName: 'b', nickName: 'b' })
    expect(statements.filter((one) => /where.*login/.test(one))).not.toEqual([])
  })

  it.each<[string, AttributeEntry]>([
    ['as JSON', { column: 'badge', type: 'json' }],
    ['in another form', { column: 'badge', encode: (badge) => `#${badge}`, decode: () => '1' }],
  ])('a unique value that is stored %s is left to the database constraint', async (_, entry) => {
    const unique = { ...plain, name: 'badge', type: 'string', uniqueness: 'server' } as const
    const name = { ...plain, name: 'userName', type: 'string' } as const
    const { send } = serve('badge text unique', {
      definitions: { [USER_DEFINITION.id]: { ...USER_DEFINITION, attributes: [name, unique] } },
      attributes: { ...userName, badge: entry },
    })
    const create = (badge: string) => send('POST', '/Users', { userName: 'a', badge })
    expect((await create('1')).status).toBe(201)
    expect((await create('2')).status).toBe(201)
    expect(await create('1')).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
  })

  it('each required attribute needs a mapped part', () => {
    const execute = () => []
    const options = { ...common, execute, table: 'badges' }
    expect(() => sqlStore({ ...options, attributes: { code: 'code' } })).toThrow(
      'Badge requires owner, which is not in the map',
    )
    expect(() => sqlStore({ ...options, attributes: { 'owner.id': 'owner' } })).not.toThrow()
  })

  it('extensions the store does not keep are not served', () => {
    const both = { [USER_DEFINITION.id]: USER_DEFINITION, [badge.id]: badge }
    const options = { ...common, definitions: both, execute: () => [], table: 'people' }
    const urns = (map: Record<string, string>) =>
      Object.keys(sqlStore({ ...options, attributes: { ...userName, ...map } }).definitions)
    expect(urns({})).toEqual([USER_DEFINITION.id])
    expect(urns({ [`${badge.id}:code`]: 'code' })).toEqual([USER_DEFINITION.id, badge.id])
  })
})

it("a value without a type is stored in the attribute's only column, not in one of two", async () => {
  const mobile = { 'phoneNumbers[mobile].value': 'mobile' }
  const phoneNumbers = [{ value: '1' }]
  const one = serve('mobile text', { attributes: { ...userName, ...mobile } })
  expect(await one.send('POST', '/Users', { userName: 'a', phoneNumbers })).toMatchObject({
    status: 201,
    body: { phoneNumbers: [{ value: '1', type: 'mobile' }] },
  })
  const both = { ...mobile, 'phoneNumbers[work].value': 'work' }
  const two = serve('mobile text, work text', { attributes: { ...userName, ...both } })
  expect(await two.send('POST', '/Users', { userName: 'a', phoneNumbers })).toMatchObject({
    status: 400,
    body: { scimType: 'invalidValue' },
  })
})

it("remaining members keep their rows, and a member id is stored in the database's spelling", async () => {
  const database = new DatabaseSync(':memory:')
  database.exec(`create table teams (id text, name text, revision integer default 1);
    create table people (id text, name text);
    create table seats (team text, person text, seat text default 'new');
    insert into people values ('p1', 'n1'), ('p2', 'n2'), ('p3', 'n3')`)
  const execute: Execute<unknown> = (sql, values) =>
    database.prepare(sql).all(...(values as never[]))
  const members = {
    table: 'seats',
    on: { team: 'id' },
    columns: { value: 'person' },
    // The tenant of the target is only compared if the store has a tenant.
    target: { table: 'people', id: 'id', type: 'User', display: 'name', tenant: 'org' },
  }
  const store = sqlStore<unknown>({
    execute,
    dialect: 'sqlite',
    table: 'teams',
    id: 'id',
    version: 'revision',
    definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION },
    attributes: { displayName: 'name', members },
  })
  const { fetch } = createScimEndpoint<object>({
    basePath: '/scim/v2',
    resourceTypes: [
      defineResourceType({
        name: 'Group',
        endpoint: '/Groups',
        definitions: store.definitions,
        store,
      }),
    ],
    authenticate: async () => ({}),
    transaction: (context, work) => work(context),
  })
  const send = sender(fetch)
  const group = (...ids: readonly string[]) => ({
    displayName: 'g',
    members: ids.map((value) => ({ value })),
  })
  const added = await send('POST', '/Groups', group('P1', 'p2'))
  const { body } = added
  const refs = ({ body: { members } }: typeof added) => members.map(({ $ref }) => $ref)
  const usersBase = body.meta.location.replace(/\/Groups\/.*/, '/Users')
  expect(refs(added)).toEqual([`${usersBase}/p1`, `${usersBase}/p2`])
  const stored = database.prepare('select person from seats order by person').all()
  expect(stored).toEqual([{ person: 'p1' }, { person: 'p2' }])
  const same = await send('PUT', `/Groups/${body.id}`, group('p2', 'P1'))
  expect(same.body.meta.version).toBe(body.meta.version)
  expect(refs(same)).toEqual(refs(added))
  database.exec("update seats set seat = 'old'")
  const changed = await send('PUT', `/Groups/${body.id}`, group('p2', 'p3'))
  expect(changed.body.meta.version).not.toBe(body.meta.version)
  expect(database.prepare('select person, seat from seats order by person').all()).toEqual([
    { person: 'p2', seat: 'old' },
    { person: 'p3', seat: 'new' },
  ])
  const { body: read } = await send('GET', `/Groups/${body.id}`)
  expect(read.members).toMatchObject([
    { value: 'p2', display: 'n2' },
    { value: 'p3', display: 'n3' },
  ])
  const others = [{ value: 'p1' }, { value: 'p2' }]
  const patch = patchOf({ op: 'replace', path: 'members', value: others })
  expect((await send('PATCH', `/Groups/${body.id}`, patch)).status).toBe(204)
  expect(database.prepare('select person, seat from seats order by person').all()).toEqual([
    { person: 'p1', seat: 'new' },
    { person: 'p2', seat: 'old' },
  ])
})

it('members in a table without a tenant belong to every tenant', async () => {
  const database = new DatabaseSync(':memory:')
  database.exec(`create table teams (id text, name text, org text);
    create table people (id text); create table seats (team text, person text);
    insert into people values ('p1')`)
  const store = sqlStore<{ readonly org: string }>({
    execute: (sql, values) => database.prepare(sql).all(...(values as never[])),
    dialect: 'sqlite',
    table: 'teams',
    id: 'id',
    tenant: { column: 'org', value: ({ org }) => org },
    definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION },
    attributes: {
      displayName: 'name',
      members: {
        table: 'seats',
        on: { team: 'id' },
        columns: { value: 'person' },
        target: { table: 'people', id: 'id', type: 'User' },
      },
    },
  })
  const { fetch } = createScimEndpoint<{ readonly org: string }>({
    basePath: '/scim/v2',
    resourceTypes: [
      defineResourceType({
        name: 'Group',
        endpoint: '/Groups',
        definitions: store.definitions,
        store,
      }),
    ],
    authenticate: async () => ({ org: 'acme' }),
    transaction: (context, work) => work(context),
  })
  const group = { displayName: 'g', members: [{ value: 'P1' }] }
  const { status, body } = await sender(fetch)('POST', '/Groups', group)
  expect(status).toBe(201)
  expect(body.members).toMatchObject([{ value: 'p1', type: 'User' }])
})

describe('the values on a page', () => {
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

  it('a page has at most 100,000 values: it ends before a user exceeds them', async () => {
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

  it('at most 100,000 values are on a page, without hiding users behind others filtered in memory', async () => {
    const send = fill([60_000, 60_000, 0])
    const filter = encodeURIComponent('userName sw "n2" and not (userName sw "é")')
    const found = await send('GET', `/Users?filter=${filter}&attributes=emails&cursor=`)
    expect(ids(found.body)).toEqual(['u2'])
  })

  it('one user with more values than the limit is rejected', async () => {
    const send = fill([100_001])
    expect(await send('GET', '/Users/u0')).toMatchObject({
      status: 400,
      body: { scimType: 'tooMany', detail: 'emails has too many values' },
    })
    expect((await send('GET', '/Users/u0?attributes=userName')).status).toBe(200)
  })
})

describe('a map that does not fit the definitions', () => {
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
      'an attribute written but not readable',
      {
        ...options,
        attributes: { ...userName, nickName: { column: 'n', encode: () => 'x' } },
      },
      'nickName is returned, so it requires decode',
    ],
    [
      'an unknown part in a value',
      {
        ...group,
        attributes: { displayName: 'n', members: { ...members, columns: { size: 's' } } },
      },
      'members.size',
    ],
    [
      'a value for a complex attribute without one',
      {
        ...options,
        attributes: { ...userName, addresses: { ...members, columns: { value: 'v' } } },
      },
      'the definitions do not contain addresses.value',
    ],
    [
      'values that do not name the id',
      {
        ...group,
        attributes: { displayName: 'n', members: { ...members, on: { group_id: 'key' } } },
      },
      'on must name the columns of the id',
    ],
  ])('a map throws a TypeError for %s', (_, invalid, message) => {
    expect(() => sqlStore(invalid)).toThrow(TypeError)
    expect(() => sqlStore(invalid)).toThrow(message)
  })
})

describe('the tenant', () => {
  const emails = {
    table: 'mails',
    on: { person: 'id', org: 'org' },
    columns: { value: { column: 'mail' }, type: 'kind' },
  }
  const filter = encodeURIComponent('emails[type eq "work"] and not (emails.value eq "b")')

  it('the tenant is a parameter in each selection, so a distributed database asks one node', async () => {
    const { send, database, statements } = serve('org integer', {
      attributes: { ...userName, emails },
      tenant: { column: 'org', value: () => 7 },
    })
    database.exec(`create table mails (person text, org integer, mail text, kind text);
      insert into people values ('1', 'a', 7), ('2', 'b', 8);
      insert into mails values ('1', 7, 'a', 'work'), ('2', 8, 'a', 'work'), ('1', 8, 'b', 'work')`)
    expect(await send('GET', `/Users?filter=${filter}`)).toMatchObject({
      body: { totalResults: 1, Resources: [{ id: '1', emails: [{ value: 'a', type: 'work' }] }] },
    })
    const searches = statements.filter((statement) => statement.includes('exists'))
    expect(searches.length).toBeGreaterThan(0)
    for (const statement of searches) {
      expect(statement).not.toContain('"element"."org" = "people"."org"')
      expect(statement.match(/"org" = \?/g)).toHaveLength(3)
    }
  })
})

describe('columns with a binary collation', () => {
  it.each([
    [false, true],
    [true, false],
  ])('isBinary: %s names a collation: %s', async (isBinary, isNamed) => {
    const { send, statements } = serve('nick text', {
      attributes: { ...userName, nickName: { column: 'nick', folded: true } },
      isBinary,
    })
    await send('POST', '/Users', { userName: 'a', nickName: 'X' })
    const query = `filter=${encodeURIComponent('nickName eq "x"')}&sortBy=nickName`
    expect((await send('GET', `/Users?${query}`)).body.totalResults).toBe(1)
    expect(statements.join().includes('collate')).toBe(isNamed)
  })
})
