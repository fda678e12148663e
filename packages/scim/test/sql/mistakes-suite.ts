import { USER_DEFINITION } from '@plumbline/scim/discovery'
import { type Answered, createScimEndpoint, defineResourceType } from '@plumbline/scim/endpoint'
import { type SqlStoreOptions, sqlStore } from '@plumbline/scim/sql'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Received, sender } from '../../src/lib/endpoint/testing/serve.ts'
import type { Openable } from './openers.ts'
import type { Execute, Opened } from './tables.ts'

const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }

type Options = Partial<SqlStoreOptions<unknown>>

interface Outcome extends Received {
  /** The messages of the errors that `onError` received. */
  readonly errors: readonly string[]
  /** The answered error's cause, for the log. */
  readonly cause: string | undefined
}

/** Creates a user in the table `users` whose columns are those of a statement. */
async function createIn(
  execute: Execute,
  { dialect, options }: { readonly dialect: Openable['dialect']; readonly options: Options },
  user: object,
  method = 'POST',
  path = '/Users',
): Promise<Outcome> {
  const errors: string[] = []
  let answered: Answered<object> | undefined
  const store = sqlStore<unknown>({
    ...{ execute, dialect, definitions, table: 'users', id: 'id' },
    attributes: { userName: 'login', ...options.attributes },
    ...Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'attributes')),
  })
  const { fetch } = createScimEndpoint<object>({
    basePath: '/scim/v2',
    resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', store })],
    authenticate: async () => ({}),
    transaction: (context, work) => work(context),
    onError: (error) => errors.push(String(error)),
    onAnswer: (one) => {
      answered = one
    },
  })
  const received = await sender(fetch)(method, path, method === 'GET' ? undefined : user)
  const cause = answered?.error?.cause
  return { ...received, errors, cause: cause === undefined ? undefined : String(cause) }
}

/** The mistakes of a program in its tables, its map and its hooks, on a database. */
export function proveMistakes(name: string, { dialect, open }: Openable): void {
  const is = (...dialects: readonly string[]) => dialects.includes(dialect)
  const text = is('mysql') ? 'varchar(190)' : 'text'
  const key = is('mysql') ? 'varchar(36)' : 'text'
  describe(`a row that ${name} rejects`, () => {
    let opened: Opened
    beforeAll(async () => {
      opened = await open()
    })
    beforeEach(async () => {
      for (const table of ['notes', 'mails', 'users', 'orgs']) {
        await opened.execute(`drop table if exists ${table}`, [])
      }
    })
    afterAll(async () => await opened.close())

    const make = async (columns: string, id = `${key} primary key`) => {
      await opened.execute(`create table users (id ${id}, login ${text} not null, ${columns})`, [])
    }
    const create = (options: Options, user: object = {}, ...rest: readonly string[]) =>
      createIn(opened.execute, { dialect, options }, { userName: 'ada', ...user }, ...rest)
    /** A mistake of the program is never the client's: a 500, and one line in `onError`. */
    const expectMistake = ({ status, body, errors }: Outcome, message: string | RegExp) => {
      expect(errors).toEqual([expect.stringMatching(message)])
      expect({ status, detail: body.detail }).toEqual({
        status: 500,
        detail: 'internal server error',
      })
    }
    /** A fault of the client names the attribute, and its cause the column. */
    const expectFault = (outcome: Outcome, detail: string, cause: string | RegExp) => {
      const { status, body, errors } = outcome
      expect({ status, errors, detail: body.detail }).toEqual({ status: 400, errors: [], detail })
      expect(outcome.cause).toMatch(cause)
    }

    it('because a column is not in the map is a 500 that names the column', async () => {
      await make(`password_hash ${text} not null`)
      expectMistake(
        await create({}),
        /^TypeError: users.password_hash is NOT NULL and not in the map: map it, give it a default, name it as the tenant, or set it in hooks.write$/,
      )
    })

    it('because the tenant was forgotten is a 500 that names the column', async () => {
      await make('org_id integer not null')
      expectMistake(
        await create({}),
        /^TypeError: users.org_id is NOT NULL.* name it as the tenant/,
      )
    })

    it('because a hook sets null is a 500 that names the column', async () => {
      await make(`slug ${text} not null`)
      const hooks = { write: () => ({ slug: null }) }
      expectMistake(await create({ hooks }), /^TypeError: users.slug is NOT NULL/)
    })

    it.each([`${key} not null`, ...(is('sqlite') ? ['text primary key'] : [])])(
      'because the database does not assign keys is a 500 that names the id: %s',
      async (type) => {
        await make('x integer', type)
        const id = { column: 'id', key: 'integer' } as const
        const { status, errors } = await create({ id })
        expect(status).toBe(500)
        expect(errors).toEqual([
          expect.stringMatching(
            /^TypeError: users.id does not have a default, so the database does not assign keys: give it one, or map id: 'id' if it is text, for UUIDs that the store creates$/,
          ),
        ])
      },
    )

    // SQLite stores a string in a column of integers, unless it is the key or the table is strict.
    it('because its ids are integers is a 500 that names the key', async () => {
      await make('x integer', 'integer primary key')
      expectMistake(
        await create({}),
        /^TypeError: users.id does not accept the UUIDs that the store creates: map id: \{ column: 'id', key: 'integer' \}/,
      )
    })

    it('because its tenant does not exist is a 500 that names the column', async () => {
      await opened.execute('create table orgs (id integer primary key)', [])
      await make('org_id integer not null, foreign key (org_id) references orgs (id)')
      const sent = await create({ tenant: { column: 'org_id', value: () => 9 } })
      // SQLite does not say which foreign key was violated.
      if (is('sqlite')) expect(sent.status).toBe(400)
      else
        expectMistake(
          sent,
          /^TypeError: users.org_id refers to a row that does not exist, and is not in the map$/,
        )
    })

    it('because of a check on another column is a 500 that names the check', async () => {
      await make("kind varchar(9) default 'x' check (kind <> 'x')")
      expectMistake(await create({}), /^TypeError: users rejects the row by the check .*kind/)
    })

    it('because of a check on a mapped column is a 400 that names the attribute', async () => {
      await make("nick varchar(9) check (nick <> 'bad')")
      expectFault(
        await create({ attributes: { nickName: 'nick' } }, { nickName: 'bad' }),
        'nickName is not accepted by the database',
        /nickName/,
      )
    })

    it('without a required value is a 400 that names the attribute', async () => {
      await make(`nick ${text} not null`)
      expectFault(
        await create({ attributes: { nickName: 'nick' } }),
        'nickName is required',
        /^Error: users.nick \(nickName\): /,
      )
    })

    it('because of a unique column that is not in the map is a 500 that names it', async () => {
      await make("slot varchar(9) not null default 'x' unique")
      expect((await create({})).status).toBe(201)
      const sent = await create({}, { userName: 'bob' })
      // MySQL says only the name of the key.
      if (is('mysql')) expect(sent).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
      else expectMistake(sent, /^TypeError: users.slot is unique and not in the map/)
    })

    it('because a hook derives a taken value from that of the client is 409', async () => {
      await make('slug varchar(90) unique')
      const hooks = { write: () => ({ slug: 'same' }) }
      expect((await create({ hooks })).status).toBe(201)
      expect(await create({ hooks }, { userName: 'bob' })).toMatchObject({
        status: 409,
        errors: [],
        body: { scimType: 'uniqueness' },
      })
    })

    it('because of a mapped foreign key is a 400 that names the attribute', async () => {
      await opened.execute(`create table orgs (code ${key} primary key)`, [])
      await make(`org ${key}, foreign key (org) references orgs (code)`)
      const attributes = { nickName: 'org' }
      const what = 'refers to a resource that does not exist'
      const detail = is('sqlite') ? `a value ${what}` : `nickName ${what}`
      expectFault(await create({ attributes }, { nickName: 'x' }), detail, /users/)
    })

    it('because others refer to a deleted row is a 500 that says so', async () => {
      await make('x integer')
      await opened.execute(
        `create table notes (user_id ${key}, foreign key (user_id) references users (id))`,
        [],
      )
      const { body } = await create({})
      await opened.execute(`insert into notes values ('${body.id}')`, [])
      expectMistake(
        await create({}, {}, 'DELETE', `/Users/${body.id}`),
        /^TypeError: rows of (notes|another table) refer to the deleted row of users: use "on delete cascade", or delete them in hooks.delete$/,
      )
    })

    it('in a table of values is a 500 that names its column', async () => {
      await make('x integer')
      await opened.execute(
        `create table mails (user_id ${key}, mail varchar(90), source varchar(9) not null)`,
        [],
      )
      const emails = { table: 'mails', on: { user_id: 'id' }, columns: { value: 'mail' } }
      expectMistake(
        await create({ attributes: { emails } }, { emails: [{ value: 'a@x' }] }),
        /^TypeError: mails.source is NOT NULL and not in the map/,
      )
    })

    it('in a table of values without a required part is a 400 that names the attribute', async () => {
      await make('x integer')
      await opened.execute(
        `create table mails (user_id ${key}, mail varchar(90), kind varchar(9) not null)`,
        [],
      )
      const columns = { value: 'mail', type: 'kind' }
      const emails = { table: 'mails', on: { user_id: 'id' }, columns }
      expectFault(
        await create({ attributes: { emails } }, { emails: [{ value: 'a@x' }] }),
        'emails.type is required',
        /^Error: mails.kind \(emails.type\): /,
      )
    })

    if (is('sqlite')) return
    // SQLite has neither limits of strings nor types of columns that reject values.
    it('because a string is too long is a 400 that names the attribute', async () => {
      await make('nick varchar(5), title varchar(90)')
      const attributes = { nickName: 'nick', title: 'title' }
      expectFault(
        await create({ attributes }, { nickName: 'a longer name', title: 'Dr' }),
        'nickName is too long',
        /^Error: users.nick \(nickName\): /,
      )
    })

    it('because the column of the ids is too short is a 500 that names it', async () => {
      await make('x integer', 'varchar(20) primary key')
      expectMistake(
        await create({}),
        /^TypeError: users.id does not accept the UUIDs that the store creates: it must have room for 36 characters$/,
      )
    })

    it('because a column of dates gets a boolean is a 500 that names the attribute', async () => {
      await make(`deactivated_at ${is('mysql') ? 'datetime' : 'timestamptz'}`)
      // MariaDB stores false as the date 0000-00-00.
      for (const active of is('mysql') ? [true] : [true, false]) {
        expectMistake(
          await create({ attributes: { active: 'deactivated_at' } }, { active }),
          // PGlite converts values itself.
          name.includes('in-process')
            ? 'Error: Invalid input for date type'
            : `TypeError: users.deactivated_at does not accept ${active} of active: change the type of the column, or map it with encode and decode`,
        )
      }
    })

    it('because of a number that is too large for its column is a 400', async () => {
      const size = { name: 'size', type: 'integer', multiValued: false, required: false } as const
      const plain = { ...USER_DEFINITION, attributes: [...USER_DEFINITION.attributes, size] }
      await make('size smallint')
      expectFault(
        await create(
          { definitions: { [plain.id]: plain }, attributes: { size: 'size' } },
          { size: 70_000 },
        ),
        'size is not accepted by the database',
        /^Error: users.size \(size\): /,
      )
    })

    it('because of a tenant of another type is a 500 that names the column', async () => {
      await make('org_id integer not null')
      const tenant = { column: 'org_id', value: () => 'acme' }
      expectMistake(
        await create({ tenant }),
        is('mysql')
          ? /^TypeError: users.org_id does not accept the value that the program sends: the tenant/
          : 'TypeError: users.org_id has the type integer, and the program compares it with another type',
      )
    })

    if (is('mysql')) return
    // MariaDB stores booleans as integers, and compares a column of the type uuid with any string.
    it('because a column of integers gets a boolean is a 500 that names the attribute', async () => {
      await make('is_active integer not null')
      for (const active of [true, false]) {
        expectMistake(
          await create({ attributes: { active: 'is_active' } }, { active }),
          `TypeError: users.is_active does not accept ${active} of active: change the type of the column, or map it with encode and decode`,
        )
      }
    })

    it('because a string is not a value of an enumeration is a 400 that names the attribute', async () => {
      await opened.execute('drop type if exists mood cascade', [])
      await opened.execute("create type mood as enum ('happy')", [])
      await make('mood mood, is_active boolean')
      const attributes = { nickName: 'mood', active: 'is_active' }
      // The value looks like a message that names the column of the id.
      for (const nickName of [
        'sad',
        'true',
        'x value in TEXT column id',
        '" for column id at row 1',
      ]) {
        expectFault(
          await create({ attributes }, { nickName, active: true }),
          'nickName is not accepted by the database',
          /^Error: users.mood \(nickName\): /,
        )
      }
    })

    // PostgreSQL stores U+0000 neither in strings nor in JSON.
    it('because of a null character is a 400 that names the attribute', async () => {
      await make('nick text, phones jsonb')
      const attributes: Options['attributes'] = {
        nickName: { column: 'nick', encode: (one) => `${one}`, decode: (one) => one },
        phoneNumbers: { column: 'phones', type: 'json' },
      }
      for (const [name, value] of Object.entries({
        nickName: 'a\0b',
        phoneNumbers: [{ value: '1\0' }],
      })) {
        expect(await create({ attributes }, { [name]: value })).toMatchObject({
          ...{ status: 400, errors: [] },
          body: { detail: `${name} must not contain a null character` },
        })
      }
    })

    it('because its ids are of the type uuid is a 500 that says how to map them', async () => {
      await make('x integer', 'uuid primary key')
      const advice = "has the type uuid: map it as { column: 'id', key: 'uuid' }"
      expectMistake(await create({}, {}, 'GET', '/Users/x'), `TypeError: users.id ${advice}`)
      const filter = encodeURIComponent('id sw "0"')
      expectMistake(
        await create({}, {}, 'GET', `/Users?filter=${filter}`),
        "TypeError: a column of users has the type uuid: map it as { column: '…', key: 'uuid' }",
      )
    })

    it('is not one if the map names the type uuid, whatever text a client sends as an id', async () => {
      await make('x integer', 'uuid primary key')
      const id = { column: 'id', key: 'uuid' } as const
      const { body } = await create({ id })
      const read = await create({ id }, {}, 'GET', `/Users/${body.id}`)
      expect(read).toMatchObject({ status: 200, body: { id: body.id } })
      for (const other of ['x', '0', '%00', '%ED%A0%80', body.id.toUpperCase(), `${body.id}1`]) {
        for (const method of ['GET', 'PUT', 'DELETE']) {
          const { status, errors } = await create({ id }, {}, method, `/Users/${other}`)
          expect({ other, status, errors }).toEqual({ other, status: 404, errors: [] })
        }
      }
    })

    it('is not one if members have the type uuid, whatever text a client sends as a member', async () => {
      await make('x integer', 'uuid primary key')
      await opened.execute('create table mails (user_id uuid, friend_id uuid)', [])
      const id = { column: 'id', key: 'uuid' } as const
      const columns = { value: { column: 'friend_id', key: 'uuid' } } as const
      const target = { table: 'users', id: 'id' }
      const emails = { table: 'mails', on: { user_id: 'id' }, columns, target }
      const options = { id, attributes: { emails } }
      const { body } = await create(options)
      const filter = encodeURIComponent('emails.value eq "x" or emails.value sw "y"')
      expect(await create(options, {}, 'GET', `/Users?filter=${filter}`)).toMatchObject({
        ...{ status: 200, body: { totalResults: 0 }, errors: [] },
      })
      const friends = (value: string) => ({ userName: value, emails: [{ value }] })
      expect(await create(options, friends('x'))).toMatchObject({
        ...{ status: 400, body: { detail: 'emails "x" does not exist' }, errors: [] },
      })
      expect(await create(options, friends(body.id))).toMatchObject({ status: 201, errors: [] })
    })
  })
}
