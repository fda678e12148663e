import { expect, it } from 'vitest'
import { USER_DEFINITION } from '../../schema/core-schemas.ts'
import { renderSql } from '../dialect.ts'
import { filterToSql } from '../filter-to-sql.ts'
import { sql } from '../fragment.ts'
import { sqlStore } from './store.ts'
import type { SqlStoreOptions } from './types.ts'

const valid: SqlStoreOptions<unknown> = {
  execute: () => [],
  dialect: 'sqlite',
  definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
  table: 'users',
  id: { column: 'id', key: 'uuid' },
  attributes: {
    userName: 'login',
    active: { column: 'deleted', encode: (value) => value !== true, decode: (value) => !value },
    nickName: { column: 'nick', folded: true, default: 'x' },
    emails: {
      table: 'mails',
      on: { user_id: 'id' },
      columns: { value: 'mail', type: 'kind' },
      indexed: ['value'],
      order: { column: 'id', key: 'integer' },
    },
    groups: {
      table: 'seats',
      on: { user_id: 'id' },
      columns: { value: 'team_id' },
      target: { table: 'teams', id: 'id', display: 'name', type: 'Group' },
    },
  },
  tenant: { column: 'org_id', value: () => 1 },
  isBinary: true,
  where: { kind: 'x' },
  version: 'version',
  select: ['a'],
  computed: [],
  candidates: 0,
  cursors: { timeout: 60 },
  hooks: { read: () => ({}) },
  document: undefined,
}

it('valid store options are accepted', () => {
  expect(sqlStore(valid).table).toBe('users')
})

// A program in JavaScript, and a spread, may have any name and any value.
it.each<[string, object]>([
  ['the options of sqlStore must be an object, not undefined', { replaced: undefined }],
  ['sqlStore: execute must be a function, not an object', { execute: {} }],
  ['sqlStore: execut is unknown: did you mean execute?', { execut: () => [] }],
  [
    'sqlStore: dialect must be one of sqlite, postgres, mysql, not "postgresql"',
    { dialect: 'postgresql' },
  ],
  [
    'sqlStore: dialect must be one of sqlite, postgres, mysql, not undefined',
    { dialect: undefined },
  ],
  ['sqlStore: definitions must be an object with at least the core schema', { definitions: {} }],
  ['sqlStore: table must be a string that is not empty, not ""', { table: '' }],
  [
    'sqlStore: id must be the name of a column, or { column, key }, not undefined',
    { id: undefined },
  ],
  [
    'sqlStore: id.key must be one of integer, uuid, not "bigint"',
    { id: { column: 'i', key: 'bigint' } },
  ],
  ['sqlStore: attributes must be an object, not a list', { attributes: [] }],
  [
    'sqlStore: attributes["active"] must be a column, not undefined',
    { attributes: { active: undefined } },
  ],
  [
    'sqlStore: attributes["active"].colum is unknown: did you mean column?',
    { attributes: { active: { colum: 'active' } } },
  ],
  [
    'sqlStore: attributes["active"].type must be one of boolean, integer, decimal, dateTime, json, not "bool"',
    { attributes: { active: { column: 'active', type: 'bool' } } },
  ],
  [
    'sqlStore: attributes["emails"].on must be an object, not undefined',
    { attributes: { emails: { table: 'mails', columns: {} } } },
  ],
  [
    'sqlStore: attributes["emails"].columns.value must be a column, not 5',
    { attributes: { emails: { table: 'mails', on: {}, columns: { value: 5 } } } },
  ],
  [
    'sqlStore: attributes["groups"].target.id must be a string that is not empty, not undefined',
    { attributes: { groups: { table: 'a', on: {}, columns: {}, target: { table: 'b' } } } },
  ],
  [
    'sqlStore: tenant.value must be a function, not a string',
    { tenant: { column: 'org', value: 'acme' } },
  ],
  ['sqlStore: tenants is unknown: did you mean tenant?', { tenants: {} }],
  ['sqlStore: isBinary must be a boolean, not "yes"', { isBinary: 'yes' }],
  ['sqlStore: where must be an object, not a string', { where: 'a = 1' }],
  ['sqlStore: select must be a list of strings, not "a"', { select: 'a' }],
  [
    'sqlStore: candidates must be a whole number of at least 0, not NaN',
    { candidates: Number.NaN },
  ],
  [
    'sqlStore: cursors.timeout must be a whole number of at least 0, not NaN',
    { cursors: { timeout: Number.NaN } },
  ],
  ['sqlStore: hooks.writes is unknown: did you mean write?', { hooks: { writes: () => ({}) } }],
  ['sqlStore: index.hash must be a function, not undefined', { index: { table: 'i', on: {} } }],
])('an invalid store option is a TypeError: %s', (message, change) => {
  const options = 'replaced' in change ? change.replaced : { ...valid, ...change }
  const create = () => sqlStore(options as SqlStoreOptions<unknown>)
  expect(create).toThrow(TypeError)
  expect(create).toThrow(message)
})

it('an unknown statement dialect is a TypeError with the list of dialects', () => {
  const dialect = 'postgresql' as 'postgres'
  const message = 'dialect must be one of sqlite, postgres, mysql, not "postgresql"'
  expect(() => renderSql(sql`select 1`, dialect)).toThrow(message)
  const path = { schema: null, attribute: 'userName', subAttribute: null }
  const filter = { type: 'compare', path, operator: 'eq', value: 'a' } as const
  expect(() => filterToSql(filter, { userName: 'login' }, { dialect })).toThrow(message)
})
