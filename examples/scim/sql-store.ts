// Serves users and teams from tables that were not made for SCIM.
import { type Transaction as Connection, PGlite } from '@electric-sql/pglite'
import { GROUP_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import {
  bearerTokens,
  createScimEndpoint,
  defineResourceType,
  issueToken,
} from '@plumbline/scim/endpoint'
import { type Execute, sqlStore } from '@plumbline/scim/sql'

// PostgreSQL in this process.
const database = new PGlite()
await database.exec(`
  create table users (id uuid primary key default gen_random_uuid(), org_id integer not null, username text not null,
    email text, first_name text, last_name text, is_enabled boolean not null default true, directory_id text,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now());
  create unique index users_by_username on users (org_id, lower(username));
  create table teams (id uuid primary key default gen_random_uuid(), org_id integer not null, name text not null,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now());
  create table team_users (team_id uuid not null references teams on delete cascade,
    user_id uuid not null references users on delete cascade, primary key (team_id, user_id));
  create table scim_tokens (hash text primary key, org_id integer not null);
`)

interface Client {
  readonly org: number
  readonly connection?: Connection
}

// From here on: the user code.
const execute: Execute<Client> = async (sql, values, { connection = database }) =>
  (await connection.query<object>(sql, [...values])).rows
const id = { column: 'id', key: 'uuid' } as const
const tenant = { column: 'org_id', value: ({ org }: Client) => org }
const common = { execute, dialect: 'postgres', id, tenant } as const
const times = { 'meta.created': 'created_at', 'meta.lastModified': 'updated_at' }
const users = sqlStore<Client>({
  ...common,
  table: 'users',
  definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
  attributes: {
    userName: 'username',
    'emails[work].value': 'email',
    externalId: 'directory_id',
    'name.givenName': 'first_name',
    'name.familyName': 'last_name',
    active: 'is_enabled',
    ...times,
  },
})
const member = { column: 'user_id', key: 'uuid' } as const
const target = { table: 'users', id: 'id', tenant: 'org_id' }
const members = { table: 'team_users', on: { team_id: 'id' }, columns: { value: member }, target }
const groups = sqlStore<Client>({
  ...common,
  table: 'teams',
  definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION },
  attributes: { displayName: 'name', members, ...times },
})
// To here.

export const scim = createScimEndpoint<Client>({
  basePath: '/scim/v2',
  resourceTypes: [
    defineResourceType({ name: 'User', endpoint: '/Users', store: users }),
    defineResourceType({ name: 'Group', endpoint: '/Groups', store: groups }),
  ],
  authenticate: bearerTokens({
    find: async (hash) => {
      const sql = 'select org_id as org from scim_tokens where hash = $1'
      return (await database.query<Client>(sql, [hash])).rows[0]
    },
  }),
  transaction: (client, work) =>
    database.transaction((connection) => work({ ...client, connection })),
  profile: 'entra',
  onError: (error) => console.error(error),
})

// The token of a customer. It is shown once.
export const { token, hash } = await issueToken({ prefix: 'acme_scim_' })
await database.query('insert into scim_tokens values ($1, 7)', [hash])

async function send(method: string, path: string, body?: object) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' }
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const response = await scim.fetch(new Request(`https://example.com/scim/v2${path}`, init))
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

const emails = [{ value: 'babs@example.com', type: 'work' }]
const created = await send('POST', '/Users', { userName: 'BJensen', emails, active: 'True' })
created.body.active //=> true
const again = await send('POST', '/Users', { userName: 'bjensen' })
again.body.detail //=> 'userName is already taken'
const filter = encodeURIComponent('emails[type eq "work" and value sw "babs@"]')
const found = await send('GET', `/Users?filter=${filter}`)
found.body.totalResults //=> 1
const member1 = { value: created.body.id }
const team = await send('POST', '/Groups', { displayName: 'Guides', members: [member1] })
team.body.members.length //=> 1
const unknown = await send('POST', '/Groups', { displayName: 'x', members: [{ value: '2' }] })
unknown.body.detail //=> 'members "2" does not exist'
const deleted = await send('DELETE', `/Users/${created.body.id}`)
deleted.status //=> 204
const left = await send('GET', `/Groups/${team.body.id}`)
left.body.members //=> undefined
