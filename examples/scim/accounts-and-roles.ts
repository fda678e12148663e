// Two customers on one endpoint: links provisioned users to accounts, gives roles by groups, and ends sessions when a user
// is deactivated. A customer manages the accounts of its verified domains only.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { projection } from '@plumbline/scim/access'
import { GROUP_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import {
  bearerTokens,
  createScimEndpoint,
  defineResourceType,
  issueToken,
  type Transaction,
} from '@plumbline/scim/endpoint'
import { type Execute, sqlStore } from '@plumbline/scim/sql'

const database = new DatabaseSync(':memory:')
database.exec(`
  create table domains (domain text primary key, tenant text not null);
  create table accounts (id integer primary key autoincrement, email text not null collate nocase unique,
    is_verified boolean not null);
  create table sessions (token text primary key, account_id integer not null references accounts (id));
  create table links (user_id text primary key, tenant text not null, is_active boolean not null,
    account_id integer not null unique references accounts (id));
  create table roles (user_id text not null, role text not null, group_id text not null, request_id text not null);
  create table role_groups (tenant text not null, external_id text not null, role text not null);
  create table scim_users (id integer primary key autoincrement, tenant text not null, user_name text not null,
    is_active boolean not null default true, unique (tenant, user_name collate nocase));
  create table scim_groups (id integer primary key autoincrement, tenant text not null, name text not null,
    external_id text);
  create table scim_members (group_id integer not null, user_id integer not null references scim_users (id),
    primary key (group_id, user_id));
`)
const all = (sql: string, ...values: SQLInputValue[]) => database.prepare(sql).all(...values)
const first = (sql: string, ...values: SQLInputValue[]) => all(sql, ...values)[0]

interface Client {
  readonly tenant: string
}

// From here on: the user code.
function isManaged(email: unknown, { tenant }: Client): boolean {
  const domain = String(email).toLowerCase().replace(/^.*@/, '')
  return (
    first('select 1 from domains where domain = ? and tenant = ?', domain, tenant) !== undefined
  )
}

const access = projection<Client, number, string>({
  link: {
    attribute: 'userName',
    // On PostgreSQL and MySQL: `for update`.
    find: (email) => {
      const sql = `select id, is_verified, user_id from accounts left join links on account_id = id where email = ?`
      const account = first(sql, email)
      if (account === undefined) return null
      return {
        account: Number(account.id),
        isVerified: account.is_verified === 1,
        linkedTo: account.user_id === null ? null : String(account.user_id),
      }
    },
    // The address of the account, not the one that the client sent.
    mayManage: (account, client) =>
      isManaged(first('select email from accounts where id = ?', account)?.email, client),
    create: ({ userName }, client) => {
      if (!isManaged(userName, client)) return null
      const sql = 'insert into accounts (email, is_verified) values (?, true) returning id'
      return Number(first(sql, String(userName))?.id)
    },
  },
  // Another customer may have a group with the same id.
  roles: ({ externalId = null }, { tenant }) => {
    const sql = 'select role from role_groups where tenant = ? and external_id = ?'
    return all(sql, tenant, externalId as string | null).map(({ role }) => String(role))
  },
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
  stored: (after, { tenant }) => {
    const sql = `select user_id from links where tenant = ? and user_id > ? order by user_id limit 100`
    return all(sql, tenant, after ?? '').map(({ user_id }) => String(user_id))
  },
  apply: (changes, { tenant }) => {
    for (const { user, account, isActive, isDeleted, grants } of changes) {
      all('delete from links where user_id = ?', user)
      all('delete from roles where user_id = ?', user)
      if (!isActive) all('delete from sessions where account_id = ?', account)
      if (isDeleted) continue
      all('insert into links values (?, ?, ?, ?)', user, tenant, Number(isActive), account)
      for (const { role, because } of grants) {
        all('insert into roles values (?, ?, ?, ?)', user, role, because.group, because.requestId)
      }
    }
  },
})
// To here.

/** One connection has one transaction at a time. */
let last: Promise<unknown> = Promise.resolve()
const transaction: Transaction<Client> = (context, work) => {
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

const execute: Execute<Client> = (sql, values) => database.prepare(sql).all(...(values as never[]))
const id = { column: 'id', key: 'integer' } as const
const tenant = { column: 'tenant', value: ({ tenant }: Client) => tenant }
const users = sqlStore<Client>({
  execute,
  dialect: 'sqlite',
  id,
  tenant,
  table: 'scim_users',
  definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
  attributes: { userName: 'user_name', active: 'is_active' },
})
const groups = sqlStore<Client>({
  execute,
  dialect: 'sqlite',
  id,
  tenant,
  table: 'scim_groups',
  definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION },
  attributes: {
    displayName: 'name',
    externalId: 'external_id',
    members: {
      table: 'scim_members',
      on: { group_id: 'id' },
      columns: { value: { column: 'user_id', key: 'integer' } },
      target: { table: 'scim_users', id: 'id', tenant: 'tenant' },
    },
  },
})
const secrets = { a: await issueToken(), b: await issueToken() }
const clients = new Map(Object.entries(secrets).map(([tenant, { hash }]) => [hash, { tenant }]))
const scim = createScimEndpoint<Client>({
  basePath: '/scim/v2',
  resourceTypes: [
    defineResourceType({ name: 'User', endpoint: '/Users', store: users }),
    defineResourceType({ name: 'Group', endpoint: '/Groups', store: groups }),
  ],
  authenticate: bearerTokens({ find: (hash) => clients.get(hash) }),
  transaction,
  requestId: ({ headers }) => headers.get('X-Request-Id') ?? 'none',
  onChange: access.onChange,
  onError: (error) => console.error(error),
})

async function send(tenant: 'a' | 'b', method: string, path: string, body: object, id = 'r1') {
  const headers = {
    Authorization: `Bearer ${secrets[tenant].token}`,
    'Content-Type': 'application/scim+json',
    'X-Request-Id': id,
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
database.exec(`insert into domains values ('a.example', 'a'), ('b.example', 'b')`)
database.exec(
  `insert into accounts (email, is_verified) values ('ada@a.example', true), ('eve@a.example', false)`,
)
database.exec(`insert into sessions values ('session of Ada', 1)`)
database.exec(`insert into role_groups values ('a', '00g1', 'admin')`)

// Customer b provisions the address of customer a. Ada keeps her session, and customer a can still provision her.
const mallory = await send('b', 'POST', '/Users', { userName: 'ada@a.example' })
mallory.body.detail //=> 'userName is already taken'
const ada = await send('a', 'POST', '/Users', { userName: 'ada@a.example' })
ada.status //=> 201
all('select user_id, tenant, account_id from links') //=> [{ user_id: '1', tenant: 'a', account_id: 1 }]
const eve = await send('a', 'POST', '/Users', { userName: 'eve@a.example' })
eve.status //=> 409

// Both customers have a group with the external id 00g1.
const bob = await send('b', 'POST', '/Users', { userName: 'bob@b.example' })
const groupOf = (user: string) => ({
  displayName: 'Admins',
  externalId: '00g1',
  members: [{ value: user }],
})
await send('b', 'POST', '/Groups', groupOf(bob.body.id))
const admins = await send('a', 'POST', '/Groups', groupOf(ada.body.id), 'r2')
all('select user_id, role from roles') //=> [{ user_id: '1', role: 'admin' }]
const [grant] = await access.explain(ada.body.id, { tenant: 'a' })
grant //=> { role: 'admin', because: { group: '2', requestId: 'r2' } }

// The user's address changes. The account keeps its own.
await send('b', 'PATCH', `/Users/${bob.body.id}`, replace('userName', 'eve@a.example'))
all('select email from accounts where id = 3') //=> [{ email: 'bob@b.example' }]

const deactivated = await send('a', 'PATCH', `/Users/${ada.body.id}`, replace('active', false))
deactivated.status //=> 200
all('select * from sessions').length //=> 0
all('select * from roles').length //=> 0
await send('a', 'PATCH', `/Users/${ada.body.id}`, replace('active', true))
all('select * from roles').length //=> 1

// A role that was deleted by hand is repaired.
database.exec('delete from roles')
await access.reconcile(scim, { tenant: 'a' }) //=> { checked: 1, repaired: ['1'], failed: [] }
// A user that was inserted by hand cannot be linked: the address of its account is not verified.
database.exec(`insert into scim_users (tenant, user_name) values ('a', 'eve@a.example')`)
const { failed } = await access.reconcile(scim, { tenant: 'a' })
failed.map(({ reason }) => reason) //=> ['isVerified is false']
await send('a', 'PATCH', `/Groups/${admins.body.id}`, replace('externalId', '00g2'))
all('select * from roles').length //=> 0
// The access of a user that was deleted by hand ends.
database.exec(`delete from scim_members; delete from scim_users where user_name = 'ada@a.example'`)
const { repaired } = await access.reconcile(scim, { tenant: 'a' })
repaired //=> ['1']
all('select tenant from links') //=> [{ tenant: 'b' }]
