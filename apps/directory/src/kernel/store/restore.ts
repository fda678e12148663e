import { sql } from '@plumbline/scim/internal'
import { createEpoch } from './cursor.ts'
import { type Database, readRow } from './database.ts'

/**
 * Renames everything named after a counter, after a backup was restored: the counters repeat numbers that clients have
 * seen with another meaning. It also frees the leases, whose holders were stored with the backup.
 */
export async function renameRestored(db: Database): Promise<void> {
  await db.exec(sql`update change_feeds set epoch = ${createEpoch()}`)
  // A still running process may have stored a position of the lost changes.
  await db.exec(
    sql`update webhooks set position = f.position from change_feeds f
      where f.tenant_id = webhooks.tenant_id and webhooks.position > f.position`,
  )
  // The tags of groups, and the versions of schemas that processes remember.
  await db.exec(sql`update groups set revision = revision + ${SKIPPED}`)
  await db.exec(sql`update schema_versions set version = version + ${SKIPPED} where version > 0`)
  const last = await readRow<{ readonly value: string }>(
    db,
    sql`select value from settings where name = 'last_request_id'`,
  )
  const value = String(Number(last?.value ?? 0) + SKIPPED)
  await db.exec(sql`update settings set value = ${value} where name = 'last_request_id'`)
  await db.exec(sql`update leases set holder = '', beat = beat + 1`)
}

/** More numbers than a server uses between two backups, and few enough for millions of restores. */
const SKIPPED = 1_000_000_000
