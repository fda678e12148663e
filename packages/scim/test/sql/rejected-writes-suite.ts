import { GROUP_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { createScimEndpoint, defineResourceType, type Transaction } from '@plumbline/scim/endpoint'
import { type Dialect, sqlStore } from '@plumbline/scim/sql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patchOf, type Send, sender } from '../endpoint/serve.ts'
import type { Openable } from './openers.ts'
import type { Execute, Opened } from './tables.ts'

const TABLES = ['users', 'user_mails', 'teams', 'team_users']

interface Ids {
  readonly a: string
  readonly b: string
  readonly team: string
}

interface Rejected {
  readonly title: string
  readonly method: string
  readonly path: (ids: Ids) => string
  readonly body: (ids: Ids) => object
  readonly status: number
}

const mails = (...values: readonly string[]) => values.map((value) => ({ value, type: 'work' }))
const team = ({ team: id }: Ids): string => `/Groups/${id}`
const user = ({ a }: Ids): string => `/Users/${a}`
const member = (value: string) => ({ value })
const UNKNOWN = member('999')

/** Requests rejected before a statement changes a row. RFC 7644 §3.5.2: the resource must be restored. */
const REJECTED: readonly Rejected[] = [
  {
    title: 'a PATCH whose new members are not all known',
    method: 'PATCH',
    path: team,
    body: ({ a }) => patchOf({ op: 'replace', path: 'members', value: [member(a), UNKNOWN] }),
    status: 400,
  },
  {
    title: 'a PUT with an unknown member',
    method: 'PUT',
    path: team,
    body: () => ({ displayName: 'other', members: [UNKNOWN] }),
    status: 400,
  },
  {
    title: 'a PATCH that removes a member and adds an unknown one',
    method: 'PATCH',
    path: team,
    body: ({ b }) =>
      patchOf(
        { op: 'replace', path: 'displayName', value: 'other' },
        { op: 'remove', path: `members[value eq "${b}"]` },
        { op: 'add', path: 'members', value: [UNKNOWN] },
      ),
    status: 400,
  },
  {
    title: 'a POST of a group with an unknown member',
    method: 'POST',
    path: () => '/Groups',
    body: ({ a }) => ({ displayName: 'new', members: [member(a), UNKNOWN] }),
    status: 400,
  },
  {
    title: 'a POST of a group whose member is not a key',
    method: 'POST',
    path: () => '/Groups',
    body: () => ({ displayName: 'new', members: [member('x')] }),
    status: 400,
  },
  {
    title: 'a PUT with new addresses and a phone without a place',
    method: 'PUT',
    path: user,
    body: () => ({
      userName: 'a',
      emails: mails('new@a.com'),
      phoneNumbers: [{ value: '1', type: 'fax' }],
    }),
    status: 400,
  },
  {
    title: 'a PATCH with new addresses and a phone without a place',
    method: 'PATCH',
    path: user,
    body: () =>
      patchOf(
        { op: 'replace', path: 'emails', value: mails('new@a.com') },
        { op: 'add', path: 'phoneNumbers', value: [{ value: '1', type: 'fax' }] },
      ),
    status: 400,
  },
  {
    title: 'a PATCH without addresses and with a value that encode rejects',
    method: 'PATCH',
    path: user,
    body: () =>
      patchOf({ op: 'remove', path: 'emails' }, { op: 'replace', path: 'title', value: 'reject' }),
    status: 500,
  },
  {
    title: 'a POST with a value that encode rejects',
    method: 'POST',
    path: () => '/Users',
    body: () => ({ userName: 'new', title: 'reject', emails: mails('new@a.com') }),
    status: 500,
  },
  {
    title: 'a PUT with an address that no column can store',
    method: 'PUT',
    path: user,
    body: () => ({ userName: 'new', emails: mails('new@a.com', 'a\0@a.com') }),
    status: 400,
  },
  {
    title: 'a POST with an address that no column can store',
    method: 'POST',
    path: () => '/Users',
    body: () => ({ userName: 'new', emails: mails('\ud800@a.com') }),
    status: 400,
  },
  {
    title: 'a PATCH with new addresses and the userName of another user',
    method: 'PATCH',
    path: user,
    body: () => patchOf({ op: 'replace', value: { userName: 'B', emails: mails('new@a.com') } }),
    status: 409,
  },
  {
    title: 'a PATCH with new addresses and a name that a CHECK rejects',
    method: 'PATCH',
    path: user,
    body: () =>
      patchOf({ op: 'replace', value: { nickName: 'rejected', emails: mails('new@a.com') } }),
    status: 400,
  },
]

/** Requests rejected by the database after the first statement, so only a transaction undoes them. */
const REJECTED_LATE: readonly Rejected[] = [
  {
    title: 'a PATCH with an address that a CHECK rejects',
    method: 'PATCH',
    path: user,
    body: () =>
      patchOf({ op: 'replace', value: { nickName: 'x', emails: mails('rejected@a.com') } }),
    status: 400,
  },
  {
    title: 'a POST with an address that a CHECK rejects',
    method: 'POST',
    path: () => '/Users',
    body: () => ({ userName: 'new', emails: mails('new@a.com', 'rejected@a.com') }),
    status: 400,
  },
]

/** Proves that a rejected write changes nothing, also if the transaction isolates and undoes nothing. */
export function proveRejectedWrites(name: string, { dialect, open }: Openable): void {
  describe(`a rejected write on ${name} leaves every table as it was`, () => {
    let opened: Opened
    let ids: Ids
    beforeAll(async () => {
      opened = await open()
      for (const statement of statementsOf(dialect)) await opened.execute(statement, [])
      const send = serve(opened.execute, dialect, (context, work) => work(context))
      const create = async (path: string, body: object): Promise<string> =>
        (await send('POST', path, body)).body.id
      const a = await create('/Users', { userName: 'a', emails: mails('a@a.com'), nickName: 'n' })
      const b = await create('/Users', { userName: 'b' })
      const members = [member(a), member(b)]
      ids = { a, b, team: await create('/Groups', { displayName: 't', members }) }
    })
    afterAll(() => opened.close())

    const prove = async (
      { method, path, body, status }: Rejected,
      transaction: Transaction<object>,
    ) => {
      const { execute } = opened
      const contents = () =>
        Promise.all(TABLES.map((table) => execute(`select * from ${table}`, [])))
      const before = await contents()
      const send = serve(execute, dialect, transaction)
      expect((await send(method, path(ids), body(ids))).status).toBe(status)
      expect(await contents()).toEqual(before)
    }

    it.each(REJECTED)(
      '$title leaves every table as it was, without a real transaction',
      async (rejected) => {
        await prove(rejected, (context, work) => work(context))
      },
    )

    it.each(REJECTED_LATE)(
      '$title leaves every table as it was, with a transaction',
      async (rejected) => {
        await prove(rejected, async (context, work) => {
          await opened.execute('begin', [])
          try {
            const value = await work(context)
            await opened.execute('commit', [])
            return value
          } catch (error) {
            await opened.execute('rollback', [])
            throw error
          }
        })
      },
    )
  })
}

function statementsOf(dialect: Dialect): readonly string[] {
  const key = {
    sqlite: 'integer primary key autoincrement',
    postgres: 'serial primary key',
    mysql: 'int auto_increment primary key',
  }[dialect]
  return [
    `create table users (id ${key}, login varchar(90) not null, nick varchar(90), title varchar(90),
      phone varchar(90), revision integer not null, check (nick <> 'rejected'))`,
    `create table user_mails (user_id integer not null, address varchar(90) not null, kind varchar(90),
      check (address <> 'rejected@a.com'))`,
    `create table teams (id ${key}, name varchar(90) not null, revision integer not null)`,
    `create table team_users (team_id integer not null, user_id integer not null,
      primary key (team_id, user_id))`,
  ]
}

function serve(execute: Execute, dialect: Dialect, transaction: Transaction<object>): Send {
  const common = {
    execute,
    dialect,
    id: { column: 'id', key: 'integer' },
    version: 'revision',
  } as const
  const users = sqlStore<object>({
    ...common,
    table: 'users',
    definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
    attributes: {
      userName: 'login',
      nickName: 'nick',
      'phoneNumbers[work].value': 'phone',
      title: {
        column: 'title',
        encode: (value) => {
          throw new Error(`the title ${value} is unknown`)
        },
        decode: () => undefined,
      },
      emails: {
        table: 'user_mails',
        on: { user_id: 'id' },
        columns: { value: 'address', type: 'kind' },
      },
    },
  })
  const groups = sqlStore<object>({
    ...common,
    table: 'teams',
    definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION },
    attributes: {
      displayName: 'name',
      members: {
        table: 'team_users',
        on: { team_id: 'id' },
        columns: { value: { column: 'user_id', key: 'integer' } },
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
    transaction,
    // Some writes are internal errors.
    onError: () => undefined,
  })
  return sender(fetch)
}
