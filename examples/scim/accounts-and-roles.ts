// Links provisioned users to accounts, gives roles by groups, and ends sessions when a user is deactivated.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { projection } from '@plumbline/scim/access'
import { GROUP_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { createScimEndpoint, defineResourceType, type Transaction } from '@plumbline/scim/endpoint'
import { type Execute, sqlStore } from '@plumbline/scim/sql'

const database = new DatabaseSync(':memory:')
database.exec(`
  create table accounts (id integer primary key autoincrement, email text not null unique, is_verified boolean not null);
  create table sessions (token text primary key, account_id integer not null references accounts (id));
  create table links (user_id text primary key, account_id integer not null unique references accounts (id),
    is_active boolean not null);
  create table roles (user_id text not null, role text not null, group_id text not null, request_id text not null);
  create table scim_users (id integer primary key autoincrement, user_name text not null unique,
    is_active boolean not null default true);
  create table scim_groups (id integer primary key autoincrement, name text not null);
  create table scim_members (group_id integer not null, user_id integer not null references scim_users (id),
    primary key (group_id, user_id));
`)
const all = (sql: string, ...values: SQLInputValue[]) => database.prepare(sql).all(...values)
const first = (sql: string, ...values: SQLInputValue[]) => all(sql, ...values)[0]

// From here on: the user code.
const access = projection<object, number, string>({
  link: {
    attribute: 'userName',
    find: (email) => {
      const account = first('select id, is_verified from accounts where email = ?', email)
      if (account === undefined) return null
      const link = first('select user_id from links where account_id = ?', Number(account.id))
      return {
        account: Number(account.id),
        isVerified: account.is_verified === 1,
        linkedTo: link === undefined ? null : String(link.user_id),
      }
    },
    create: ({ userName }) => {
      const sql = 'insert into accounts (email, is_verified) values (?, true) returning id'
      return Number(first(sql, String(userName))?.id)
    },
  },
  roles: { 'displayName:Finance': 'billing' },
  read: (users) => {
    const ids = JSON.stringify(users)
    const [linked, roles] = ['links', 'roles'].map((table) =>
      all(`select * from ${table} where user_id in (select value from json_each(?))`, ids),
    )
    return new Map(
      linked?.map(({ user_id, account_id, is_active }) => [
        String(user_id),
        {
          account: Number(account_id),
          isActive: is_active === 1,
          grants: (roles ?? [])
            .filter((role) => role.user_id === user_id)
            .map(({ role, group_id, request_id }) => ({
              role: String(role),
              because: { group: String(group_id), requestId: String(request_id) },
            })),
        },
      ]),
    )
  },
  apply: (changes) => {
    for (const { user, account, isActive, isDeleted, grants } of changes) {
      all('delete from links where user_id = ?', user)
      all('delete from roles where user_id = ?', user)
      if (!isActive) all('delete from sessions where account_id = ?', account)
      if (isDeleted) continue
      all('insert into links values (?, ?, ?)', user, account, Number(isActive))
      for (const { role, because } of grants) {
        all('insert into roles values (?, ?, ?, ?)', user, role, because.group, because.requestId)
      }
    }
  },
})
// To here.

/** One connection has one transaction at a time. */
let last: Promise<unknown> = Promise.resolve()
const transaction: Transaction<object> = (context, work) => {
  const result = last.then(async () => {
    database.exec('begin immediate')
    try {
      const value = await work(context)
      database.exec('commit')
      return value
    } catch (error) {
      database.exec('rollback')
      throw error
    }
  })
  last = result.catch(() => undefined)
  return result
}

const execute: Execute<object> = (sql, values) => database.prepare(sql).all(...(values as never[]))
const id = { column: 'id', key: 'integer' } as const
const users = sqlStore<object>({
  execute,
  dialect: 'sqlite',
  id,
  table: 'scim_users',
  definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
  attributes: { userName: 'user_name', active: 'is_active' },
})
const groups = sqlStore<object>({
  execute,
  dialect: 'sqlite',
  id,
  table: 'scim_groups',
  definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION },
  attributes: {
    displayName: 'name',
    members: {
      table: 'scim_members',
      on: { group_id: 'id' },
      columns: { value: { column: 'user_id', key: 'integer' } },
      target: { table: 'scim_users', id: 'id' },
    },
  },
})
const scim = createScimEndpoint<object>({
  basePath: '/scim/v2',
  resourceTypes: [
    defineResourceType({ name: 'User', endpoint: '/Users', store: users }),
    defineResourceType({ name: 'Group', endpoint: '/Groups', store: groups }),
  ],
  authenticate: async ({ headers }) =>
    headers.get('Authorization') === 'Bearer secret' ? {} : null,
  transaction,
  requestId: ({ headers }) => headers.get('X-Request-Id') ?? 'none',
  onChange: access.onChange,
})

async function send(method: string, path: string, body: object, requestId = 'r1') {
  const headers = {
    Authorization: 'Bearer secret',
    'Content-Type': 'application/scim+json',
    'X-Request-Id': requestId,
  }
  const url = `https://example.com/scim/v2${path}`
  const response = await scim.fetch(
    new Request(url, { method, headers, body: JSON.stringify(body) }),
  )
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}
const replace = (path: string, value: unknown) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', path, value }],
})

// Ada has an account, and her address is verified. The address of Eve's account is not verified.
database.exec(
  `insert into accounts (email, is_verified) values ('ada@example.com', true), ('eve@example.com', false)`,
)
database.exec(`insert into sessions values ('session of Ada', 1)`)
const ada = await send('POST', '/Users', { userName: 'ada@example.com' })
ada.status //=> 201
const eve = await send('POST', '/Users', { userName: 'eve@example.com' })
eve.body.detail //=> 'userName is already taken'

const members = [{ value: ada.body.id }]
const finance = await send('POST', '/Groups', { displayName: 'Finance', members }, 'r2')
const [grant] = await access.explain(ada.body.id, {})
grant //=> { role: 'billing', because: { group: '1', requestId: 'r2' } }

const deactivated = await send('PATCH', `/Users/${ada.body.id}`, replace('active', false))
deactivated.status //=> 200
all('select * from sessions').length //=> 0
all('select * from roles').length //=> 0
await send('PATCH', `/Users/${ada.body.id}`, replace('active', true))
all('select * from roles').length //=> 1

// A role that was deleted by hand is repaired.
database.exec('delete from roles')
await access.reconcile(scim, {}) //=> { checked: 1, repaired: ['1'], failed: [] }
// A user that was inserted by hand cannot be linked: the address of its account is not verified.
database.exec(`insert into scim_users (user_name) values ('eve@example.com')`)
const { failed } = await access.reconcile(scim, {})
failed.map(({ scimType }) => scimType) //=> ['uniqueness']
await send('PATCH', `/Groups/${finance.body.id}`, replace('displayName', 'Finances'))
all('select * from roles').length //=> 0
