import { raw, sql } from '@plumbline/scim/internal'
import { chunksOfFewSizes } from '../../kernel/store/chunks.ts'
import { type Database, insertRows, readRows } from '../../kernel/store/database.ts'
import type { SqlDialect } from '../../kernel/store/store.ts'
import { addSizes } from './request-sizes.ts'

/** A request to log. */
export interface NewRequest {
  /** Empty for a request whose token does not belong to a tenant. */
  readonly tenantId: string
  /** When it was answered, in milliseconds since 1970. */
  readonly time: number
  readonly status: number
  /** At most `MAX_KEY_LENGTH` code units, like the next. */
  readonly resourceId: string | null
  /** The userName in lower case; null for a read of a resource with an id. */
  readonly userNameKey: string | null
  /** The other facts, as JSON. */
  readonly entry: string
  /** The bodies, as JSON. */
  readonly exchange: string | null
}

/**
 * Stores requests, with ids greater than those of all committed rows, in every process: a reader with a known id finds
 * every later row with a greater id. The last id's lock makes transactions of different processes wait for each other.
 */
export async function insertRequests(
  db: Database,
  { locks }: Pick<SqlDialect, 'locks'>,
  rows: readonly NewRequest[],
): Promise<void> {
  if (rows.length === 0) return
  let id = await reserveIds(db, locks?.change ?? '', rows.length)
  for (const some of chunksOfFewSizes(rows)) {
    const stored = some.map((row) => {
      const { tenantId, time, status, resourceId, userNameKey, entry, exchange } = row
      id += 1
      return {
        tenant_id: tenantId,
        id: id - 1,
        time,
        status,
        resource_id: resourceId,
        user_name_key: userNameKey,
        entry,
        exchange,
      }
    })
    await insertRows(db, 'requests', stored)
  }
  await addSizes(db, rows)
}

async function reserveIds(db: Database, lock: string, count: number): Promise<number> {
  const select = `select value from settings where name = 'last_request_id' ${lock}`
  const [last] = await readRows<{ readonly value: string }>(db, raw(select))
  const first = Number(last?.value ?? 0) + 1
  const value = String(first + count - 1)
  await db.exec(sql`update settings set value = ${value} where name = 'last_request_id'`)
  return first
}

/** An indexed string's maximum length, in code units: PostgreSQL limits the size of an index entry. */
export const MAX_KEY_LENGTH = 250
