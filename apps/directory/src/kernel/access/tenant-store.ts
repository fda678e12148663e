import { raw, sql } from '@plumbline/scim/internal'
import { type Database, readRow, readRows } from '../store/database.ts'
import type { TenantRow } from '../store/tables.ts'

/** The tenant the first start creates. */
export const DEFAULT_TENANT = 'default'

/** Finds a tenant by id; null if it does not exist or is marked for deletion. */
export async function findTenant(db: Database, id: string): Promise<TenantRow | null> {
  return await readRow(
    db,
    sql`select ${raw(TENANT_COLUMNS)} from tenants where id = ${id} and deleted_at is null`,
  )
}

/** Counts the tenants. */
export async function countTenants(db: Database): Promise<number> {
  const [row] = await readRows<{ readonly found: unknown }>(
    db,
    sql`select count(*) as found from tenants`,
  )
  return Number(row?.found)
}

/** Lists all tenants, oldest first. */
export async function listTenants(db: Database): Promise<readonly TenantRow[]> {
  return await readRows(db, sql`select ${raw(TENANT_COLUMNS)} from tenants order by created_at`)
}

/** A tenant's columns. */
export const TENANT_COLUMNS = 'id, name, created_at, disabled_at, deleted_at'
