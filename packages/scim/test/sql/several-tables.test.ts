import { DatabaseSync } from 'node:sqlite'
import { USER_DEFINITION } from '@plumbline/scim/discovery'
import { createScimEndpoint, defineResourceType } from '@plumbline/scim/endpoint'
import { type SqlStoreOptions, sqlStore } from '@plumbline/scim/sql'
import { describe, expect, it } from 'vitest'
import { sender } from '../endpoint/serve.ts'

const database = new DatabaseSync(':memory:')
database.exec(`
  create table people (id text primary key, login text, rest text);
  create table mails (person text, address text);
  create table search (person text, attribute text, position integer, value_key text, type_key text, is_primary)`)

const emails = { table: 'mails', on: { person: 'id' }, columns: { value: 'address' } }
const index = { table: 'search', on: { person: 'id' }, hash: (text: string) => text, most: 2 }
const groups = { ...emails, columns: { value: 'address' } }

function open(options: Partial<SqlStoreOptions<object>>, transaction?: 'pass on') {
  const store = sqlStore<object>({
    execute: (sql, values) => database.prepare(sql).all(...(values as never[])),
    dialect: 'sqlite',
    definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
    table: 'people',
    id: 'id',
    attributes: { userName: 'login' },
    ...options,
  })
  return createScimEndpoint<object>({
    basePath: '/scim/v2',
    // A resource type of this type has any store, as in JavaScript.
    resourceTypes: [defineResourceType<object>({ name: 'User', endpoint: '/Users', store })],
    authenticate: async () => ({}),
    ...(transaction && { transaction: (context, work) => work(context) }),
  })
}

describe('writes to several tables without a transaction', () => {
  it.each<[string, Partial<SqlStoreOptions<object>>, string]>([
    ['a value table', { attributes: { userName: 'login', emails } }, 'people, mails'],
    ['values other requests write', { attributes: { userName: 'login', groups } }, 'mails'],
    ['an index', { document: 'rest', index }, 'people, search'],
    ['a hook that writes other rows', { hooks: { created: () => undefined } }, 'hooks.created'],
  ])('createScimEndpoint throws a TypeError for %s', (_, options, tables) => {
    expect(() => open(options)).toThrow(TypeError)
    expect(() => open(options)).toThrow(
      `${tables}, so createScimEndpoint needs the option transaction`,
    )
    expect(() => open(options)).toThrow(/^User: a write changes people/)
    expect(() => open(options, 'pass on')).not.toThrow()
  })

  it('an endpoint whose writes change one table is created', () => {
    expect(() => open({ hooks: { read: () => ({}), delete: () => undefined } })).not.toThrow()
  })
})

it('a user with more values than the index accepts is not inserted', async () => {
  const send = sender(open({ document: 'rest', index }, 'pass on').fetch)
  const values = ['a@a.com', 'b@a.com', 'c@a.com'].map((value) => ({ value }))
  const { status, body } = await send('POST', '/Users', { userName: 'a', emails: values })
  expect([status, body.scimType]).toEqual([400, 'tooMany'])
  expect(database.prepare('select * from people').all()).toEqual([])
})
