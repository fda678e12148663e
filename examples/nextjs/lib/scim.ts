import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { GROUP_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { defineResourceType } from '@plumbline/scim/endpoint'
import { type SqlStore, sqlStore } from '@plumbline/scim/sql'

export type Context = { readonly workspace: number }

export function resourceTypes(db: DatabaseSync) {
  const execute = (sql: string, values: readonly unknown[]) =>
    db.prepare(sql).all(...(values as SQLInputValue[]))
  const tenant = { column: 'workspace_id', value: ({ workspace }: Context) => workspace }
  const meta = { 'meta.created': 'created_at', 'meta.lastModified': 'updated_at' }
  const every = { ...meta, externalId: 'okta_id' }
  const common = { execute, dialect: 'sqlite', id: 'uuid', tenant } as const
  const active = {
    column: 'deactivated',
    encode: (value: unknown) => (value === false ? 1 : 0),
    decode: (value: unknown) => value === 0,
    default: true,
  }
  const users = sqlStore<Context>({
    ...common,
    table: 'users',
    definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
    attributes: { ...every, userName: 'email', displayName: 'full_name', active },
  })
  const target = { table: 'users', id: 'uuid', tenant: 'workspace_id' }
  const on = { team_uuid: 'uuid' }
  const members = { table: 'memberships', on, columns: { value: 'user_uuid' }, target }
  const groups = sqlStore<Context>({
    ...common,
    table: 'teams',
    definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION },
    attributes: { ...every, displayName: 'name', members },
  })
  const serve = (name: string, store: SqlStore<Context>) =>
    defineResourceType({ name, endpoint: `/${name}s`, store })
  return [serve('User', users), serve('Group', groups)]
}
