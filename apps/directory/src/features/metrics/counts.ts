import { sql } from '@plumbline/scim/internal'
import { type Database, readRow, readRows } from '../../kernel/store/database.ts'
import type { SqlDialect } from '../../kernel/store/store.ts'
import { CONNECTION_STATES, type ConnectionState } from '../changes/feed.ts'

/** Counts all tenants' connections per state. A tenant without changes is not counted. */
export async function countConnections(
  db: Database,
): Promise<ReadonlyMap<ConnectionState, number>> {
  const rows = await readRows<{ readonly state: ConnectionState; readonly count: number }>(
    db,
    sql`select state, count(*) as count from change_feeds group by state`,
  )
  const counted = new Map(rows.map(({ state, count }) => [state, count]))
  return new Map(CONNECTION_STATES.map((state) => [state, counted.get(state) ?? 0]))
}

/** Counts the tokens that expire before a time, and that no other token has replaced. */
export async function countExpiring(
  db: Database,
  { now, before }: { readonly now: number; readonly before: number },
): Promise<number> {
  const row = await readRow<{ readonly count: number }>(
    db,
    sql`select count(*) as count from tokens where expires_at > ${now} and expires_at <= ${before}
      and id not in (select replaces from tokens where replaces is not null)
      and (tenant_id is null or tenant_id in (
        select id from tenants where disabled_at is null and deleted_at is null
      ))`,
  )
  return row?.count ?? 0
}

/** Returns a database's size in bytes; for a distributed one, that of the coordinator. */
export async function readSize(db: Database, { size }: SqlDialect): Promise<number> {
  const row = await readRow<{ readonly bytes: number }>(db, size)
  return row?.bytes ?? 0
}
