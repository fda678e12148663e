import { GROUP_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { type Execute, type Executed, type SqlStoreOptions, sqlStore } from '@plumbline/scim/sql'
import { describe, expect, it } from 'vitest'
import type { WireResource } from '../../src/lib/endpoint/options/store.ts'
import type { SchemaDefinition } from '../../src/lib/schema/types.ts'
import { createWorkBudget } from '../../src/lib/work-budget.ts'
import { patchOf } from '../endpoint/serve.ts'
import { definitions, serve, userName } from './people.ts'
import { groupOptions, userOptions } from './teams.ts'

describe('a PUT (RFC 7644 §3.5.1)', () => {
  const attributes = {
    ...userName,
    nickName: 'nick',
    title: 'title',
    password: { column: 'hash', encode: (value: unknown) => `hash of ${value}` },
    'meta.created': { column: 'created', type: 'dateTime', format: 'milliseconds' },
    'meta.lastModified': { column: 'changed', type: 'dateTime', format: 'milliseconds' },
  } as const
  const columns = 'nick text, title text, hash text, created, changed, revision integer'
  const sent = { userName: 'a', nickName: 'n', title: 't' }
  const unchanged = { nick: 'n', title: 't', hash: 'hash of p', revision: 1 }

  it.each([
    ['the same attributes', sent, unchanged],
    ['another attribute', { ...sent, title: 'u' }, { ...unchanged, title: 'u', revision: 2 }],
    ['an attribute less', { userName: 'a', title: 't' }, { ...unchanged, nick: null, revision: 2 }],
    ['a password', { ...sent, password: 'p' }, { ...unchanged, revision: 2 }],
  ])('a PUT with %s writes only the changes', async (_, changed, row) => {
    const { send, database } = serve(columns, { attributes, version: 'revision' })
    const { body } = await send('POST', '/Users', { ...sent, password: 'p' })
    database.exec('update people set created = 1, changed = 2')
    const put = await send('PUT', `/Users/${body.id}`, changed)
    expect(put.body.meta.version).toBe(`W/"${row.revision}"`)
    const stored = database.prepare('select * from people').get()
    expect(stored).toMatchObject({ ...row, created: 1 })
    expect(stored?.changed === 2).toBe(row.revision === 1)
  })

  it("a PUT replaces a value's parts, even if it has the same `value`", async () => {
    const emails = {
      table: 'mails',
      on: { person: 'id' },
      columns: { value: 'mail', type: 'label' },
    }
    const { send, database } = serve('revision integer', {
      attributes: { ...userName, emails },
      version: 'revision',
    })
    database.exec('create table mails (person text, mail text, label text)')
    const of = (type: string) => ({ userName: 'a', emails: [{ value: 'a@b', type }] })
    const { body } = await send('POST', '/Users', of('work'))
    const put = await send('PUT', `/Users/${body.id}`, of('home'))
    expect(put.body).toMatchObject({ ...of('home'), meta: { version: 'W/"2"' } })
    expect((await send('GET', `/Users/${body.id}`)).body).toMatchObject(of('home'))
  })

  it('a value without `value` is rejected if the column is not null', async () => {
    const emails = {
      table: 'mails',
      on: { person: 'id' },
      columns: { value: 'mail', type: 'label' },
    }
    const { send, database } = serve('revision integer', { attributes: { ...userName, emails } })
    database.exec('create table mails (person text, mail text not null, label text)')
    const sent = { userName: 'a', emails: [{ type: 'work' }] }
    expect(await send('POST', '/Users', sent)).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue' },
    })
  })

  it('a PUT clears a column shared with an attribute that is never returned', async () => {
    const { send, database } = serve('code text', {
      attributes: { ...userName, password: 'code', nickName: 'code' },
    })
    const codes = () => database.prepare('select code from people').all()
    const { body } = await send('POST', '/Users', { userName: 'a', nickName: 'n' })
    expect(codes()).toEqual([{ code: 'n' }])
    await send('PUT', `/Users/${body.id}`, { userName: 'a' })
    expect(codes()).toEqual([{ code: null }])
  })

  it("an unassigned attribute is null, and a new row's active is true", async () => {
    const { send, database } = serve('nick text, is_on boolean', {
      attributes: { ...userName, nickName: 'nick', active: 'is_on' },
    })
    const rows = () => database.prepare('select nick, is_on from people').all()
    const { body } = await send('POST', '/Users', { userName: 'a' })
    expect(rows()).toEqual([{ nick: null, is_on: 1 }])
    await send('PUT', `/Users/${body.id}`, { userName: 'a', nickName: 'n', active: false })
    expect(rows()).toEqual([{ nick: 'n', is_on: 0 }])
    await send('PUT', `/Users/${body.id}`, { userName: 'a' })
    expect(rows()).toEqual([{ nick: null, is_on: 0 }])
    await send('PATCH', `/Users/${body.id}`, patchOf({ op: 'remove', path: 'active' }))
    expect(rows()).toEqual([{ nick: null, is_on: null }])
  })
})

describe("a store's definitions", () => {
  const partsOf = (
    { [USER_DEFINITION.id]: user, [GROUP_DEFINITION.id]: group }: Record<string, SchemaDefinition>,
    attribute: string,
  ) =>
    (user ?? group)?.attributes
      .find(({ name }) => name === attribute)
      ?.subAttributes?.map(({ name, mutability, referenceTypes, canonicalValues }) => ({
        name,
        mutability,
        referenceTypes,
        canonicalValues,
      }))

  it("the definitions have a member's type and address, which a client does not write", () => {
    const { definitions: served } = sqlStore(groupOptions(() => [], 'sqlite'))
    expect(partsOf(served, 'members')).toMatchObject([
      { name: 'value', mutability: 'immutable' },
      { name: '$ref', mutability: 'readOnly', referenceTypes: ['User'] },
      { name: 'type', mutability: 'readOnly' },
    ])
  })

  it("the definitions have only a member's value if the type is not known", () => {
    const { attributes, ...options } = groupOptions(() => [], 'sqlite')
    const { table, on, columns } = Object(attributes.members)
    const members = { table, on, columns, target: { table: 'users', id: 'id' } }
    const store = sqlStore({ ...options, attributes: { ...attributes, members } })
    expect(partsOf(store.definitions, 'members')).toMatchObject([{ name: 'value' }])
  })

  it("the definitions have a member's name if it is read from another table", () => {
    const { attributes, ...options } = groupOptions(() => [], 'sqlite')
    const target = { table: 'users', id: 'id', display: 'email' }
    const members = { ...Object(attributes.members), target }
    const store = sqlStore({ ...options, attributes: { ...attributes, members } })
    expect(partsOf(store.definitions, 'members')).toMatchObject([
      { name: 'value', mutability: 'immutable' },
      { name: 'display', mutability: 'readOnly' },
    ])
  })

  it('the definitions have the types with a column', () => {
    const { definitions: served } = sqlStore(userOptions(() => [], 'sqlite'))
    const types = (attribute: string) =>
      partsOf(served, attribute)?.find(({ name }) => name === 'type')?.canonicalValues
    expect(types('phoneNumbers')).toEqual(['work', 'mobile'])
    expect(types('emails')).toEqual(['work'])
    expect(types('addresses')).toEqual(['work', 'home', 'other'])
  })

  it("the definitions keep a list's other parts unchanged", () => {
    const { definitions: served } = sqlStore(userOptions(() => [], 'sqlite'))
    const { [USER_DEFINITION.id]: user } = served
    const emails = user?.attributes.find(({ name }) => name === 'emails')?.subAttributes ?? []
    const standard = USER_DEFINITION.attributes.find(({ name }) => name === 'emails')
    for (const part of emails.filter(({ name }) => name !== 'type')) {
      expect(part).toEqual(standard?.subAttributes?.find(({ name }) => name === part.name))
    }
    expect(emails.length).toBeGreaterThan(1)
  })

  it("the definitions do not limit a single value's type, which may be anything", () => {
    const owner = {
      name: 'owner',
      type: 'complex' as const,
      subAttributes: ['id', 'type'].map((name) => ({ name, type: 'string' as const })),
    }
    const badge = { id: 'urn:x:Badge', name: 'Badge', attributes: [owner] }
    const store = sqlStore({
      execute: () => [],
      dialect: 'sqlite',
      table: 'badges',
      id: 'id',
      definitions: { [badge.id]: badge },
      attributes: { 'owner.id': 'owner', 'owner.type': 'kind' },
    })
    expect(store.definitions[badge.id]?.attributes).toMatchObject([owner])
    const [, type] = store.definitions[badge.id]?.attributes[0]?.subAttributes ?? []
    expect(type?.canonicalValues).toBeUndefined()
  })

  it('the definitions have the core schema, even if the map only has extension attributes', () => {
    const plain = { multiValued: false, required: false, type: 'string' } as const
    const thing = { id: 'urn:x:Thing', name: 'Thing', attributes: [{ ...plain, name: 'note' }] }
    const badge = {
      id: 'urn:x:Badge',
      name: 'Badge',
      attributes: [
        { ...plain, name: 'code' },
        { ...plain, name: 'owner', required: true },
      ],
    }
    const store = sqlStore({
      execute: () => [],
      dialect: 'sqlite',
      table: 'things',
      id: 'id',
      definitions: { [thing.id]: thing, [badge.id]: badge },
      attributes: { externalId: 'external', 'urn:x:Badge:code': 'code' },
    })
    // Only the core schema must be complete.
    expect(Object.keys(store.definitions)).toEqual([thing.id, badge.id])
  })
})

it.each([
  ['nickName', { column: 'text_1', caseExact: true }, ['a']],
  ['externalId', { column: 'text_1', caseExact: false }, ['a', 'A']],
  ['nickName', { column: 'text_1' }, ['a', 'A']],
  ['externalId', { column: 'text_1' }, ['a']],
  ['profileUrl', { column: 'text_1' }, ['a', 'A']],
  ['profileUrl', 'text_1', ['a', 'A']],
])('%s in %j has the values %j', async (name, entry, found) => {
  const { send, database } = serve('text_1 text', { attributes: { ...userName, [name]: entry } })
  database.exec("insert into people values ('1', 'n1', 'a'), ('2', 'n2', 'A')")
  const filter = encodeURIComponent(`${name} eq "a"`)
  const { body } = await send('GET', `/Users?filter=${filter}&sortBy=id`)
  const values = body.Resources.map((user: object) => Reflect.get(user, name))
  expect(values).toEqual(found)
})

it('each attribute has places for its own types', async () => {
  const { send } = serve('mail text, mobile text', {
    attributes: {
      ...userName,
      'emails[work].value': 'mail',
      'phoneNumbers[mobile].value': 'mobile',
    },
  })
  const work = [{ type: 'work', value: '1' }]
  const sent = await send('POST', '/Users', { userName: 'a', emails: work, phoneNumbers: work })
  expect(sent).toMatchObject({
    status: 400,
    body: {
      scimType: 'invalidValue',
      detail: 'phoneNumbers[0] cannot be stored: there is a place for one value of type "mobile"',
    },
  })
})

it("an id in another letter case does not exist, whatever the column's collation", async () => {
  const { send, database } = serve('code text collate nocase', {
    attributes: userName,
    id: 'code',
  })
  database.exec("insert into people values ('1', 'a', 'x')")
  expect((await send('GET', '/Users/X')).status).toBe(404)
  expect((await send('DELETE', '/Users/X')).status).toBe(404)
  expect((await send('DELETE', '/Users/x')).status).toBe(204)
})

it('list strings that differ only in letter case are kept', async () => {
  const tags = { name: 'tags', type: 'string', multiValued: true, caseExact: true } as const
  const plain = { ...USER_DEFINITION, attributes: [...USER_DEFINITION.attributes, tags] }
  const { send, database } = serve('first text', {
    definitions: { [USER_DEFINITION.id]: plain },
    attributes: {
      ...userName,
      tags: { table: 'tags', on: { person: 'id' }, columns: { value: 'tag' } },
    },
  })
  database.exec('create table tags (person text, tag text)')
  const { body } = await send('POST', '/Users', { userName: 'a', tags: ['x', 'X'] })
  expect(body.tags).toEqual(expect.arrayContaining(['X', 'x']))
  const put = await send('PUT', `/Users/${body.id}`, { userName: 'a', tags: ['x', 'Y', 'y'] })
  expect(put.body.tags).toEqual(expect.arrayContaining(['Y', 'x', 'y']))
})

it('string order is kept, and so is the version if neither strings nor order change', async () => {
  const tags = { name: 'tags', type: 'string', multiValued: true, caseExact: true } as const
  const plain = { ...USER_DEFINITION, attributes: [...USER_DEFINITION.attributes, tags] }
  const { send, database } = serve('revision integer', {
    definitions: { [USER_DEFINITION.id]: plain },
    version: 'revision',
    attributes: {
      ...userName,
      tags: { table: 'tags', on: { person: 'id' }, columns: { value: 'tag' }, order: 'place' },
    },
  })
  database.exec('create table tags (person text, tag text, place integer)')
  const { body } = await send('POST', '/Users', { userName: 'a', tags: ['b', 'c', 'a'] })
  expect(body.tags).toEqual(['b', 'c', 'a'])
  for (const [tags, version] of [
    [['b', 'c', 'a'], 1],
    [['c', 'b', 'a'], 2],
    [['c', 'b'], 3],
    [['a', 'c', 'b', 'B'], 4],
  ] as const) {
    const put = await send('PUT', `/Users/${body.id}`, { userName: 'a', tags })
    expect(put.body).toMatchObject({ tags, meta: { version: `W/"${version}"` } })
  }
})

it('members with an order are added after the others', async () => {
  const { send, database } = serve('revision integer', {
    definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION },
    attributes: {
      displayName: 'login',
      members: { table: 'crew', on: { team: 'id' }, columns: { value: 'person' }, order: 'place' },
    },
  })
  database.exec('create table crew (team text, person text, place integer)')
  const listOf = (...values: readonly string[]) => values.map((value) => ({ value }))
  const group = { displayName: 'g', members: listOf('z', 'y') }
  const { body } = await send('POST', '/Users', group)
  const path = 'members'
  for (const value of [listOf('x', 'z'), listOf('a', 'w')]) {
    const sent = await send('PATCH', `/Users/${body.id}`, patchOf({ op: 'add', path, value }))
    expect(sent.status).toBe(204)
  }
  const read = await send('GET', `/Users/${body.id}`)
  expect(read.body.members).toEqual(listOf('z', 'y', 'x', 'a', 'w'))
})

describe("a new row's key in MySQL", () => {
  const request = {
    base: '',
    signal: AbortSignal.timeout(60_000),
    budget: createWorkBudget(1_000),
  }
  const create = async (result: unknown) => {
    const statements: string[] = []
    const { create } = sqlStore({
      dialect: 'mysql',
      definitions,
      table: 'people',
      attributes: { userName: 'login' },
      id: { column: 'id', key: 'integer' },
      execute: (statement, [key]) => {
        statements.push(statement.slice(0, 6))
        // A JavaScript program may return anything.
        if (!statement.startsWith('select')) return result as Executed
        return statement.includes('lower(') ? [] : [{ id: String(key), login: 'a' }]
      },
    })
    return { created: create({ userName: 'a' }, {}, request), statements }
  }

  it.each([7, '7', 7n])("the key is the statement's insertId: %o", async (insertId) => {
    expect(await (await create({ affectedRows: 1, insertId })).created).toMatchObject({ id: '7' })
  })

  it.each([[[]], [undefined], [{ affectedRows: 1 }], [{ insertId: null }]])(
    'the key must be known before a row is inserted, so the execute result %j is an error',
    async (result) => {
      const { created, statements } = await create(result)
      await expect(created).rejects.toThrow(/^people: execute must return the insertId of a write/)
      expect(statements).not.toContain('insert')
    },
  )

  it.each([0, '0', 2 ** 53])('the key is never guessed from the insertId %j', async (insertId) => {
    const { created } = await create({ insertId })
    await expect(created).rejects.toThrow(/^people.id must be an auto_increment column/)
  })
})

describe("a store's statements", () => {
  const request = {
    base: '',
    signal: AbortSignal.timeout(60_000),
    budget: createWorkBudget(1_000),
    view: { needs: () => true },
    isWanted: () => true,
  }

  /** The statements of a new user and of a deleted one, in a database that assigns the key 7. */
  async function statementsOf(dialect: SqlStoreOptions<unknown>['dialect']): Promise<string[]> {
    const statements: string[] = []
    const execute: Execute<unknown> = (statement) => {
      statements.push(statement)
      if (dialect === 'mysql' && /^(update|insert)/.test(statement)) return { insertId: 7 }
      if (statement.startsWith('delete')) return []
      return statement.includes('lower(') ? [] : [{ id: 7, login: 'a' }]
    }
    const id = { column: 'id', key: 'integer' } as const
    const attributes = { userName: 'login' }
    const store = sqlStore({ execute, dialect, definitions, table: 'people', id, attributes })
    const user = await store.create({ userName: 'a' }, {}, request)
    expect(user).toMatchObject({ id: '7', userName: 'a' })
    await store.read('7', {}, { ...request, isForUpdate: true })
    await store.delete('7', {}, request)
    return statements.slice(1)
  }

  it('a page without rows is the last one, and an unknown attribute is not sorted', async () => {
    const execute: Execute<unknown> = (statement) =>
      statement.includes('count(*)') ? [{ total: 5 }] : []
    const attributes = { nickName: { column: 'nick', folded: true }, userName: 'login' } as const
    const options = { dialect: 'sqlite', definitions, table: 'people', id: 'id' } as const
    const { list } = sqlStore({ ...options, execute, attributes })
    const order = { sortBy: 'nickName', sortOrder: 'ascending', filter: null } as const
    const page = { cursor: '', count: 2, startIndex: 1, complete: (user: WireResource) => user }
    expect(await list({}, { ...request, ...order, ...page })).toEqual({
      resources: [],
      totalResults: 0,
      applied: ['filter', 'sort', 'page'],
    })
    expect(await list({}, { ...request, ...order, ...page, sortBy: 'size', cursor: null })).toEqual(
      { resources: [], applied: ['filter'] },
    )
  })

  it('no statement reads another table for a version that is not wanted (RFC 7232 §3.2)', async () => {
    const statements: string[] = []
    const execute: Execute<unknown> = (statement) => {
      statements.push(statement)
      return statement.includes('"mails"') ? [] : [{ id: 'a', edits: 3, login: 'b' }]
    }
    const emails = { table: 'mails', on: { person: 'id' }, columns: { value: 'mail' } }
    const { read } = sqlStore({
      execute,
      dialect: 'sqlite',
      definitions,
      table: 'people',
      id: 'id',
      version: 'edits',
      attributes: { userName: 'login', emails },
    })
    const reading = { ...request, isForUpdate: false }
    const wanted: string[] = []
    const isWanted = (version: string) => wanted.push(version) === 0
    expect(await read('a', {}, { ...reading, isWanted })).toMatchObject({ id: 'a' })
    expect(wanted).toEqual(['W/"3"'])
    expect(statements).toHaveLength(1)
    expect(await read('a', {}, reading)).toMatchObject({ id: 'a' })
    expect(statements).toHaveLength(3)
  })

  it('statements read the whole resource if the table does not have a version', async () => {
    const execute: Execute<unknown> = () => [{ id: 'a', login: 'b' }]
    const attributes = { userName: 'login' }
    const options = { execute, dialect: 'sqlite', definitions, table: 'people', id: 'id' } as const
    const { read } = sqlStore({ ...options, attributes })
    const isWanted = (): boolean => expect.unreachable()
    expect(await read('a', {}, { ...request, isForUpdate: false, isWanted })).toMatchObject({
      userName: 'b',
    })
  })

  it('statements do not write a read-only attribute, or one with a read-only part (RFC 7643 §2.2)', async () => {
    const text = { type: 'string', multiValued: false, required: false } as const
    const origin = {
      ...text,
      name: 'origin',
      type: 'complex' as const,
      mutability: 'readOnly' as const,
      subAttributes: [{ ...text, name: 'system' }],
    }
    const own = [
      { ...text, name: 'code' },
      { ...text, name: 'serial', mutability: 'readOnly' as const },
      { ...text, name: 'doors', multiValued: true, mutability: 'readOnly' as const },
    ]
    const badge = { id: 'urn:x:Badge', name: 'Badge', attributes: [...own, origin] }
    const statements: string[] = []
    const execute: Execute<unknown> = (statement) => {
      statements.push(statement)
      return [{ id: 7, code: 'c', serial: null, origin_system: null, c0: 7, c1: 'd' }]
    }
    const id = { column: 'id', key: 'integer' } as const
    const { create, replace } = sqlStore<unknown>({
      execute,
      dialect: 'sqlite',
      table: 'badges',
      id,
      definitions: { [badge.id]: badge },
      attributes: {
        code: 'code',
        serial: 'serial',
        'origin.system': 'origin_system',
        doors: { table: 'doors', on: { badge: 'id' }, columns: { value: 'door' } },
      },
    })
    const sent = { code: 'c', serial: 's', origin: { system: 'o' }, doors: ['d'] }
    await create(sent, {}, request)
    const writes = () => statements.filter((text) => !text.startsWith('select'))
    const written = [
      'update "badges" set "code" = "code" where 1 = 0',
      'insert into "badges" ("code") values (?) returning "id" as "id"',
    ]
    expect(writes()).toEqual(written)
    await replace('7', { code: 'c' }, {}, { ...request, current: sent })
    expect(writes()).toEqual(written)
  })

  it.each(['sqlite', 'postgres'] as const)(
    'a store runs the expected statements in %s',
    async (dialect) => {
      const [place, lock] = dialect === 'sqlite' ? ['?', ''] : ['$1', ' for update']
      // PostgreSQL would reject a number that an `integer` column cannot contain.
      const key = dialect === 'sqlite' ? place : `${place}::bigint`
      const where = `where "people"."id" = ${key} and 1 = 1`
      const read = `select "people"."id", "people"."login" from "people" ${where}`
      expect(await statementsOf(dialect)).toEqual([
        'select 1 as "id", 1 as "login"',
        'update "people" set "login" = "login" where 1 = 0',
        `insert into "people" ("login") values (${place}) returning "id" as "id"`,
        read,
        `${read}${lock}`,
        `select "id" from "people" ${where}${lock}`,
        `delete from "people" ${where}`,
      ])
    },
  )

  const uuid = { column: 'id', key: 'uuid' } as const
  it.each([
    ['sqlite', 'id'],
    ['postgres', uuid],
    ['mysql', uuid],
  ] as const)(
    'statements in %s do not ask the database for an id the store has chosen: %j',
    async (dialect, id) => {
      const ran: string[] = []
      const execute: Execute<unknown> = (statement, [key]) => {
        if (!/lower\(|^select 1 as/.test(statement)) ran.push(statement.slice(0, 22))
        return ran.length === 3 ? [{ id: key, login: 'a' }] : []
      }
      const attributes = { userName: 'login' }
      const store = sqlStore({ execute, dialect, definitions, table: 'people', id, attributes })
      await store.create({ userName: 'a' }, {}, request)
      expect(ran.map((text) => text.replaceAll('`', '"'))).toEqual([
        'update "people" set "l',
        'insert into "people" (',
        'select "people"."id", ',
      ])
    },
  )

  it("a write fails if the new row cannot be read, such as one the map's condition excludes", async () => {
    const options = { dialect: 'sqlite', definitions, table: 'people', id: 'id' } as const
    const store = sqlStore({ ...options, execute: () => [], attributes: { userName: 'login' } })
    await expect(store.create({ userName: 'a' }, {}, request)).rejects.toThrow(
      /^people: the new row [\da-f-]{36} cannot be read$/,
    )
  })

  it('a store runs the expected statements in MySQL', async () => {
    const where = 'where `people`.`id` = ? and 1 = 1'
    const read = `select \`people\`.\`id\`, \`people\`.\`login\` from \`people\` ${where}`
    expect(await statementsOf('mysql')).toEqual([
      'select 1 as `id`, 1 as `login`',
      'update `people` set `login` = `login` where 1 = 0',
      'insert into `people` (`login`) values (?)',
      read,
      `${read} for update`,
      `select \`id\` from \`people\` ${where} for update`,
      `delete from \`people\` ${where}`,
    ])
  })
})
