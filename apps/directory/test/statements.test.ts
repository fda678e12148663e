import { PATCH_OP_SCHEMA } from '@plumbline/scim'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../src/store/engines/sqlite/sqlite.ts'
import { equals } from '../src/store/predicates.ts'
import type { Store } from '../src/store/store.ts'
import { users } from '../src/store/tables.ts'
import { type Client, connect, watched } from './harness.ts'

/** The ends of the statements on users that ran since it was emptied, from `where` on, with their values. */
const ran: { readonly end: string; readonly values: readonly unknown[] }[] = []
/** The functions of the database that wrote since it was emptied. */
const written: string[] = []
/** The columns that the last update wrote. */
let updated: readonly string[] = []
let store: Store
let client: Client
beforeAll(async () => {
  store = watched(await openSqlite(':memory:'), (name, [statement, values]) => {
    if (name === 'updateMany') updated = Object.keys(Object(values)).sort()
    const { text = '', values: bound = [] } = Object(statement)
    const [, end] = /from "?users"? (where .*)/.exec(text) ?? []
    if (name === 'exec' && end !== undefined) ran.push({ end, values: bound })
    if (/^(?:create|update|delete)/.test(String(name))) written.push(String(name))
    if (name === 'exec' && /^(?:insert|delete)/.test(text))
      written.push(text.split(/\s/, 3).join(' '))
  })
  client = await connect(store)
})
afterAll(() => store.close())
beforeEach(() => {
  ran.length = 0
  written.length = 0
})

const list = (query: Record<string, string>) =>
  client.send('GET', `/Users?${new URLSearchParams(query)}`)

// The first statement reads as many rows as fit into a page of 16 MiB, whatever their sizes: 8 of 2 MiB.
// Building such a statement with the query library takes as long as running it.
describe('a list that identity providers request runs a statement that is not built by the query library', () => {
  it.each([
    ['userName eq "A"', {}, ['user_name_key = ?'], ['a'], 'order by id asc limit 8 offset 0'],
    ['externalId eq "A"', {}, ['external_id = ?'], ['A'], 'order by id asc limit 8 offset 0'],
    ['id eq "i"', { count: '1' }, ['id = ?'], ['i'], 'order by id asc limit 1 offset 0'],
    [
      'userName eq "a" and externalId eq "b"',
      { sortBy: 'userName', sortOrder: 'descending', startIndex: '3', count: '2' },
      ['external_id = ?', 'user_name_key = ?'],
      ['b', 'a'],
      'order by user_name_key desc, id desc limit 2 offset 2',
    ],
  ])('%s %o', async (filter, query, conditions, values, order) => {
    expect((await list({ filter, ...query })).body.totalResults).toBe(0)
    const [first] = ran
    const where = `where ${[...conditions, 'tenant_id = ?'].join(' and ')} `
    expect(first).toEqual({ end: `${where}${order}`, values: [...values, client.tenantId] })
  })
})

describe('any other list runs a statement of all its conditions', () => {
  it.each([
    'active eq true',
    'userName gt "a"',
    'userName eq "a" or userName eq "b"',
    'not (userName eq "a")',
    'title pr',
    'meta.created eq "2026-01-01T00:00:00Z"',
    // At most 16 conditions, with that of the tenant.
    Array.from({ length: 16 }, (_, at) => `userName eq "${at}"`).join(' and '),
  ])('%s', async (filter) => {
    expect((await list({ filter })).status).toBe(200)
    expect(ran[0]?.end).toMatch(/^where .*"tenant_id" = \?/)
  })

  it('a filter of 15 conditions is not such a list', async () => {
    const filter = Array.from({ length: 15 }, (_, at) => `userName eq "${at}"`).join(' and ')
    expect((await list({ filter })).status).toBe(200)
    expect(ran[0]?.end.match(/ = \? /g)).toHaveLength(16)
    expect(ran[0]?.end).not.toContain('"')
  })
})

describe('a PATCH of a user rewrites the rows of the values that change', () => {
  it.each([
    ['title', 'Engineer', ['updateMany']],
    [
      'emails[type eq "work"].value',
      'b@example.com',
      ['updateMany', 'delete from user_values', 'insert into user_values'],
    ],
  ])('%s', async (path, value, expected) => {
    const userName = `patched by ${path}`
    const emails = [{ type: 'work', value: 'a@example.com' }]
    const { body } = await client.send('POST', '/Users', { userName, emails })
    written.length = 0
    const patch = { schemas: [PATCH_OP_SCHEMA], Operations: [{ op: 'replace', path, value }] }
    expect((await client.send('PATCH', `/Users/${body.id}`, patch)).status).toBe(200)
    expect(written).toEqual(expected)
  })
})

// SQLite rewrites the entry in the index of each column that an update names, even with the same value.
describe('a change of a user writes only the columns that differ', () => {
  const change = (id: unknown, path: string, value: unknown) =>
    client.send('PATCH', `/Users/${id}`, {
      schemas: [PATCH_OP_SCHEMA],
      Operations: [{ op: 'replace', path, value }],
    })

  it.each([
    ['title', 'Guide', ['title_key']],
    ['active', false, ['active']],
    ['locale', 'de-DE', []],
  ])('%s', async (path, value, columns) => {
    const userName = `changed in ${path}`
    const { body } = await client.send('POST', '/Users', { userName, title: 'A', active: true })
    // A later millisecond, so that the time of the change differs too.
    await store.write((db) =>
      db.updateMany(users, { last_modified: 1 }, { where: equals('id', String(body.id)) }),
    )
    expect((await change(body.id, path, value)).status).toBe(200)
    expect(updated).toEqual([...columns, 'last_modified', 'resource', 'version'].sort())
  })

  it('a column that is not that of the attribute is corrected', async () => {
    const { body } = await client.send('POST', '/Users', { userName: 'stale', title: 'Mechanic' })
    await store.write((db) =>
      db.updateMany(users, { title_key: 'other' }, { where: equals('id', String(body.id)) }),
    )
    expect((await list({ filter: 'title eq "mechanic"' })).body.totalResults).toBe(0)
    expect((await change(body.id, 'locale', 'de-DE')).status).toBe(200)
    expect((await list({ filter: 'title eq "mechanic"' })).body.totalResults).toBe(1)
  })
})
