import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { type StoresUnderTest, storeContract } from '@plumbline/doctor/testing'
import { unwrap } from '@plumbline/result'
import { ScimError } from '@plumbline/scim'
import { splitFilter } from '@plumbline/scim/data-table'
import { pickAttributes, USER_DEFINITION } from '@plumbline/scim/discovery'
import { defineResourceType, type ResourceStore, type WireResource } from '@plumbline/scim/endpoint'
import { column as c, createDatabase, type Database, table } from '@remix-run/data-table'
import { createSqliteDatabaseAdapter } from '@remix-run/data-table-sqlite'
import { describe, it } from 'vitest'
import { useQuickDigests } from '../quick-digests.ts'

useQuickDigests()

const DEFINITIONS = {
  [USER_DEFINITION.id]: pickAttributes(USER_DEFINITION, ['userName', 'displayName', 'active']),
}
const people = table({
  name: 'people',
  columns: {
    id: c.text(),
    login: c.text(),
    login_key: c.text(),
    shown: c.text().nullable(),
    active: c.boolean().nullable(),
    external_id: c.text().nullable(),
  },
  primaryKey: 'id',
})
const COLUMNS = {
  userName: { column: 'login_key', folded: true },
  externalId: 'external_id',
  active: { column: 'active', type: 'boolean' },
} as const

/** The topics that depend on the predicates of data-table. */
const OF_LISTS = /^(filters|declared\.filters|paging|sorting)\b/

describe('lists of a store on data-table', () => {
  for (const { name, run } of storeContract(openStores).filter((one) => OF_LISTS.test(one.name))) {
    it(name, async () => {
      await run()
    })
  }
})

function openStores(): StoresUnderTest {
  const sqlite = new DatabaseSync(':memory:')
  sqlite.exec('pragma case_sensitive_like = on')
  sqlite.exec(`create table people (id text primary key, login text not null, login_key text not null unique,
    shown text, active integer, external_id text)`)
  const store = createStore(createDatabase(createSqliteDatabaseAdapter(sqlite)))
  const users = { name: 'User', endpoint: '/Users', definitions: DEFINITIONS, store }
  const toScimError = (error: unknown): ScimError | null =>
    /UNIQUE/.test(`${error} ${Object(error).cause}`)
      ? new ScimError(409, 'userName is taken', { scimType: 'uniqueness' })
      : null
  return {
    resourceTypes: [defineResourceType(users)],
    toScimError,
    close: () => sqlite.close(),
  }
}

function createStore(db: Database): ResourceStore {
  const read = async (id: string): Promise<WireResource | null> => {
    const row = await db.find(people, id)
    return row ? toUser(row) : null
  }
  return {
    read,
    list: async (_, { filter }) => {
      // The rows that match, or more: the endpoint applies the filter again.
      const where = filter === null ? null : unwrap(splitFilter(filter, COLUMNS)).where
      const rows = await db.findMany(people, {
        orderBy: ['id', 'asc'],
        ...(where && { where: where as never }),
      })
      return { resources: rows.map(toUser) }
    },
    create: async (resource) => {
      const row = { id: randomUUID(), ...toRow(resource) }
      await db.create(people, row)
      return toUser(row)
    },
    replace: async (id, resource) => {
      await db.update(people, id, toRow(resource))
      return await read(id)
    },
    delete: async (id) => await db.delete(people, id),
  }
}

interface Row {
  readonly login: string
  readonly login_key: string
  readonly shown: string | null
  readonly active: boolean | null
  readonly external_id: string | null
}

function toRow({ userName, displayName, active, externalId }: WireResource): Row {
  return {
    login: String(userName),
    login_key: String(userName).toLowerCase(),
    shown: displayName === undefined ? null : String(displayName),
    active: active === undefined ? null : active === true,
    external_id: externalId === undefined ? null : String(externalId),
  }
}

function toUser({ id, login, shown, active, external_id }: Row & { id: string }): WireResource {
  const isActive = active === null ? null : Boolean(active)
  return { id, userName: login, displayName: shown, active: isActive, externalId: external_id }
}
