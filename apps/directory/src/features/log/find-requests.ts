import { fold } from '@plumbline/scim'
import { joinFragments, raw, sql } from '@plumbline/scim/internal'
import { type Database, readRow, readRows } from '../../kernel/store/database.ts'
import { findIdAt, MAX_WRITE_DELAY_MS } from './id-at.ts'
import { MAX_KEY_LENGTH } from './write-requests.ts'

/** A logged request, without its bodies. */
export interface RequestRow {
  readonly tenant_id: string
  readonly id: number
  readonly time: number
  readonly status: number
  readonly resource_id: string | null
  readonly entry: string
}

/** The requests to find, newest first. */
export interface RequestQuery {
  /** Empty for the requests whose token does not belong to a tenant. */
  readonly tenantId: string
  /** A resource's id, or a userName in any letter case. */
  readonly user?: string | undefined
  /** The response's `X-Request-Id`, which is compared only with the newest requests in the time range. */
  readonly requestId?: string | undefined
  /** How many requests are compared; `MAX_COMPARED` by default. */
  readonly compared?: number
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
 * Finds requests, newest first. Users, times and errors have indexes. Successes among many errors, and the
 * errors of a user with many requests, are filtered. The request id does not have an index, which would make
 * storing a row much slower: a limited number of rows is compared with it.
 */
export async function findRequests(
  db: Database,
  query: RequestQuery,
): Promise<readonly RequestRow[]> {
  const isRead = query.user === undefined || query.requestId !== undefined
  const range = isRead ? await rangeOf(db, query) : WHOLE
  if (query.user === undefined) return await findByKey(db, query, range, null)
  const found = new Map<number, RequestRow>()
  for (const key of await keysOf(db, query.tenantId, query.user)) {
    for (const row of await findByKey(db, query, range, key)) found.set(row.id, row)
  }
  return [...found.values()].sort((a, b) => b.id - a.id).slice(0, query.count)
}

/** Finds the requests with an id greater than the given one, oldest first. */
export async function findLater(
  db: Database,
  tenantId: string,
  after: number,
  count: number,
): Promise<readonly RequestRow[]> {
  return await readRows(
    db,
    sql`select ${raw(COLUMNS)} from requests where tenant_id = ${tenantId} and id > ${after}
      order by id limit ${count}`,
  )
}

/** Finds a request with its bodies, or null. */
export async function findRequest(
  db: Database,
  tenantId: string,
  id: number,
): Promise<(RequestRow & { readonly exchange: string | null }) | null> {
  return await readRow(
    db,
    sql`select ${raw(COLUMNS)}, exchange from requests where tenant_id = ${tenantId} and id = ${id}`,
  )
}

/** The ids in which rows are searched. */
interface IdRange {
  readonly first: number | undefined
  /** The id after the last one. */
  readonly end: number | undefined
}

/**
 * Returns the ids for a query's time range: ids are nearly in time order, so the id range is a little wider. If
 * rows are compared with a request id, it has only the newest of them.
 */
async function rangeOf(db: Database, query: RequestQuery): Promise<IdRange> {
  const { tenantId, requestId, from, to, before, compared = MAX_COMPARED } = query
  const idAt = (time: number) => findIdAt(db, tenantId, time)
  const first = from === undefined ? undefined : await idAt(from - MAX_WRITE_DELAY_MS)
  const end = to === undefined ? undefined : await idAt(to + MAX_WRITE_DELAY_MS)
  if (requestId === undefined) return { first, end }
  const limit = Math.min(before ?? Number.MAX_SAFE_INTEGER, end ?? Number.MAX_SAFE_INTEGER)
  const statement = sql`select id from requests where tenant_id = ${tenantId} and id < ${limit}
    order by id desc limit 1 offset ${compared - 1}`
  const [row] = await readRows<{ readonly id: number }>(db, statement)
  return { first: Math.max(first ?? 0, row?.id ?? 0), end }
}

/** An indexed column, and the value to find. */
interface Key {
  readonly column: 'resource_id' | 'user_name_key'
  readonly value: string
}

async function findByKey(
  db: Database,
  { tenantId, requestId, status, from, to, before, count }: RequestQuery,
  { first, end }: IdRange,
  key: Key | null,
): Promise<readonly RequestRow[]> {
  const conditions = [sql`tenant_id = ${tenantId}`]
  if (key !== null) conditions.push(sql`${raw(key.column)} = ${key.value}`)
  if (before !== undefined) conditions.push(sql`id < ${before}`)
  if (first !== undefined) conditions.push(sql`id >= ${first}`)
  if (end !== undefined) conditions.push(sql`id < ${end}`)
  if (requestId !== undefined) {
    const start = entryStart(requestId)
    conditions.push(sql`substr(entry, 1, ${raw(String(start.length))}) = ${start}`)
  }
  if (from !== undefined) conditions.push(sql`time >= ${from}`)
  if (to !== undefined) conditions.push(sql`time < ${to}`)
  // Only literals imply the partial index's condition.
  if (status !== undefined) conditions.push(raw(STATUSES[status]))
  return await readRows(
    db,
    sql`select ${raw(COLUMNS)} from requests where ${joinFragments(conditions, ' and ')}
      order by id desc limit ${count}`,
  )
}

/** Returns the start of an entry's JSON with a request id, whose characters JSON does not escape. */
function entryStart(requestId: string): string {
  return `{"requestId":${JSON.stringify(requestId)}`
}

/** A user is found by the id, and by the userName: in look-ups before it existed, and now or before by its id. */
async function keysOf(db: Database, tenantId: string, user: string): Promise<readonly Key[]> {
  const name = fold(user).slice(0, MAX_KEY_LENGTH)
  const ids = await readRows<{ readonly id: string }>(
    db,
    sql`select id from users where tenant_id = ${tenantId} and user_name_key = ${fold(user)}
      union select resource_id as id from (
        select resource_id from requests where tenant_id = ${tenantId} and user_name_key = ${name}
        order by id desc limit ${raw(String(MAX_NAMED))}
      ) as named where resource_id is not null`,
  )
  const resources = new Set([user.slice(0, MAX_KEY_LENGTH), ...ids.map(({ id }) => id)])
  return [
    { column: 'user_name_key', value: name },
    ...[...resources].map((value): Key => ({ column: 'resource_id', value })),
  ]
}

/** The conditions for the statuses a query can name. */
const STATUSES = {
  '2xx': 'status < 300',
  '4xx': 'status >= 400 and status < 500',
  '5xx': 'status >= 400 and status >= 500',
  errors: 'status >= 400',
} as const
const WHOLE: IdRange = { first: undefined, end: undefined }
const COLUMNS = 'tenant_id, id, time, status, resource_id, entry'
/** How many requests are compared with a request id. Defaults to as many as the log keeps, which takes about 0.1 s. */
export const MAX_COMPARED = 100_000
/** How many of the newest requests with a userName are searched for user ids, including those of deleted users. */
const MAX_NAMED = 100
