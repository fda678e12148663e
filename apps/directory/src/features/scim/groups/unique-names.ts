import { uniquenessError } from '@plumbline/scim'
import { raw, sql } from '@plumbline/scim/internal'
import { readRow } from '../../../kernel/store/database.ts'
import { rowsOf } from '../../../kernel/store/tenant-rows.ts'
import type { TenantScope } from '../scope.ts'

/** A group with its folded name. */
interface Named {
  readonly id: string
  readonly display_name_key: string
}

/**
 * Throws `409 uniqueness` if another group in the tenant has the same name, ignoring case. The tenant's row is
 * locked until the transaction ends, so two requests cannot both find the name free. A unique index is not
 * possible: other profiles allow two groups with the same name.
 */
export async function requireUniqueName(
  { db, tenantId, dialect }: TenantScope,
  { id, display_name_key }: Named,
): Promise<void> {
  if (dialect.locks !== null) {
    // This lock does not block the foreign key checks of other writes.
    const lock = raw(dialect.locks.change)
    await db.exec(sql`select id from tenants where id = ${tenantId} ${lock}`)
  }
  const namesake = sql`select id from ${rowsOf(tenantId, 'groups')}
    and display_name_key = ${display_name_key} and id <> ${id} limit 1`
  if ((await readRow(db, namesake)) !== null) throw uniquenessError('displayName')
}
