import { joinFragments, raw, sql } from '@plumbline/scim/internal'
import { chunksOfFewSizes } from '../../kernel/store/chunks.ts'
import { type Database, readRow, readRows } from '../../kernel/store/database.ts'
import type { SqlDialect } from '../../kernel/store/store.ts'

/** How many requests a tenant's log has, and about how many bytes they need. */
export interface LogSize {
  readonly requests: number
  readonly bytes: number
}

/** The request columns that determine its size. */
interface SizedRow {
  readonly tenantId: string
  readonly entry: string
  readonly exchange: string | null
}

/** Returns the requests' sizes by tenant. */
export function sizesOf(rows: readonly SizedRow[]): ReadonlyMap<string, LogSize> {
  const sizes = new Map<string, LogSize>()
  for (const { tenantId, entry, exchange } of rows) {
    const { requests, bytes } = sizes.get(tenantId) ?? EMPTY
    const added = Buffer.byteLength(entry) + Buffer.byteLength(exchange ?? '') + SMALL_COLUMNS
    sizes.set(tenantId, { requests: requests + 1, bytes: bytes + added })
  }
  return sizes
}

/** Adds new requests to the sizes of their tenants' logs. */
export async function addSizes(db: Database, rows: readonly SizedRow[]): Promise<void> {
  for (const some of chunksOfFewSizes([...sizesOf(rows)])) {
    const values = some.map(
      ([tenantId, { requests, bytes }]) => sql`(${tenantId}, ${requests}, ${bytes})`,
    )
    await db.exec(
      sql`insert into request_sizes (tenant_id, requests, bytes)
        values ${joinFragments(values, ', ')}
        on conflict (tenant_id) do update set
          requests = request_sizes.requests + excluded.requests,
          bytes = request_sizes.bytes + excluded.bytes`,
    )
  }
}

/** Reads the size of a tenant's log. */
export async function readSize(db: Database, tenantId: string, lock = ''): Promise<LogSize> {
  const row = await readRow<LogSize>(
    db,
    sql`select requests, bytes from request_sizes where tenant_id = ${tenantId} ${raw(lock)}`,
  )
  // PostgreSQL may return a bigint as a string.
  return row === null ? EMPTY : { requests: Number(row.requests), bytes: Number(row.bytes) }
}

/** The requests to delete: the oldest before an id, as long as the log is too large. */
export interface Deletion {
  readonly before?: number
  /** Always true by default. */
  readonly isTooLarge?: (size: LogSize) => boolean
}

/** Deletes a few hundred of a tenant's requests at most. Returns whether more may be left to delete. */
export async function deleteOldest(
  db: Database,
  { locks }: Pick<SqlDialect, 'locks'>,
  tenantId: string,
  { before = Number.MAX_SAFE_INTEGER, isTooLarge = () => true }: Deletion,
): Promise<boolean> {
  // Processes that delete requests for one tenant wait for each other.
  let size = await readSize(db, tenantId, locks?.change)
  const oldest = await readRows<{ readonly id: number; readonly bytes: number }>(
    db,
    sql`select id, ${raw(BYTES)} as bytes from requests where tenant_id = ${tenantId} and id < ${before}
        order by id limit ${raw(String(MAX_DELETED))}`,
  )
  let last: number | null = null
  for (const { id, bytes } of oldest) {
    if (!isTooLarge(size)) break
    last = id
    size = { requests: size.requests - 1, bytes: size.bytes - Number(bytes) }
  }
  if (last === null) return false
  await db.exec(sql`delete from requests where tenant_id = ${tenantId} and id <= ${last}`)
  await db.exec(
    sql`update request_sizes set requests = ${size.requests}, bytes = ${size.bytes}
      where tenant_id = ${tenantId}`,
  )
  return last === oldest.at(-1)?.id && oldest.length === MAX_DELETED
}

const EMPTY: LogSize = { requests: 0, bytes: 0 }
/** The size in bytes of a row's columns without the JSON, and of the row's index entries. */
const SMALL_COLUMNS = 200
/** A row's size, which databases know without reading the text. */
const BYTES = `octet_length(entry) + coalesce(octet_length(exchange), 0) + ${SMALL_COLUMNS}`
const MAX_DELETED = 500
