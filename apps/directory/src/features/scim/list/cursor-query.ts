import { createHmac } from 'node:crypto'
import type { Scim } from '@plumbline/scim'
import { type CursorQuery, sql } from '@plumbline/scim/internal'
import { type Database, readRow } from '../../../kernel/store/database.ts'
import type { TenantScope } from '../scope.ts'

/** A cursor's lifetime, in seconds. */
export const CURSOR_TIMEOUT = 3_600

/** Returns a cursor's query: a cursor is not valid for another tenant, resource type, filter or order. */
export function cursorQuery(
  { db, tenantId, now }: Pick<TenantScope, 'db' | 'tenantId' | 'now'>,
  type: string,
  { filter, sortBy, sortOrder }: Scim.ListQuery,
): CursorQuery {
  return {
    list: [tenantId, type],
    filter: filter ?? null,
    sortBy: sortBy ?? null,
    sortOrder,
    now,
    timeout: CURSOR_TIMEOUT,
    sign: async (text) =>
      createHmac('sha256', await signingKey(db))
        .update(text)
        .digest('base64url'),
  }
}

/** Returns the database's signing key, read once per connection. */
async function signingKey(db: Database): Promise<string> {
  const known = keys.get(db)
  if (known !== undefined) return known
  const row = await readRow<{ readonly value: string }>(
    db,
    sql`select value from settings where name = 'cursor_key'`,
  )
  if (row === null) throw new Error('cursor_key is missing in the settings of the database')
  keys.set(db, row.value)
  return row.value
}

const keys = new WeakMap<Database, string>()
