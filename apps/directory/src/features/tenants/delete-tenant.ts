import { raw, sql } from '@plumbline/scim/internal'
import { type Database, readRow, readRows } from '../../kernel/store/database.ts'
import type { TenantRow } from '../../kernel/store/tables.ts'
import type { TenantTable } from '../../kernel/store/tenant-rows.ts'

/** Lists the tenants marked for deletion. */
export async function listDeleted(
  db: Database,
): Promise<readonly Pick<TenantRow, 'id' | 'deleted_at'>[]> {
  return await readRows(db, sql`select id, deleted_at from tenants where deleted_at is not null`)
}

/** Deletes a few hundred of a tenant's rows. Returns whether the table may have more. */
export async function deleteRows(
  db: Database,
  { name, key }: TenantTable,
  tenantId: string,
): Promise<boolean> {
  const columns = key.join(', ')
  const { affectedRows = 0 } = await db.exec(
    sql`delete from ${raw(name)} where tenant_id = ${tenantId} and (${raw(columns)}) in (
        select ${raw(columns)} from ${raw(name)} where tenant_id = ${tenantId} order by ${raw(columns)} limit ${raw(String(MAX_DELETED))}
      )`,
  )
  return affectedRows >= MAX_DELETED
}

/** Deletes a tenant marked for deletion, unless it still has rows; returns whether it was deleted. */
export async function removeTenant(
  db: Database,
  tables: readonly TenantTable[],
  tenantId: string,
): Promise<boolean> {
  for (const { name } of tables) {
    const row = sql`select 1 as one from ${raw(name)} where tenant_id = ${tenantId} limit 1`
    if ((await readRow(db, row)) !== null) return false
  }
  await db.exec(sql`delete from tenants where id = ${tenantId} and deleted_at is not null`)
  return true
}

const MAX_DELETED = 200
