import { fold } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import { type Fragment, raw, sql } from '@plumbline/scim/internal'
import { type Database, readRow, readRows } from '../../kernel/store/database.ts'
import type { SqlDialect } from '../../kernel/store/store.ts'

/** A schema a tenant registered, and the resource type it extends (RFC 7643 §6, §7). */
export interface Extension {
  /** The resource type's name. */
  readonly resourceType: string
  /** Whether each resource of the type must have the extension. */
  readonly required: boolean
  readonly definition: Discovery.SchemaDefinition
}

/** The version of a tenant's schemas. */
export interface SchemaVersion {
  /**
   * Increases with each change; 0 if the tenant has never registered a schema. It starts at the time of the first one,
   * because processes remember schemas by version: a tenant deleted and created again has other versions.
   */
  readonly version: number
  /** When the tenant registered its first schema, in milliseconds since 1970; null if it has not. */
  readonly since: number | null
}

/** Reads the version of a tenant's schemas. */
export async function readVersion(db: Database, tenantId: string): Promise<SchemaVersion> {
  return versionOf(await readRow(db, selectVersion(tenantId)))
}

/**
 * Locks a tenant's schemas against changes until the transaction ends, and returns their version. A change
 * waits for the resource writes with this lock.
 */
export async function lockVersion(
  db: Database,
  dialect: SqlDialect,
  tenantId: string,
): Promise<SchemaVersion> {
  return versionOf(await readRow(db, selectVersion(tenantId, dialect.locks?.reference)))
}

/** Locks a tenant's schemas for a change, which waits for the tenant's resource writes. */
export async function lockVersionForChange(
  db: Database,
  dialect: SqlDialect,
  tenantId: string,
  now: number,
): Promise<SchemaVersion> {
  const { locks, skipExisting } = dialect
  await db.exec(
    sql`insert into schema_versions (tenant_id, version, created_at)
      values (${tenantId}, 0, ${now}) ${raw(skipExisting(['tenant_id']))}`,
  )
  return versionOf(await readRow(db, selectVersion(tenantId, locks?.delete)))
}

/** Reads a tenant's schemas, in the order of their registration. */
export async function readExtensions(
  db: Database,
  tenantId: string,
): Promise<readonly Extension[]> {
  const rows = await readRows<{ readonly extension: string }>(
    db,
    sql`select extension from extension_schemas where tenant_id = ${tenantId}
      order by created_at, urn_key`,
  )
  return rows.map(({ extension }) => JSON.parse(extension))
}

/** Stores a new schema, or replaces one, and increments the version. The version must be locked for a change. */
export async function writeExtension(
  db: Database,
  tenantId: string,
  extension: Extension,
  now: number,
): Promise<void> {
  const key = fold(extension.definition.id)
  const text = JSON.stringify(extension)
  const { affectedRows = 0 } = await db.exec(
    sql`update extension_schemas set extension = ${text}
      where tenant_id = ${tenantId} and urn_key = ${key}`,
  )
  if (affectedRows === 0) {
    await db.exec(
      sql`insert into extension_schemas (tenant_id, urn_key, extension, created_at)
        values (${tenantId}, ${key}, ${text}, ${now})`,
    )
  }
  await incrementVersion(db, tenantId)
}

/** Deletes a schema, and increments the version. The version must be locked for a change. */
export async function deleteExtension(db: Database, tenantId: string, urn: string): Promise<void> {
  const key = fold(urn)
  await db.exec(
    sql`delete from extension_schemas where tenant_id = ${tenantId} and urn_key = ${key}`,
  )
  await incrementVersion(db, tenantId)
}

async function incrementVersion(db: Database, tenantId: string): Promise<void> {
  await db.exec(
    sql`update schema_versions
      set version = case when version = 0 then created_at else version end + 1
      where tenant_id = ${tenantId}`,
  )
}

interface VersionRow {
  readonly version: number | string
  readonly created_at: number | string
}

/** PostgreSQL returns a bigint as a string. */
function versionOf(row: VersionRow | null): SchemaVersion {
  if (row === null) return { version: 0, since: null }
  return { version: Number(row.version), since: Number(row.created_at) }
}

/** Builds the statement that selects the version, and locks it if `lock` ends the `select`. */
function selectVersion(tenantId: string, lock = ''): Fragment {
  return sql`select version, created_at from schema_versions where tenant_id = ${tenantId} ${raw(lock)}`
}
