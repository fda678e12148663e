import { GROUP_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
import { defineResourceType } from '@plumbline/scim/endpoint'
import { type Execute, sqlStore } from '@plumbline/scim/sql'
import type { Prisma, PrismaClient } from './dist/client/client.ts'

export type Context = { readonly db: Prisma.TransactionClient }

const execute: Execute<Context> = (sql, values, { db }) => db.$queryRawUnsafe(sql, ...values)
const id = { column: 'id', key: 'integer' } as const
const account = { userName: 'username', 'emails[work].value': 'email', active: 'is_enabled' }
const name = { 'name.givenName': 'given_name', 'name.familyName': 'family_name' }
const meta = { 'meta.created': 'created_at', 'meta.lastModified': 'updated_at' }
const users = sqlStore<Context>({
  execute,
  dialect: 'postgres',
  table: 'accounts',
  id,
  definitions: { [USER_DEFINITION.id]: USER_DEFINITION },
  attributes: { ...account, ...name, ...meta, externalId: 'external_id' },
})

const columns = { value: { column: 'account_id', key: 'integer' } } as const
const target = { table: 'accounts', id: 'id' }
const members = { table: 'team_members', on: { team_id: 'id' }, columns, target }
const groups = sqlStore<Context>({
  execute,
  dialect: 'postgres',
  table: 'teams',
  id,
  definitions: { [GROUP_DEFINITION.id]: GROUP_DEFINITION },
  attributes: { displayName: 'name', ...meta, externalId: 'external_id', members },
})

export const resourceTypes = [
  defineResourceType({ name: 'User', endpoint: '/Users', store: users }),
  defineResourceType({ name: 'Group', endpoint: '/Groups', store: groups }),
]

// In milliseconds. By default, a write fails that waits two seconds for a connection of the pool.
const PATIENT = { maxWait: 30_000, timeout: 30_000 }

export const transactionOf =
  (prisma: PrismaClient) =>
  <V>(_: Context, work: (context: Context) => Promise<V>) =>
    prisma.$transaction((db) => work({ db }), PATIENT)
