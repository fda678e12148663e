import { sql } from '@plumbline/scim/internal'
import { type Database, insertRows, readRow, readRows } from '../../kernel/store/database.ts'
import { ofTenant, rowsOf } from '../../kernel/store/tenant-rows.ts'
import type { WebhookKey, WebhookRow } from './store.ts'

/** An attempt to send a change to a webhook. */
export interface DeliveryRow {
  readonly tenant_id: string
  readonly webhook_id: string
  /** Ids are in the order of the attempts. */
  readonly id: string
  /** The change's position. */
  readonly position: number
  /** The kind of change. */
  readonly type: string
  /** Milliseconds since 1970. */
  readonly attempted_at: number
  /** In milliseconds. */
  readonly duration: number
  /** The response status; null without a response. */
  readonly status: number | null
  /** The start of the response body, or the reason why the receiver did not answer. */
  readonly answer: string
}

/** Returns whether a webhook's receiver accepted a change. Only 202 acknowledges a token (RFC 8935 §2.2). */
export function acceptedBy({ audience }: Pick<WebhookRow, 'audience'>) {
  return ({ status }: Pick<DeliveryRow, 'status'>): boolean => {
    if (audience !== null) return status === 202
    return status !== null && status >= 200 && status < 300
  }
}

/** Stores one webhook's attempts, and deletes its oldest ones. */
export async function insertDeliveries(
  db: Database,
  { tenant_id, id }: WebhookKey,
  rows: readonly DeliveryRow[],
): Promise<void> {
  if (rows.length === 0) return
  await insertRows(db, 'deliveries', rows)
  await db.exec(
    sql`delete from deliveries where ${ofTenant(tenant_id, 'deliveries')} and webhook_id = ${id}
      and id <= (
        select id from ${rowsOf(tenant_id, 'deliveries')} and webhook_id = ${id}
        order by id desc limit 1 offset ${MAX_DELIVERIES}
      )`,
  )
}

/** Lists a webhook's newest attempts, starting before a given one if set. */
export async function listDeliveries(
  db: Database,
  { tenant_id, id }: WebhookKey,
  { before, count }: { readonly before: string | undefined; readonly count: number },
): Promise<readonly DeliveryRow[]> {
  const earlier = before === undefined ? sql`` : sql` and id < ${before}`
  return await readRows(
    db,
    sql`select * from ${rowsOf(tenant_id, 'deliveries')} and webhook_id = ${id}${earlier}
      order by id desc limit ${count}`,
  )
}

/** Finds a webhook's attempt, or null. */
export async function findDelivery(
  db: Database,
  { tenant_id, id }: WebhookKey,
  deliveryId: string,
): Promise<DeliveryRow | null> {
  return await readRow(
    db,
    sql`select * from ${rowsOf(tenant_id, 'deliveries')} and webhook_id = ${id} and id = ${deliveryId}`,
  )
}

/** How many attempts are kept per webhook. */
const MAX_DELIVERIES = 1_000
