import { type Fragment, raw, sql } from '@plumbline/scim/internal'
import { TENANT_COLUMNS } from '../../kernel/access/tenant-store.ts'
import { type Database, insertRows, readRow, readRows } from '../../kernel/store/database.ts'
import type { TenantRow } from '../../kernel/store/tables.ts'
import { createFeed } from '../changes/feed.ts'

/** Creates a tenant. */
export async function createTenant(
  db: Database,
  row: Pick<TenantRow, 'id' | 'name' | 'created_at'>,
): Promise<TenantRow> {
  const created = { ...row, disabled_at: null, deleted_at: null }
  await insertRows(db, 'tenants', [created])
  await createFeed(db, created.id)
  return created
}

/** Finds a tenant by id, even if it is marked for deletion; or null. */
export async function readTenant(db: Database, id: string): Promise<TenantRow | null> {
  return await readRow(db, sql`select ${raw(TENANT_COLUMNS)} from tenants where id = ${id}`)
}

/** A tenant's position in a list. */
export type TenantPosition = Pick<TenantRow, 'created_at' | 'id'>

/** Reads a page of tenants, oldest first. */
export async function listTenantPage(
  db: Database,
  after: TenantPosition | null,
  count: number,
): Promise<readonly TenantRow[]> {
  const { created_at, id } = after ?? { created_at: -1, id: '' }
  return await readRows<TenantRow>(
    db,
    sql`select id, name, created_at, disabled_at, deleted_at from tenants
      where (created_at, id) > (${created_at}, ${id}) order by created_at, id limit ${count}`,
  )
}

/** A tenant's changes; a missing member is not changed. */
export interface TenantChange {
  readonly name?: string | undefined
  readonly disabled?: boolean | undefined
}

/** Changes a tenant, and returns it. A tenant whose rows are being deleted is not changed. */
export async function changeTenant(
  db: Database,
  id: string,
  { name, disabled, now }: TenantChange & { readonly now: number },
): Promise<TenantRow | null> {
  const change = async (assignment: Fragment): Promise<void> => {
    await db.exec(sql`update tenants set ${assignment} where id = ${id} and deleted_at is null`)
  }
  if (name !== undefined) await change(sql`name = ${name}`)
  if (disabled === true) await change(sql`disabled_at = coalesce(disabled_at, ${now})`)
  if (disabled === false) await change(sql`disabled_at = null`)
  return await readTenant(db, id)
}

/** Marks a tenant for deletion, and returns it; null if it does not exist. */
export async function markDeleted(
  db: Database,
  id: string,
  now: number,
): Promise<TenantRow | null> {
  await db.exec(sql`update tenants set deleted_at = ${now} where id = ${id} and deleted_at is null`)
  return await readTenant(db, id)
}
