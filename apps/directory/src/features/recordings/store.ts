import { raw, sql } from '@plumbline/scim/internal'
import { type Database, readRows } from '../../kernel/store/database.ts'

/** A recording of a tenant's requests. */
export interface RecordingRow {
  readonly tenant_id: string
  readonly id: string
  readonly created_at: number
  /** When it stops automatically, in milliseconds since 1970. */
  readonly ends_at: number
  readonly stopped_at: number | null
  readonly requests: number
  /** The requests' total length, in code units. */
  readonly length: number
}

/** A recording's limits. It stops when one is reached. */
export const RECORDING_LIMITS = { minutes: 15, requests: 5_000, length: 20 * 2 ** 20, count: 5 }

/** Creates a recording. */
export async function createRecording(
  db: Database,
  { tenantId, id, now }: { readonly tenantId: string; readonly id: string; readonly now: number },
): Promise<void> {
  const end = now + RECORDING_LIMITS.minutes * 60_000
  await db.exec(
    sql`insert into recordings (tenant_id, id, created_at, ends_at, stopped_at, requests, length)
      values (${tenantId}, ${id}, ${now}, ${end}, null, 0, 0)`,
  )
}

/** Lists a tenant's recordings, oldest first. */
export async function listRecordings(
  db: Database,
  tenantId: string,
): Promise<readonly RecordingRow[]> {
  return await readRows(
    db,
    sql`select ${raw(COLUMNS)} from recordings where tenant_id = ${tenantId} order by created_at, id`,
  )
}

/** Lists all tenants' active recordings. */
export async function listActive(db: Database, now: number): Promise<readonly RecordingRow[]> {
  const rows = await readRows<RecordingRow>(
    db,
    sql`select ${raw(COLUMNS)} from recordings where stopped_at is null`,
  )
  return rows.filter((row) => isActive(row, now))
}

/** Lists all tenants' recordings created before a given time. */
export async function listOldRecordings(
  db: Database,
  before: number,
): Promise<readonly Pick<RecordingRow, 'tenant_id' | 'id'>[]> {
  return await readRows(db, sql`select tenant_id, id from recordings where created_at < ${before}`)
}

/** Whether a recording still adds requests. */
export function isActive({ stopped_at, ends_at, requests, length }: RecordingRow, now: number) {
  const { requests: mostRequests, length: mostLength } = RECORDING_LIMITS
  return stopped_at === null && now < ends_at && requests < mostRequests && length < mostLength
}

/** Stops a recording; a stopped one keeps its time. */
export async function stopRecording(
  db: Database,
  tenantId: string,
  id: string,
  now: number,
): Promise<void> {
  await db.exec(
    sql`update recordings set stopped_at = ${now}
      where tenant_id = ${tenantId} and id = ${id} and stopped_at is null`,
  )
}

/** Adds requests, as JSON, to a recording. They are dropped if it is full or was deleted. */
export async function addRecorded(
  db: Database,
  { tenant_id, id }: Pick<RecordingRow, 'tenant_id' | 'id'>,
  exchanges: readonly string[],
): Promise<void> {
  const { requests, length } = RECORDING_LIMITS
  const added = exchanges.reduce((sum, { length: size }) => sum + size, 0)
  const { affectedRows = 0 } = await db.exec(
    sql`update recordings
      set requests = requests + ${exchanges.length}, length = length + ${added}
      where tenant_id = ${tenant_id} and id = ${id}
        and requests < ${requests} and length < ${length}`,
  )
  if (affectedRows === 0) return
  const [row] = await readRows<{ readonly requests: number }>(
    db,
    sql`select requests from recordings where tenant_id = ${tenant_id} and id = ${id}`,
  )
  let position = (row?.requests ?? exchanges.length) - exchanges.length
  for (const exchange of exchanges) {
    await db.exec(
      sql`insert into recorded_requests (tenant_id, recording_id, position, exchange)
        values (${tenant_id}, ${id}, ${position}, ${exchange})`,
    )
    position += 1
  }
}

/** Reads a recording's requests, as JSON, in order. */
export async function readRecorded(
  db: Database,
  tenantId: string,
  id: string,
): Promise<readonly string[]> {
  const rows = await readRows<{ readonly exchange: string }>(
    db,
    sql`select exchange from recorded_requests
      where tenant_id = ${tenantId} and recording_id = ${id} order by position`,
  )
  return rows.map(({ exchange }) => exchange)
}

/** Deletes some of a recording's requests, and then the recording; returns whether it still exists. */
export async function deleteRecording(
  db: Database,
  tenantId: string,
  id: string,
): Promise<boolean> {
  const { affectedRows = 0 } = await db.exec(
    sql`delete from recorded_requests
      where tenant_id = ${tenantId} and recording_id = ${id} and position in (
        select position from recorded_requests
        where tenant_id = ${tenantId} and recording_id = ${id} order by position limit 500
      )`,
  )
  if (affectedRows > 0) return true
  await db.exec(sql`delete from recordings where tenant_id = ${tenantId} and id = ${id}`)
  return false
}

const COLUMNS = 'tenant_id, id, created_at, ends_at, stopped_at, requests, length'
