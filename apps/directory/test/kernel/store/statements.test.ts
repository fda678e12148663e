import { PATCH_OP_SCHEMA } from '@plumbline/scim'
import { sql } from '@plumbline/scim/internal'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../src/kernel/store/engines/sqlite/sqlite.ts'
import type { Store } from '../../../src/kernel/store/store.ts'
import { type Client, connect } from '../../support/harness.ts'
import { watchStatements } from '../../support/watch-statements.ts'

/** The ends of the statements on users that ran since it was emptied, from `where` on, with their values. */
const ran: { readonly end: string; readonly values: readonly unknown[] }[] = []
/** The starts of the statements that wrote since it was emptied. */
const written: string[] = []
/** The columns that the last update wrote. */
let updated: readonly string[] = []
let store: Store
let client: Client
beforeAll(async () => {
  store = watchStatements(await openSqlite(':memory:'), ({ text, values }) => {
    const [, end] = /^select .* from users (where .*)$/s.exec(text) ?? []
    if (end !== undefined) ran.push({ end, values })
    const [, assigned] = /^update users set (.*) where /s.exec(text) ?? []
    if (assigned !== undefined)
      updated = [...assigned.matchAll(/(\w+) = /g)].map(([, one]) => one ?? '').sort()
    if (/^(?:insert|update|delete)/.test(text)) written.push(text.split(/\s/, 3).join(' '))
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
describe('a list that identity providers request runs a statement with the conditions', () => {
  it.each([
    ['userName eq "A"', {}, ['user_name_key'], ['a'], 'order by id asc limit 8'],
    ['externalId eq "A"', {}, ['external_id'], ['A'], 'order by id asc limit 8'],
    ['id eq "i"', { count: '1' }, ['id'], ['i'], 'order by id asc limit 1'],
    [
      'userName eq "a" and externalId eq "b"',
      { sortBy: 'userName', sortOrder: 'descending', startIndex: '3', count: '2' },
      ['user_name_key', 'external_id'],
      ['a', 'b'],
      'order by user_name_key desc, id desc limit 2 offset 2',
    ],
  ])(
    'the list %s %o runs a statement with its conditions',
    async (filter, query, columns, values, order) => {
      expect((await list({ filter, ...query })).body.totalResults).toBe(0)
      const [first] = ran
      const conditions = columns.map((column) => `"users"."${column}" = ?`)
      const joined = columns.length === 1 ? conditions.join() : `(${conditions.join(' and ')})`
      expect(first?.end).toBe(`where users.tenant_id = ? and ${joined} ${order}`)
      expect(first?.values.slice(-values.length - 1)).toEqual([client.tenantId, ...values])
    },
  )
})

describe('the rows that a PATCH on a user rewrites', () => {
  it.each([
    ['title', 'Engineer', []],
    [
      'emails[type eq "work"].value',
      'b@example.com',
      ['delete from "user_values"', 'insert into "user_values"'],
    ],
  ])(
    'a PATCH on the %s of a user rewrites only the rows with changed values',
    async (path, value, expected) => {
      const userName = `patched by ${path}`
      const emails = [{ type: 'work', value: 'a@example.com' }]
      const { body } = await client.send('POST', '/Users', { userName, emails })
      written.length = 0
      const patch = { schemas: [PATCH_OP_SCHEMA], Operations: [{ op: 'replace', path, value }] }
      expect((await client.send('PATCH', `/Users/${body.id}`, patch)).status).toBe(200)
      const feed = ['insert into change_feeds', 'insert into changes']
      expect(written).toEqual(['update users set', ...expected, ...feed])
    },
  )
})

// SQLite rewrites the entry in the index of each column that an update names, even with the same value.
describe('the columns that a user change writes', () => {
  const change = (id: unknown, path: string, value: unknown) =>
    client.send('PATCH', `/Users/${id}`, {
      schemas: [PATCH_OP_SCHEMA],
      Operations: [{ op: 'replace', path, value }],
    })

  it.each([
    ['title', 'Guide', ['title_key']],
    ['active', false, ['active']],
    ['locale', 'de-DE', []],
  ])(
    'a change of the %s of a user writes only the columns that differ',
    async (path, value, columns) => {
      const userName = `changed in ${path}`
      const { body } = await client.send('POST', '/Users', { userName, title: 'A', active: true })
      // A later millisecond, so that the time of the change differs too.
      await store.write((db) =>
        db.exec(sql`update users set last_modified = 1 where id = ${String(body.id)}`),
      )
      expect((await change(body.id, path, value)).status).toBe(200)
      expect(updated).toEqual([...columns, 'last_modified', 'resource', 'version'].sort())
    },
  )

  it('a column that differs from the attribute is corrected', async () => {
    const { body } = await client.send('POST', '/Users', { userName: 'stale', title: 'Mechanic' })
    await store.write((db) =>
      db.exec(sql`update users set title_key = 'other' where id = ${String(body.id)}`),
    )
    expect((await list({ filter: 'title eq "mechanic"' })).body.totalResults).toBe(0)
    expect((await change(body.id, 'locale', 'de-DE')).status).toBe(200)
    expect((await list({ filter: 'title eq "mechanic"' })).body.totalResults).toBe(1)
  })
})
