import { ScimError } from '@plumbline/scim'
import { rawSql } from '@remix-run/data-table'
import type { TenantScope } from '../scope.ts'
import { readRows } from '../tables.ts'

/** A group with its folded name. */
interface Named {
  readonly id: string
  readonly display_name_key: string
}

/**
 * Throws `409 uniqueness` if another group of the tenant has the same name, ignoring case. The tenant's
 * row is locked until the transaction ends, so that two requests cannot both find the name free. A unique
 * index is not possible: other profiles allow two groups with the same name.
 */
export async function requireUniqueName(
  { db, tenantId, dialect }: TenantScope,
  { id, display_name_key }: Named,
): Promise<void> {
  if (dialect.locks !== null) {
    // This lock does not block the foreign key checks of other writes.
    const lock = `select id from tenants where id = ? ${dialect.locks.change}`
    await db.exec(rawSql(lock, [tenantId]))
  }
  const namesakes = await readRows(db, rawSql(NAMESAKE, [tenantId, display_name_key, id]))
  if (namesakes.length === 0) return
  throw new ScimError(409, 'the displayName is already taken by another group', {
    scimType: 'uniqueness',
  })
}

const NAMESAKE = `
  select id from groups where tenant_id = ? and display_name_key = ? and id <> ? limit 1`
