import { GROUP_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { createScimEndpoint, defineResourceType } from '@plumbline/scim/endpoint'
import { type SqlRow, type SqlStoreOptions, sqlStore } from '@plumbline/scim/sql'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { patchOf, type Received, sender } from '../endpoint/serve.ts'
import type { Openable } from './openers.ts'
import type { Execute, Opened } from './tables.ts'

type Options = Partial<SqlStoreOptions<unknown>>

interface Outcome extends Received {
  /** The messages of the errors that `onError` received. */
  readonly errors: readonly string[]
}

/** Serves users and groups. */
function serveIn(
  execute: Execute,
  dialect: Openable['dialect'],
  options: Options,
): (...request: Parameters<ReturnType<typeof sender>>) => Promise<Outcome> {
  const errors: string[] = []
  const users = sqlStore<unknown>({
    execute,
    dialect,
    definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
    table: 'users',
    id: 'id',
    ...options,
    attributes: { userName: 'user_name', 'name.givenName': 'first_name', ...options.attributes },
  })
  const groups = sqlStore<unknown>({
    execute,
    dialect,
    definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION },
    table: 'teams',
    id: 'id',
    attributes: {
      displayName: 'name',
      members: {
        table: 'seats',
        on: { team_id: 'id' },
        columns: { value: 'user_id' },
        target: { table: 'users', id: 'id' },
      },
    },
  })
  const { fetch } = createScimEndpoint<object>({
    basePath: '/scim/v2',
    resourceTypes: [
      defineResourceType({ name: 'User', endpoint: '/Users', store: users }),
      defineResourceType({ name: 'Group', endpoint: '/Groups', store: groups }),
    ],
    authenticate: async () => ({}),
    transaction: (context, work) => work(context),
    onError: (error) => errors.push(String(error)),
  })
  const send = sender(fetch)
  return async (...request) => {
    errors.length = 0
    return { ...(await send(...request)), errors: [...errors] }
  }
}

/** A 500 with one line in `onError`, which the client does not see. */
function expectMistake({ status, body, errors }: Outcome, message: string | RegExp): void {
  expect(errors).toEqual([expect.stringMatching(message)])
  expect({ status, detail: body.detail }).toEqual({ status: 500, detail: 'internal server error' })
}

/** Rows whose columns have other names, as plugins of query builders return them. */
function renamed(execute: Execute, rename: (name: string) => string): Execute {
  return async (sql, parameters) => {
    const rows: unknown = await execute(sql, parameters)
    if (!Array.isArray(rows)) return rows as SqlRow[]
    return rows.map((row: object) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [rename(name), value])),
    )
  }
}

const camelCase = (name: string) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase())

const DEACTIVATE = patchOf({ op: 'replace', path: 'active', value: false })

/** The rows that a store must not read as something else, on a database. */
export function proveRows(name: string, { dialect, open }: Openable): void {
  const is = (...dialects: readonly string[]) => dialects.includes(dialect)
  const text = is('mysql') ? 'varchar(190)' : 'text'
  describe(`a row in ${name}`, () => {
    let opened: Opened
    beforeAll(async () => {
      opened = await open()
    })
    beforeEach(async () => {
      for (const table of ['users', 'teams', 'seats']) await run(`drop table if exists ${table}`)
      await run(`create table teams (id ${text}, name ${text})`)
      await run(`create table seats (team_id ${text}, user_id ${text})`)
    })
    afterAll(async () => await opened.close())

    const run = async (sql: string): Promise<readonly SqlRow[]> => await opened.execute(sql, [])
    /** Creates the table of users with further columns and one row. */
    const make = async (columns: string, values: string, id = "'a'") => {
      await run(
        `create table users (id ${text}, user_name ${text}, first_name ${text}, ${columns})`,
      )
      await run(`insert into users values (${id}, 'ada', 'Ada', ${values})`)
    }
    const serve = (options: Options, execute = opened.execute) => serveIn(execute, dialect, options)

    it('a text that is not a boolean is an error, and a deactivation is not lost', async () => {
      await make(`enabled ${text}`, "'Y'")
      const send = serve({ attributes: { active: 'enabled' } })
      const message =
        /^TypeError: users.enabled contains a value that is neither true nor false: map it with encode and decode$/
      expectMistake(await send('GET', '/Users/a'), message)
      expectMistake(await send('GET', '/Users'), message)
      expectMistake(await send('PATCH', '/Users/a', DEACTIVATE), message)
      expect(await run('select enabled from users')).toEqual([{ enabled: 'Y' }])
    })

    it.each([true, false])(
      'a boolean text the store wrote is read as it was: %s',
      async (active) => {
        await make(`enabled ${text}`, 'null')
        const send = serve({ attributes: { active: 'enabled' } })
        const { body } = await send('POST', '/Users', { userName: 'bob', active })
        expect(body.active).toBe(active)
        expect((await send('GET', `/Users/${body.id}`)).body.active).toBe(active)
      },
    )

    if (!is('sqlite')) {
      it('a bit is read as a boolean', async () => {
        await make('enabled bit(1), other bit(1)', "b'1', b'0'")
        expect(
          (await serve({ attributes: { active: 'enabled' } })('GET', '/Users/a')).body.active,
        ).toBe(true)
        expect(
          (await serve({ attributes: { active: 'other' } })('GET', '/Users/a')).body.active,
        ).toBe(false)
      })
    }

    it('null is unassigned, whatever the type', async () => {
      await make(
        `enabled ${text}, born ${text}, phones ${text}, kind ${text}`,
        'null, null, null, null',
      )
      const send = serve({
        attributes: {
          active: 'enabled',
          'meta.created': { column: 'born', type: 'dateTime', format: 'text' },
          phoneNumbers: { column: 'phones', type: 'json' },
          title: { column: 'kind', encode: String, decode: (stored) => stored },
        },
      })
      const { status, body } = await send('GET', '/Users/a')
      expect(status).toBe(200)
      expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['active']))
      expect(body.meta.created).toBeUndefined()
    })

    it('a text that is not a date is an error', async () => {
      await make(`born ${text}`, "'yesterday'")
      const entry = { column: 'born', type: 'dateTime', format: 'text' } as const
      const send = serve({ attributes: { 'meta.created': entry } })
      expectMistake(
        await send('GET', '/Users/a'),
        /^TypeError: users.born contains a value that is not a date and time as text/,
      )
    })

    it('a text that is not JSON is an error', async () => {
      await make(`phones ${text}, doc ${text}`, "'not json', '[]'")
      const phones = { phoneNumbers: { column: 'phones', type: 'json' } } as const
      expectMistake(
        await serve({ attributes: phones })('GET', '/Users/a'),
        /^TypeError: users.phones contains text that is not JSON$/,
      )
      for (const [path, message] of [
        ['name', /^TypeError: users.doc contains a list, but name is of the type complex$/],
        ['title', /^TypeError: users.doc contains a list, but title is of the type string$/],
      ] as const) {
        const attributes = { [path]: { column: 'doc', type: 'json' } as const }
        const send = serve({ attributes })
        expectMistake(await send('GET', '/Users/a'), message)
      }
      expectMistake(
        await serve({ document: 'doc' })('GET', '/Users/a'),
        /^TypeError: users.doc contains a list, but a document is a JSON object$/,
      )
      expectMistake(
        await serve({ document: 'phones' })('GET', '/Users/a'),
        /^TypeError: users.phones contains text that is not JSON$/,
      )
    })

    if (is('postgres')) {
      it('JSON in a text column is an error', async () => {
        await make('kind jsonb, names text[]', `'{"a":1}', '{a,b}'`)
        expectMistake(
          await serve({ attributes: { title: 'kind' } })('GET', '/Users/a'),
          /^TypeError: users.kind contains an object instead of a string: map it with encode and decode$/,
        )
        expectMistake(
          await serve({ attributes: { title: 'names' } })('GET', '/Users/a'),
          /^TypeError: users.names contains a list instead of a string/,
        )
      })
    }

    it('a decode error or another decoded type is an error with the column name', async () => {
      await make(`kind ${text}`, "'x'")
      const decoded = (decode: (stored: unknown) => unknown) =>
        serve({ attributes: { active: { column: 'kind', encode: String, decode } } })
      const decode = () => {
        throw new RangeError('unknown kind')
      }
      const message = /^TypeError: users.kind: decode threw RangeError: unknown kind$/
      expectMistake(await decoded(decode)('GET', '/Users/a'), message)
      expectMistake(
        await decoded(decode)('POST', '/Users', { userName: 'b', active: true }),
        message,
      )
      expectMistake(
        await decoded(() => 'false')('PATCH', '/Users/a', DEACTIVATE),
        /^TypeError: users.kind: decode returned a string, but active has the type boolean$/,
      )
      expectMistake(
        await decoded(async () => true)('GET', '/Users/a'),
        /^TypeError: users.kind: decode returned a promise, but active has the type boolean$/,
      )
    })

    it('a row without an id is an error', async () => {
      await make(`kind ${text}`, "'x'", 'null')
      expectMistake(
        await serve({})('GET', '/Users'),
        /^TypeError: users.id contains null: each row needs a key$/,
      )
    })

    it('a row older than the version column has version 0', async () => {
      await make('edits integer', 'null')
      const send = serve({ version: 'edits' })
      expect((await send('GET', '/Users/a')).body.meta.version).toBe('W/"0"')
      const { body } = await send('GET', '/Users')
      expect(body.Resources[0]?.meta.version).toBe('W/"0"')
      await run('update users set edits = 7')
      expect((await send('GET', '/Users/a')).body.meta.version).toBe('W/"7"')
    })

    it('renamed columns are an error, and a PATCH writes nothing', async () => {
      await make('is_on boolean', 'null')
      const send = serve({ attributes: { active: 'is_on' } }, renamed(opened.execute, camelCase))
      const message =
        /^TypeError: execute returned rows without the column user_name: it must return them as the database names them, not as userName$/
      for (const [method, path, body] of [
        ['GET', '/Users/a'],
        ['GET', '/Users'],
        ['PATCH', '/Users/a', DEACTIVATE],
        ['PUT', '/Users/a', { userName: 'ada' }],
        ['POST', '/Users', { userName: 'bob' }],
      ] as const) {
        expectMistake(await send(method, path, body), message)
      }
      expect(await run('select first_name, is_on from users')).toEqual([
        { first_name: 'Ada', is_on: null },
      ])
    })

    it('upper-case columns are an error, even in counts and value tables', async () => {
      await make(`kind ${text}`, "'x'")
      await run("insert into teams values ('t', 'Team')")
      await run("insert into seats values ('t', 'a')")
      const only = (pattern: RegExp): Execute => {
        const upper = renamed(opened.execute, (column) => column.toUpperCase())
        return (sql, parameters) => (pattern.test(sql) ? upper : opened.execute)(sql, parameters)
      }
      const without = (column: string) =>
        new RegExp(
          `^TypeError: execute returned rows without the column ${column}: .*, not as ${column.toUpperCase()}$`,
        )
      expectMistake(await serve({}, only(/count/))('GET', '/Users'), without('total'))
      expectMistake(await serve({}, only(/seats/))('GET', '/Groups/t'), without('c1'))
      expectMistake(await serve({}, only(/./))('DELETE', '/Users/a'), without('c0'))
      const add = patchOf({ op: 'add', path: 'members', value: [{ value: 'a' }] })
      expectMistake(await serve({}, only(/seats/))('PATCH', '/Groups/t', add), without('c0'))
      const group = { displayName: 'g', members: [{ value: 'a' }] }
      expectMistake(await serve({}, only(/from .users/))('POST', '/Groups', group), without('c0'))
      expect(await run('select name from teams')).toEqual([{ name: 'Team' }])
      expect(await run('select user_id from seats')).toEqual([{ user_id: 'a' }])
      expectMistake(await serve({}, only(/from .users/))('DELETE', '/Users/a'), without('id'))
    })

    if (!is('sqlite')) {
      it('a key beyond 2^53 is exact, or an error naming the option', async () => {
        await run(`create table users (id bigint, user_name ${text}, first_name ${text})`)
        await run(
          "insert into users values (9007199254740993, 'ada', 'Ada'), (9007199254740992, 'bob', 'Bob')",
        )
        const send = serve({ id: { column: 'id', key: 'integer' } })
        if (is('postgres')) {
          expect((await send('GET', '/Users/9007199254740993')).body.userName).toBe('ada')
          expect((await send('DELETE', '/Users/9007199254740993')).status).toBe(204)
          expect(await run('select user_name from users')).toEqual([{ user_name: 'bob' }])
          return
        }
        for (const method of ['GET', 'DELETE'] as const) {
          expectMistake(
            await send(method, '/Users/9007199254740992'),
            /^TypeError: users.id contains an integer outside of ±\(2\^53-1\), which the driver has rounded: .*supportBigNumbers: true and bigNumberStrings: true in mysql2$/,
          )
        }
        expectMistake(await send('GET', '/Users'), /^TypeError: users.id contains an integer/)
        expect(await run('select user_name from users')).toHaveLength(2)
      })
    }
  })
}
