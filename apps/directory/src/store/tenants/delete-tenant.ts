import { type Database, rawSql, sql } from '@remix-run/data-table'
import { readRows } from '../tables.ts'
import type { TenantRow } from '../tokens.ts'

/** A table whose rows belong to tenants, and the columns that identify a row in its tenant. */
interface TenantTable {
  readonly name: string
  readonly key: readonly string[]
}

/** The tenants that are marked for deletion. */
export async function listDeleted(
  db: Database,
): Promise<readonly Pick<TenantRow, 'id' | 'deleted_at'>[]> {
  return await readRows(db, sql`select id, deleted_at from tenants where deleted_at is not null`)
}

/** Deletes some hundred rows of a tenant. Returns whether more rows of the table may be left. */
export async function deleteRows(
  db: Database,
  { name, key }: TenantTable,
  tenantId: string,
): Promise<boolean> {
  const columns = key.join(', ')
  const { affectedRows = 0 } = await db.exec(
    rawSql(
      `delete from ${name} where tenant_id = ? and (${columns}) in (
        select ${columns} from ${name} where tenant_id = ? order by ${columns} limit ${MOST_DELETED}
      )`,
      [tenantId, tenantId],
    ),
  )
  return affectedRows >= MOST_DELETED
}

/** Deletes a tenant that is marked for deletion, unless it still has rows; returns whether it was deleted. */
export async function removeTenant(db: Database, tenantId: string): Promise<boolean> {
  for (const { name } of TENANT_TABLES) {
    const text = `select 1 as one from ${name} where tenant_id = ? limit 1`
    if ((await readRows(db, rawSql(text, [tenantId]))).length > 0) return false
  }
  await db.exec(sql`delete from tenants where id = ${tenantId} and deleted_at is not null`)
  return true
}

/** Every table with a column `tenant_id`. A row is deleted before the rows that it refers to. */
export const TENANT_TABLES: readonly TenantTable[] = [
  { name: 'tokens', key: ['id'] },
  { name: 'revoked_tokens', key: ['id'] },
  { name: 'clients', key: ['id'] },
  { name: 'extension_schemas', key: ['urn_key'] },
  { name: 'schema_versions', key: ['tenant_id'] },
  { name: 'group_members', key: ['group_id', 'member_id'] },
  { name: 'groups', key: ['id'] },
  { name: 'user_values', key: ['resource_id', 'attribute', 'position'] },
  { name: 'users', key: ['id'] },
  { name: 'requests', key: ['id'] },
  { name: 'recorded_requests', key: ['recording_id', 'position'] },
  { name: 'recordings', key: ['id'] },
]

const MOST_DELETED = 200
