import { type Database, rawSql } from '@remix-run/data-table'
import { readRows } from '../tables.ts'
import { findIdAt } from './id-at.ts'
import { LONGEST_KEY } from './write-requests.ts'

/** A logged request, without its bodies. */
export interface RequestRow {
  readonly tenant_id: string
  readonly id: number
  readonly time: number
  readonly status: number
  readonly resource_id: string | null
  readonly entry: string
}

/** The requests to find, the newest first. */
export interface RequestQuery {
  /** Empty for the requests whose token does not belong to a tenant. */
  readonly tenantId: string
  /** The id of a resource, or a userName in any letter case. */
  readonly user?: string | undefined
  /** All statuses by default. */
  readonly status?: keyof typeof STATUSES | undefined
  /** Answered at this time or later, in milliseconds since 1970. */
  readonly from?: number | undefined
  /** Answered before this time. */
  readonly to?: number | undefined
  /** Only rows with a smaller id. */
  readonly before?: number | undefined
  readonly count: number
}

/**
 * Finds requests, the newest first. Users, times and errors have indexes. Successes among many errors, and the errors
 * of a user with many requests, are filtered.
 */
export async function findRequests(
  db: Database,
  query: RequestQuery,
): Promise<readonly RequestRow[]> {
  if (query.user === undefined) return await findByKey(db, query, null)
  const found = new Map<number, RequestRow>()
  for (const key of await keysOf(db, query.tenantId, query.user)) {
    for (const row of await findByKey(db, query, key)) found.set(row.id, row)
  }
  return [...found.values()].sort((a, b) => b.id - a.id).slice(0, query.count)
}

/** The requests with an id greater than the given one, the oldest first. */
export async function findLater(
  db: Database,
  tenantId: string,
  after: number,
  count: number,
): Promise<readonly RequestRow[]> {
  const text = `${SELECT} where tenant_id = ? and id > ? order by id limit ?`
  return await readRows<RequestRow>(db, rawSql(text, [tenantId, after, count]))
}

/** A request with its bodies, or null. */
export async function findRequest(
  db: Database,
  tenantId: string,
  id: number,
): Promise<(RequestRow & { readonly exchange: string | null }) | null> {
  const text = `${SELECT.replace(' from', ', exchange from')} where tenant_id = ? and id = ?`
  const rows = await readRows<RequestRow & { readonly exchange: string | null }>(
    db,
    rawSql(text, [tenantId, id]),
  )
  return rows[0] ?? null
}

/** A column with an index, and the value to find. */
interface Key {
  readonly column: 'resource_id' | 'user_name_key'
  readonly value: string
}

async function findByKey(
  db: Database,
  { tenantId, status, from, to, before, count }: RequestQuery,
  key: Key | null,
): Promise<readonly RequestRow[]> {
  const conditions = ['tenant_id = ?']
  const values: unknown[] = [tenantId]
  const add = (condition: string, value: unknown): void => {
    if (value === undefined) return
    conditions.push(condition)
    values.push(value)
  }
  if (key !== null) add(`${key.column} = ?`, key.value)
  add('id < ?', before)
  if (key === null) {
    // Ids are nearly in the order of the times: the range of ids, which the indexes contain, is a little wider.
    const idAt = (time: number) => findIdAt(db, tenantId, time)
    if (from !== undefined) add('id >= ?', await idAt(from - LATEST_WRITE))
    if (to !== undefined) add('id < ?', await idAt(to + LATEST_WRITE))
  }
  add('time >= ?', from)
  add('time < ?', to)
  // Only literals imply the condition of the partial index.
  if (status !== undefined) conditions.push(STATUSES[status])
  const text = `${SELECT} where ${conditions.join(' and ')} order by id desc limit ?`
  return await readRows<RequestRow>(db, rawSql(text, [...values, count]))
}

/** A user is found by the id, and by the userName: in look-ups before it existed, and now or before by its id. */
async function keysOf(db: Database, tenantId: string, user: string): Promise<readonly Key[]> {
  const name = user.toLowerCase().slice(0, LONGEST_KEY)
  const ids = await readRows<{ readonly id: string }>(
    db,
    rawSql(
      `select id from users where tenant_id = ? and user_name_key = ?
      union select resource_id as id from (
        select resource_id from requests where tenant_id = ? and user_name_key = ?
        order by id desc limit ${MOST_NAMED}
      ) as named where resource_id is not null`,
      [tenantId, user.toLowerCase(), tenantId, name],
    ),
  )
  const resources = new Set([user.slice(0, LONGEST_KEY), ...ids.map(({ id }) => id)])
  return [
    { column: 'user_name_key', value: name },
    ...[...resources].map((value): Key => ({ column: 'resource_id', value })),
  ]
}

/** The conditions of the statuses that a query can name. */
const STATUSES = {
  '2xx': 'status < 300',
  '4xx': 'status >= 400 and status < 500',
  '5xx': 'status >= 400 and status >= 500',
  errors: 'status >= 400',
} as const
const SELECT = 'select tenant_id, id, time, status, resource_id, entry from requests'
/** The newest requests with a userName in which ids of users are searched, also of deleted ones. */
const MOST_NAMED = 100
/** How long (ms) after its answer a request may be written, and by how much the clocks of processes may differ. */
const LATEST_WRITE = 120_000
