import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Openable } from './openers.ts'
import { createIn, expectFault, expectMistake, type Options } from './rejected-row.ts'
import type { Opened } from './tables.ts'

const filterBy = (filter: string): string => `?filter=${encodeURIComponent(filter)}`
const IN_MEMORY =
  'change the type of the column, or map it with encode and decode, so that its filters run in memory'

/** Each type, the attribute in its column, a query and the advice. */
const COMPARISONS: readonly (readonly [
  type: string,
  path: string,
  query: string,
  message: string,
])[] = [
  ...['?sortBy=nickName', filterBy('nickName sw "a"'), filterBy('nickName eq "a"')].map(
    (query) => ['mood', 'nickName', query, IN_MEMORY] as const,
  ),
  ...['?sortBy=nickName', filterBy('nickName eq "a"')].map(
    (query) => ['jsonb', 'nickName', query, "map it as { column: 'x', type: 'json' }"] as const,
  ),
  ['bytea', 'nickName', '?sortBy=nickName', IN_MEMORY],
  ['timestamp without time zone', 'nickName', filterBy('nickName sw "2"'), IN_MEMORY],
  [
    'integer',
    'active',
    filterBy('active eq true'),
    "map it as { column: 'x', encode: Number, decode: Boolean }",
  ],
  [
    'bigint',
    'meta.created',
    filterBy('meta.created gt "2020-01-01T00:00:00Z"'),
    "map it as { column: 'x', type: 'dateTime', format: 'milliseconds' or 'seconds' }",
  ],
  [
    'character varying',
    'meta.created',
    filterBy('meta.created gt "2020-01-01T00:00:00Z"'),
    "map it as { column: 'x', type: 'dateTime', format: 'text' }",
  ],
  ['uuid', 'externalId', filterBy('externalId sw "a"'), IN_MEMORY],
]

/** Columns of PostgreSQL with other types than in the map. */
export function proveComparisons(name: string, { open }: Openable): void {
  const dialect = 'postgres' as const
  describe(`a column in ${name} with another type than in the map`, () => {
    let opened: Opened
    beforeAll(async () => {
      opened = await open()
      await opened.execute("create type mood as enum ('happy')", [])
      await opened.execute('create domain required as varchar(50) not null', [])
    })
    afterAll(async () => await opened.close())

    const make = async (columns: string, id = 'text primary key') => {
      await opened.execute('drop table if exists mails', [])
      await opened.execute('drop table if exists users', [])
      await opened.execute(`create table users (id ${id}, login text not null, ${columns})`, [])
    }
    const get = (options: Options, path: string) =>
      createIn(opened.execute, { dialect, options }, {}, 'GET', path)
    const create = (options: Options, user: object = {}) =>
      createIn(opened.execute, { dialect, options }, { userName: 'ada', ...user })

    it.each(COMPARISONS)('%s as %s in %s is a 500 with advice', async (...row) => {
      const [type, path, query, advice] = row
      await make(`x ${type}`)
      expectMistake(
        await get({ attributes: { [path]: 'x' } }, `/Users${query}`),
        `TypeError: users.x has the type ${type}, which cannot be compared with ${path}: ${advice}`,
      )
    })

    it('the advice for a boolean in an integer column is right', async () => {
      await make('x integer not null')
      const active = { column: 'x', encode: Number, decode: Boolean }
      const attributes = { active }
      expect(await create({ attributes }, { active: false })).toMatchObject({ status: 201 })
      const { body } = await get({ attributes }, `/Users${filterBy('active eq false')}`)
      expect(body).toMatchObject({ totalResults: 1, Resources: [{ active: false }] })
    })

    it.each([
      ['varchar(36)', 'integer', 'character varying', "map it as 'id', without key"],
      ['bigint', 'uuid', 'bigint', "map it as { column: 'id', key: 'integer' }"],
    ] as const)(
      'keys with the type %s and key: %s are a 500 with advice',
      async (column, key, type, advice) => {
        await make('x integer', `${column} primary key`)
        const path = key === 'uuid' ? `/Users/${crypto.randomUUID()}` : '/Users/1'
        expectMistake(
          await get({ id: { column: 'id', key } }, path),
          `TypeError: users.id has the type ${type}: ${advice}`,
        )
      },
    )

    it('another key type in a table that members refer to is a 500 with advice', async () => {
      await make('x integer', 'integer primary key')
      await opened.execute('create table mails (user_id integer, friend_id integer)', [])
      const id = { column: 'id', key: 'integer' } as const
      const columns = { value: 'friend_id' }
      const target = { table: 'users', id: 'id' }
      const emails = { table: 'mails', on: { user_id: 'id' }, columns, target }
      const options = { id, attributes: { emails } }
      expectMistake(
        await create(options, { emails: [{ value: 'x' }] }),
        "TypeError: users.id has the type integer: map mails.friend_id as { column: 'friend_id', key: 'integer' }",
      )
      expectMistake(
        await get(options, `/Users${filterBy('emails.value eq "x"')}`),
        "TypeError: mails.friend_id has the type integer: map it as { column: 'friend_id', key: 'integer' }",
      )
    })

    it('generated always keys in PostgreSQL are a 500 with advice', async () => {
      await make('x integer', 'bigint generated always as identity primary key')
      expectMistake(
        await create({}),
        "TypeError: users.id is assigned by the database: map id: { column: 'id', key: 'integer' }",
      )
    })

    it('a boolean that is too long for a string is a 500 with advice', async () => {
      await make('is_active varchar(3), x varchar(9)')
      const attributes = { active: 'is_active', nickName: 'x' }
      expectMistake(
        await create({ attributes }, { active: true, nickName: 'abc' }),
        'TypeError: users: value too long for type character varying(3): the column is one of is_active, id. Change its type, or map it with encode and decode',
      )
    })

    it('a domain that rejects null is a 400, or a 500 if no client column is null', async () => {
      await make('nick required')
      expectFault(
        await create({ attributes: { nickName: 'nick' } }),
        'nickName is required',
        /domain required does not allow null values/,
      )
      expectMistake(
        await create({}),
        'TypeError: users rejects the row: domain required does not allow null values',
      )
    })

    it('an exclusion constraint is 409 with the attribute', async () => {
      await make('nick text, exclude using btree (nick with =)')
      const attributes = { nickName: 'nick' }
      expect(await create({ attributes }, { nickName: 'a' })).toMatchObject({ status: 201 })
      const sent = await create({ attributes }, { userName: 'bob', nickName: 'a' })
      expect(sent).toMatchObject({
        status: 409,
        errors: [],
        body: { scimType: 'uniqueness', detail: 'nickName is already taken' },
      })
    })
  })
}
