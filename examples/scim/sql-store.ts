// Serves users and teams from tables that were not made for SCIM.
import { DatabaseSync } from 'node:sqlite'
import { GROUP_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { createScimEndpoint, defineResourceType } from '@plumbline/scim/endpoint'
import { type Execute, sqlStore } from '@plumbline/scim/sql'

const database = new DatabaseSync(':memory:')
database.exec(`
  create table users (id integer primary key autoincrement, org_id integer not null, email text not null,
    first_name text, last_name text, is_enabled boolean not null default true, directory_id text,
    created_at text, updated_at text, unique (org_id, email collate nocase));
  create table teams (id integer primary key autoincrement, org_id integer not null, name text not null);
  create table team_users (team_id integer not null, user_id integer not null references users (id),
    primary key (team_id, user_id));
`)

interface Client {
  readonly org: number
}

// From here on: the user code.
const execute: Execute<Client> = (sql, values) => database.prepare(sql).all(...(values as never[]))
const id = { column: 'id', key: 'integer' } as const
const tenant = { column: 'org_id', value: ({ org }: Client) => org }
const common = { execute, dialect: 'sqlite', id, tenant } as const
const users = sqlStore<Client>({
  ...common,
  table: 'users',
  definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
  attributes: {
    userName: 'email',
    'emails[work].value': 'email',
    externalId: 'directory_id',
    'name.givenName': 'first_name',
    'name.familyName': 'last_name',
    active: 'is_enabled',
    'meta.created': 'created_at',
    'meta.lastModified': 'updated_at',
  },
})
const member = { column: 'user_id', key: 'integer' } as const
const target = { table: 'users', id: 'id', tenant: 'org_id' }
const members = { table: 'team_users', on: { team_id: 'id' }, columns: { value: member }, target }
const groups = sqlStore<Client>({
  ...common,
  table: 'teams',
  definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION },
  attributes: { displayName: 'name', members },
})
// To here.

export const scim = createScimEndpoint<Client>({
  basePath: '/scim/v2',
  resourceTypes: [
    defineResourceType({ name: 'User', endpoint: '/Users', store: users }),
    defineResourceType({ name: 'Group', endpoint: '/Groups', store: groups }),
  ],
  authenticate: async ({ headers }) =>
    headers.get('Authorization') === 'Bearer secret' ? { org: 7 } : null,
  profile: 'entra',
  onError: (error) => console.error(error),
})

async function send(method: string, path: string, body?: object) {
  const headers = { Authorization: 'Bearer secret', 'Content-Type': 'application/scim+json' }
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const response = await scim.fetch(new Request(`https://example.com/scim/v2${path}`, init))
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

const created = await send('POST', '/Users', { userName: 'BJensen@example.com', active: 'True' })
created.body.emails //=> [{ value: 'BJensen@example.com', type: 'work' }]
const again = await send('POST', '/Users', { userName: 'bjensen@EXAMPLE.com' })
again.body.detail //=> 'userName is already taken'
const filter = encodeURIComponent('emails[type eq "work" and value sw "bjensen@"]')
const found = await send('GET', `/Users?filter=${filter}`)
found.body.totalResults //=> 1
const team = await send('POST', '/Groups', {
  displayName: 'Guides',
  members: [created.body].map(({ id }) => ({ value: id })),
})
team.body.members //=> [{ value: '1' }]
const unknown = await send('POST', '/Groups', { displayName: 'x', members: [{ value: '2' }] })
unknown.body.detail //=> 'members "2" does not exist'
const deleted = await send('DELETE', `/Users/${created.body.id}`)
deleted.status //=> 204
const left = await send('GET', `/Groups/${team.body.id}`)
left.body.members //=> undefined
