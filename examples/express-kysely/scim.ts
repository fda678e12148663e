import { GROUP_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { defineResourceType } from '@plumbline/scim/endpoint'
import { type SqlStore, sqlStore } from '@plumbline/scim/sql'
import { CompiledQuery, type Kysely } from 'kysely'
import type { Tables } from './schema.ts'

export type Context = { readonly db: Kysely<Tables>; readonly org: number }

const execute = async (sql: string, values: readonly unknown[], { db }: Context) =>
  (await db.executeQuery(CompiledQuery.raw(sql, [...values]))).rows
const id = { column: 'id', key: 'integer' } as const
const tenant = { column: 'org_id', value: ({ org }: Context) => org }
const name = { 'name.givenName': 'given', 'name.familyName': 'surname' }
const person = { userName: 'username', 'emails[work].value': 'email', active: 'is_enabled' }
const meta = { 'meta.created': 'created', 'meta.lastModified': 'modified' }
const users = sqlStore<Context>({
  execute,
  dialect: 'postgres',
  table: 'people',
  id,
  tenant,
  definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
  attributes: { ...person, ...name, ...meta, externalId: 'external_id' },
})

const columns = { value: { column: 'person_id', key: 'integer' } } as const
const target = { table: 'people', id: 'id', tenant: 'org_id' }
const members = { table: 'team_members', on: { team_id: 'id' }, columns, target }
const groups = sqlStore<Context>({
  execute,
  dialect: 'postgres',
  table: 'teams',
  id,
  tenant,
  definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION },
  attributes: { displayName: 'name', ...meta, externalId: 'external_id', members },
})

const serve = (name: string, store: SqlStore<Context>) =>
  defineResourceType({ name, endpoint: `/${name}s`, store })
export const resourceTypes = [serve('User', users), serve('Group', groups)]

export const transaction = <V>({ db, org }: Context, work: (context: Context) => Promise<V>) =>
  db.transaction().execute((db) => work({ db, org }))
