import { sql } from '@plumbline/scim/internal'
import { type Database, readRows } from '../../kernel/store/database.ts'

/**
 * Finds the id at which a tenant's requests since a given time start. The search is binary, because ids are
 * nearly in time order. Requests with smaller ids were answered before.
 */
export async function findIdAt(db: Database, tenantId: string, time: number): Promise<number> {
  let low = (await firstFrom(db, tenantId, 0))?.id ?? 0
  let high = (await lastIdOf(db, tenantId)) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = await firstFrom(db, tenantId, middle)
    if (row === undefined || row.time >= time) high = middle
    else low = row.id + 1
  }
  return low
}

/** Returns the id of a tenant's newest request; 0 without requests. */
export async function lastIdOf(db: Database, tenantId: string): Promise<number> {
  const statement = sql`select id from requests where tenant_id = ${tenantId}
    order by id desc limit 1`
  const [row] = await readRows<{ readonly id: number }>(db, statement)
  return row?.id ?? 0
}

async function firstFrom(db: Database, tenantId: string, id: number) {
  const statement = sql`select id, time from requests where tenant_id = ${tenantId} and id >= ${id}
    order by id limit 1`
  const [row] = await readRows<{ readonly id: number; readonly time: number }>(db, statement)
  return row
}

/** How long (ms) after the answer a request may be written, and by how much the clocks of processes may differ. */
export const MAX_WRITE_DELAY_MS = 120_000
