import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '@plumbline/scim/discovery'
import {
  createScimEndpoint,
  defineResourceType,
  type ScimEndpointOptions,
} from '@plumbline/scim/endpoint'
import { type Dialect, type Execute, type SqlStoreOptions, sqlStore } from '@plumbline/scim/sql'
import { type Send, sender } from '../endpoint/serve.ts'

// An application with tables that were not made for SCIM, and the map of its attributes.

/** The context of a client. */
export interface Client {
  readonly org: number
}

export function tables(dialect: Dialect): readonly string[] {
  const key = {
    sqlite: 'integer primary key autoincrement',
    postgres: 'serial primary key',
    mysql: 'int auto_increment primary key',
  }[dialect]
  const text = dialect === 'mysql' ? 'varchar(190)' : 'text'
  const time = { sqlite: 'text', postgres: 'timestamptz', mysql: 'datetime(3)' }[dialect]
  return [
    `create table users (
      id ${key}, org_id integer not null, email ${text} not null, first_name ${text}, last_name varchar(40),
      is_enabled boolean not null default true, directory_id ${text}, department ${text}, mail ${text}, phone ${text}, mobile ${text},
      password_hash ${text}, created_at ${time}, updated_at ${time}, revision integer not null default 1,
      constraint users_email unique (org_id, email), check (first_name <> 'invalid'))`,
    `create table teams (
      id ${key}, org_id integer not null, name ${text} not null, kind varchar(10) not null, directory_id ${text}, archived_at ${time}, revision integer not null default 1)`,
    `create table team_users (
      team_id integer not null, user_id integer not null, primary key (team_id, user_id),
      foreign key (user_id) references users (id))`,
    `create table user_addresses (
      user_id integer not null, org_id integer not null, label varchar(20), street ${text}, is_main boolean, place integer)`,
    `create table user_photos (id ${key}, user_id integer not null, url ${text}, label varchar(20))`,
    // Two requests at the same time may differ only in letter case.
    ...(dialect === 'postgres'
      ? ['create unique index users_email_key on users (org_id, lower(email))']
      : []),
  ]
}

const user = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
}
const group = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }
const key = 'integer' as const
const tenant = { column: 'org_id', value: ({ org }: Client) => org }

export function userOptions(execute: Execute<Client>, dialect: Dialect): SqlStoreOptions<Client> {
  return {
    execute,
    dialect,
    definitions: user,
    tenant,
    table: 'users',
    id: { column: 'id', key },
    version: 'revision',
    attributes: {
      userName: 'email',
      'emails[work].value': 'email',
      'name.givenName': 'first_name',
      'name.familyName': 'last_name',
      active: 'is_enabled',
      externalId: 'directory_id',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': 'department',
      'phoneNumbers[work].value': 'phone',
      'phoneNumbers[mobile].value': 'mobile',
      password: { column: 'password_hash', encode: (value) => `hash of ${value}` },
      'meta.created': 'created_at',
      'meta.lastModified': 'updated_at',
      addresses: {
        table: 'user_addresses',
        on: { user_id: 'id', org_id: 'org_id' },
        columns: { type: 'label', streetAddress: 'street', primary: 'is_main' },
        order: 'place',
      },
      photos: {
        table: 'user_photos',
        on: { user_id: 'id' },
        columns: { type: 'label', value: 'url' },
        order: { column: 'id', key },
      },
      groups: {
        table: 'team_users',
        on: { user_id: 'id' },
        columns: { value: { column: 'team_id', key } },
        target: { table: 'teams', id: 'id', tenant: 'org_id', display: 'name', type: 'Group' },
      },
    },
  }
}

export function groupOptions(execute: Execute<Client>, dialect: Dialect): SqlStoreOptions<Client> {
  return {
    execute,
    dialect,
    definitions: group,
    tenant,
    table: 'teams',
    id: { column: 'id', key },
    version: 'revision',
    where: { kind: 'team', archived_at: null },
    attributes: {
      displayName: 'name',
      externalId: 'directory_id',
      members: {
        table: 'team_users',
        on: { team_id: 'id' },
        columns: { value: { column: 'user_id', key } },
        target: { table: 'users', id: 'id', tenant: 'org_id', type: 'User' },
      },
    },
  }
}

/** A table with a document, and the index of its multi-valued attributes. */
export function documentTables(dialect: 'sqlite' | 'postgres'): readonly string[] {
  const [text, time, json] = {
    sqlite: ['text', 'text', 'text'],
    postgres: ['text collate "C"', 'timestamptz', 'jsonb'],
  }[dialect]
  return [
    `create table people (
      id text primary key, org_id integer not null, email ${text} not null, last_name ${text}, mail ${text},
      is_enabled boolean not null default true, password_hash ${text}, created_at ${time}, updated_at ${time},
      revision integer not null default 1, rest ${json})`,
    'create unique index people_email on people (org_id, lower(email))',
    `create table person_values (
      org_id integer not null, person_id text not null, attribute ${text} not null, position integer not null,
      value_key ${text}, type_key ${text}, is_primary boolean)`,
    'create index person_values_by_value on person_values (org_id, attribute, value_key)',
  ]
}

export function documentOptions(
  execute: Execute<Client>,
  dialect: Dialect,
): SqlStoreOptions<Client> {
  return {
    execute,
    dialect,
    definitions: user,
    tenant,
    table: 'people',
    id: 'id',
    version: 'revision',
    document: 'rest',
    isBinary: true,
    attributes: {
      userName: 'email',
      'name.familyName': 'last_name',
      'emails[work].value': 'mail',
      active: 'is_enabled',
      password: { column: 'password_hash', encode: (value) => `hash of ${value}` },
      'meta.created': 'created_at',
      'meta.lastModified': 'updated_at',
    },
    index: {
      table: 'person_values',
      on: { org_id: 'org_id', person_id: 'id' },
      hash: (text) => encodeURIComponent(text.toWellFormed()).slice(-90),
    },
  }
}

/** Serves the tables. The token of a client is the number of its organization. */
export function serveTables(
  execute: Execute<Client>,
  dialect: Dialect,
  options: Partial<ScimEndpointOptions<Client>> = {},
  mapped = userOptions(execute, dialect),
): Send {
  const users = sqlStore(mapped)
  const groups = sqlStore(groupOptions(execute, dialect))
  const { fetch } = createScimEndpoint<Client>({
    basePath: '/scim/v2',
    resourceTypes: [
      defineResourceType<Client>({
        name: 'User',
        endpoint: '/Users',
        definitions: users.definitions,
        store: users,
      }),
      defineResourceType<Client>({
        name: 'Group',
        endpoint: '/Groups',
        definitions: groups.definitions,
        store: groups,
      }),
    ],
    authenticate: async ({ headers }) => ({
      org: Number(headers.get('Authorization')?.slice(7)) || 1,
    }),
    // It isolates nothing: most tests send one request at a time.
    transaction: (context, work) => work(context),
    onError: (error) => console.error(error),
    ...options,
  })
  return sender(fetch)
}
