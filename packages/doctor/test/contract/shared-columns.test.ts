import { DatabaseSync } from 'node:sqlite'
import { type StoresUnderTest, storeContract } from '@plumbline/doctor/testing'
import { GROUP_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { defineResourceType } from '@plumbline/scim/endpoint'
import { type Execute, sqlStore } from '@plumbline/scim/sql'
import { describe, expect, it } from 'vitest'
import { useQuickDigests } from '../quick-digests.ts'
import { createTransactions } from '../sqlite.ts'

useQuickDigests()

interface Client {
  readonly org: number
}

describe('RFC 7643 §4.1.1: storeContract passes if userName and the work address share a column', () => {
  describe('with three user attributes', () => {
    passes(() => {
      const { database, execute } = open(
        'create table users (id integer primary key autoincrement, email text collate nocase unique, enabled boolean)',
      )
      const store = sqlStore({
        execute,
        dialect: 'sqlite',
        definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
        table: 'users',
        id: { column: 'id', key: 'integer' },
        attributes: { userName: 'email', 'emails[work].value': 'email', active: 'enabled' },
      })
      const { definitions } = store
      const users = defineResourceType({ name: 'User', endpoint: '/Users', definitions, store })
      return { resourceTypes: [users], close: () => database.close() }
    })
  })

  describe('with users and teams in two tenants', () => {
    passes(openTenants)
  })
})

it('sqlStore names attributes with a shared column, and omits sharedColumns without them', () => {
  const options = {
    execute: () => [],
    dialect: 'sqlite',
    definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
    table: 'users',
    id: 'id',
  } as const
  const attributes = { userName: 'email', 'emails[work].value': 'email', title: 'title' }
  expect(sqlStore({ ...options, attributes }).sharedColumns).toEqual([
    ['userName', 'emails[work].value'],
  ])
  expect(sqlStore({ ...options, attributes: { userName: 'email' } }).sharedColumns).toBeUndefined()
})

function passes(makeStores: () => StoresUnderTest<Client>): void {
  it.each(storeContract(makeStores).map((check) => [check.name, check] as const))(
    'with shared columns, %s',
    async (_, check) => {
      await check.run()
    },
  )
}

function openTenants(): StoresUnderTest<Client> {
  const { database, execute } = open(`
    create table users (id integer primary key autoincrement, org_id integer not null, email text not null,
      first_name text, last_name text, is_enabled boolean not null default true, directory_id text,
      created_at text, updated_at text, unique (org_id, email collate nocase));
    create table teams (id integer primary key autoincrement, org_id integer not null, name text not null);
    create table team_users (team_id integer not null, user_id integer not null references users (id),
      primary key (team_id, user_id));
  `)
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
  const types = [
    { name: 'User', endpoint: '/Users', definitions: users.definitions, store: users },
    { name: 'Group', endpoint: '/Groups', definitions: groups.definitions, store: groups },
  ]
  return {
    resourceTypes: types.map((type) => defineResourceType<Client>(type)),
    context: { org: 7 },
    otherContext: { org: 8 },
    transaction: createTransactions(database),
    close: () => database.close(),
  }
}

function open(sql: string): { readonly database: DatabaseSync; readonly execute: Execute<Client> } {
  const database = new DatabaseSync(':memory:')
  database.exec(sql)
  return {
    database,
    execute: (text, values) => database.prepare(text).all(...(values as never[])),
  }
}
