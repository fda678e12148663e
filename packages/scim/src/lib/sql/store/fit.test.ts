import { describe, expect, it } from 'vitest'
import { USER_DEFINITION } from '../../schema/core-schemas.ts'
import type { Definitions } from '../../schema/types.ts'
import { sqlStore } from './store.ts'
import type { AttributeEntry } from './types.ts'

const text = { type: 'string', multiValued: false, required: false } as const
const CUSTOM: Definitions = {
  [USER_DEFINITION.id]: {
    ...USER_DEFINITION,
    attributes: [
      ...USER_DEFINITION.attributes,
      { ...text, name: 'score', type: 'decimal' },
      { ...text, name: 'size', type: 'integer' },
      { ...text, name: 'badge', caseExact: true },
      { ...text, name: 'photo', type: 'binary' },
      { ...text, name: 'home', type: 'reference' },
      { ...text, name: 'tags', multiValued: true },
    ],
  },
}

/** Makes a store whose map has one more entry. A program in JavaScript may have any. */
function make(path: string, entry: unknown) {
  return sqlStore<unknown>({
    execute: () => [],
    dialect: 'sqlite',
    definitions: CUSTOM,
    table: 'users',
    id: 'id',
    attributes: { userName: 'login', [path]: entry as AttributeEntry },
  })
}

const table = { table: 'mails', on: { user_id: 'id' }, columns: { value: 'mail' } }
const coded = { column: 'c', encode: () => 'x', decode: () => null }
const REMEDY = "map it as 'c', or with encode and decode if the column has values of another form"

describe('a map entry that cannot store its attribute is a TypeError', () => {
  it.each<[string, unknown, string]>([
    [
      'emails',
      'email',
      "emails is a list, which the column email cannot store: map emails[work].value, emails to a table of values, or emails to { column: 'email', type: 'json' }",
    ],
    ['addresses', { column: 'c' }, 'map addresses[work].formatted, addresses to a table'],
    ['groups', 'c', 'groups is a list, which the column c cannot store: map groups to a table'],
    ['tags', 'c', 'tags is a list, which the column c cannot store: map tags to a table'],
    ['tags', { column: 'c', folded: true }, 'tags is a list'],
    [
      'name',
      'first_name',
      "name has sub-attributes, which the column first_name cannot store: map each, such as name.formatted, or { column: 'first_name', type: 'json' }",
    ],
    [
      'emails.value',
      'email',
      "emails.value is in the list emails, so it needs the type of an element: map emails[work].value, emails to a table of values, or emails to { column: 'email', type: 'json' }",
    ],
    ['emails.type', { column: 'c', type: 'json' }, 'map emails[work].type, emails to'],
    ['emails.value', coded, 'emails.value is in the list emails'],
    ['groups.value', 'c', 'map groups to a table of values'],
    ['emails.value', table, 'map emails to the table, and value in its columns'],
    ['emails[work].value', table, 'emails[work].value is not a list'],
    ['name[work].givenName', 'c', 'name is not a list: map name.givenName'],
    [
      'name',
      table,
      'name is not a list, so a table cannot store it: map name.formatted to a column',
    ],
    ['title', table, 'title is not a list, so a table cannot store it: map title to a column'],
    [
      'active',
      { column: 'c', type: 'integer' },
      `active has the type boolean, not integer: ${REMEDY}`,
    ],
    ['nickName', { column: 'c', type: 'dateTime' }, 'nickName has the type string, not dateTime'],
    ['score', { column: 'c', type: 'integer' }, 'score has the type decimal, not integer'],
    ['size', { column: 'c', type: 'decimal' }, 'size has the type integer, not decimal'],
    ['emails[work].primary', { column: 'c', type: 'integer' }, 'has the type boolean, not integer'],
    [
      'active',
      { column: 'c', key: 'integer' },
      `active has the type boolean, so its column does not contain keys: ${REMEDY}`,
    ],
    ['photo', { column: 'c', key: 'uuid' }, 'photo has the type binary, so its column'],
    ['meta.created', { column: 'c', key: 'integer' }, 'meta.created has the type dateTime, so its'],
    ['active', { column: 'c', caseExact: false }, 'type boolean, so caseExact does not apply'],
    ['active', { column: 'c', folded: true }, 'type boolean, so folded does not apply'],
    [
      'badge',
      { column: 'c', folded: true },
      'badge has the type string, and its letter case matters',
    ],
    ['photo', { column: 'c', folded: true }, 'photo has the type binary, '],
    ['meta.created', { column: 'c', format: 'seconds' }, "so format needs type: 'dateTime'"],
    ['title', { column: 'c', decode: () => 'x' }, 'title has decode, so it requires encode'],
    ['title', { ...coded, decode: undefined }, 'title is returned, so it requires decode'],
    [
      'emails',
      { ...table, columns: { value: 'mail', primary: { column: 'c', type: 'integer' } } },
      'emails.primary has the type boolean, not integer',
    ],
    [
      'emails',
      { ...table, columns: { value: coded } },
      "emails.value is in a table of values, so it has neither type: 'json' nor encode",
    ],
    ['emails', { ...table, columns: { value: { column: 'c', type: 'json' } } }, 'nor encode'],
    [
      'tags',
      { ...table, columns: { value: { column: 'c', key: 'integer', type: 'boolean' } } },
      'not boolean',
    ],
  ])('the map entry %s: %j throws a TypeError', (path, entry, message) => {
    const create = () => make(path, entry)
    expect(create).toThrow(TypeError)
    expect(create).toThrow(message)
  })
})

describe('a map entry that can store its attribute is accepted', () => {
  it.each<[string, unknown]>([
    ['emails', { column: 'c', type: 'json' }],
    ['emails', coded],
    ['emails', table],
    ['tags', table],
    ['tags', { column: 'c', type: 'json' }],
    ['emails[work].value', 'c'],
    ['emails[work].primary', { column: 'c', type: 'boolean' }],
    ['name', { column: 'c', type: 'json' }],
    ['name', coded],
    ['name.givenName', { column: 'c', folded: true }],
    ['active', coded],
    ['active', { ...coded, type: 'integer' }],
    ['active', { column: 'c', type: 'boolean', key: undefined, encode: undefined }],
    ['score', { column: 'c', type: 'decimal' }],
    ['size', { column: 'c', type: 'integer' }],
    ['badge', { column: 'c', key: 'uuid' }],
    ['home', { column: 'c', key: 'integer' }],
    ['photo', { column: 'c', caseExact: true }],
    ['meta.created', { column: 'c', type: 'dateTime' }],
    ['meta.created', { column: 'c', type: 'dateTime', format: 'seconds' }],
    ['password', { column: 'c', encode: () => 'x' }],
    ['groups', { ...table, columns: { value: { column: 'c', key: 'integer' } } }],
  ])('the map entry %s: %j is accepted', (path, entry) => {
    expect(make(path, entry).table).toBe('users')
  })
})
