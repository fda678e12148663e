import { sql } from '@plumbline/scim/sql'
import { type Database, insertRows, readRow, readRows } from '../database.ts'
import { rowsOf } from '../tenant-rows.ts'

/** A receiver of Security Event Tokens. */
export interface ReceiverRow {
  readonly tenant_id: string
  readonly id: string
  readonly name: string
  /** Its tokens' `aud` claim. */
  readonly audience: string
  /** It has acknowledged the changes up to this position. */
  readonly position: number
  readonly created_at: number
}

/** Stores a new receiver. */
export async function insertReceiver(db: Database, row: ReceiverRow): Promise<void> {
  await insertRows(db, 'event_receivers', [row])
}

/** Lists a tenant's receivers, oldest first. */
export async function listReceivers(
  db: Database,
  tenantId: string,
): Promise<readonly ReceiverRow[]> {
  return await readRows<ReceiverRow>(
    db,
    sql`select tenant_id, id, name, audience, position, created_at
      from ${rowsOf(tenantId, 'event_receivers')} order by id`,
  )
}

/** Finds a receiver; null if it does not exist. */
export async function findReceiver(
  db: Database,
  tenantId: string,
  id: string,
): Promise<ReceiverRow | null> {
  return await readRow<ReceiverRow>(
    db,
    sql`select tenant_id, id, name, audience, position, created_at
      from ${rowsOf(tenantId, 'event_receivers')} and id = ${id}`,
  )
}

/** Deletes a receiver; returns whether it existed. */
export async function deleteReceiver(db: Database, tenantId: string, id: string): Promise<boolean> {
  const { affectedRows } = await db.exec(
    sql`delete from ${rowsOf(tenantId, 'event_receivers')} and id = ${id}`,
  )
  return affectedRows > 0
}

/** Moves a receiver to a later position. A concurrent poll may have moved it further. */
export async function advanceReceiver(
  db: Database,
  { tenant_id, id }: ReceiverRow,
  position: number,
): Promise<void> {
  await db.exec(
    sql`update event_receivers set position = ${position}
      where tenant_id = ${tenant_id} and id = ${id} and position < ${position}`,
  )
}
