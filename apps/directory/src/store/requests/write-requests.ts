import { type Database, rawSql, sql } from '@remix-run/data-table'
import type { SqlDialect } from '../store.ts'
import { readRows } from '../tables.ts'

/** A request to log. */
export interface NewRequest {
  /** Empty for a request whose token does not belong to a tenant. */
  readonly tenantId: string
  /** When it was answered, in milliseconds since 1970. */
  readonly time: number
  readonly status: number
  /** At most `LONGEST_KEY` code units, like the next. */
  readonly resourceId: string | null
  /** The userName in lower case; null for a read of a resource with an id. */
  readonly userNameKey: string | null
  /** The other facts, as JSON. */
  readonly entry: string
  /** The bodies, as JSON. */
  readonly exchange: string | null
}

/**
 * Stores requests, with ids that are greater than those of all committed rows, in every process: a reader that knows
 * an id finds every later row by a greater id. The lock of the last id makes transactions of processes wait for each
 * other.
 */
export async function insertRequests(
  db: Database,
  { locks }: Pick<SqlDialect, 'locks'>,
  rows: readonly NewRequest[],
): Promise<void> {
  if (rows.length === 0) return
  let id = await reserveIds(db, locks?.change ?? '', rows.length)
  for (let at = 0; at < rows.length; ) {
    const size = SIZES.find((one) => one <= rows.length - at) ?? 1
    const values: unknown[] = []
    for (const row of rows.slice(at, at + size)) {
      const { tenantId, time, status, resourceId, userNameKey, entry, exchange } = row
      values.push(tenantId, id, time, status, resourceId, userNameKey, entry, exchange)
      id += 1
    }
    await db.exec(rawSql(insertOf(size), values))
    at += size
  }
}

async function reserveIds(db: Database, lock: string, count: number): Promise<number> {
  const select = `select value from settings where name = 'last_request_id' ${lock}`
  const [last] = await readRows<{ readonly value: string }>(db, rawSql(select))
  const first = Number(last?.value ?? 0) + 1
  const value = String(first + count - 1)
  await db.exec(sql`update settings set value = ${value} where name = 'last_request_id'`)
  return first
}

/** The ids that must be deleted so that a tenant keeps this many rows: all up to the returned one; null for none. */
export async function findExcess(
  db: Database,
  tenantId: string,
  rows: number,
): Promise<number | null> {
  const statement = sql`select id from requests where tenant_id = ${tenantId}
    order by id desc limit 1 offset ${rows}`
  return await findId(db, statement)
}

/**
 * Deletes the oldest rows of a tenant up to an id, but not more than a few hundred. Returns whether more rows are
 * left to delete.
 */
export async function deleteRequests(
  db: Database,
  tenantId: string,
  upTo: number,
): Promise<boolean> {
  const next = await findId(
    db,
    sql`select id from requests where tenant_id = ${tenantId} and id <= ${upTo}
      order by id limit 1 offset ${MOST_DELETED}`,
  )
  const end = next === null ? upTo : next - 1
  await db.exec(sql`delete from requests where tenant_id = ${tenantId} and id <= ${end}`)
  return next !== null
}

async function findId(db: Database, statement: ReturnType<typeof sql>): Promise<number | null> {
  const [row] = await readRows<{ readonly id: number }>(db, statement)
  return row?.id ?? null
}

/** The statement for this many rows. There are few such statements, because connections cache them. */
function insertOf(rows: number): string {
  return `${INSERT} ${Array(rows).fill(PLACES).join(', ')}`
}

const INSERT =
  'insert into requests (tenant_id, id, time, status, resource_id, user_name_key, entry, exchange) values'
const PLACES = '(?, ?, ?, ?, ?, ?, ?, ?)'
const SIZES = [64, 16, 4, 1]
const MOST_DELETED = 500
/** The maximum length of an indexed string, in code units: PostgreSQL limits the size of an index entry. */
export const LONGEST_KEY = 250
