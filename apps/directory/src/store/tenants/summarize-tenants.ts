import { raw, sql } from '@plumbline/scim/sql'
import { type Database, readRows } from '../database.ts'
import type { TokenRow } from '../tables.ts'

/** A number of rows. Counting stops at a limit: then there are at least as many. */
export interface Count {
  readonly count: number
  readonly isExact: boolean
}

/** A token that expires. */
export type Expiry = Pick<TokenRow, 'id' | 'name'> & { readonly expires_at: number }

/** The facts a list of tenants shows of each. */
export interface TenantSummary {
  readonly users: Count
  readonly groups: Count
  /** When its last request was answered, or when one of its tokens was last used, to the minute; or null. */
  readonly lastRequestAt: number | null
  /** The requests that were rejected in the last 24 hours. */
  readonly errors: Count
  /** The token that expires next, or null. */
  readonly nextExpiry: Expiry | null
}

/**
 * Summarizes tenants, in their order. The cost is bounded: the users of all of them are exact if they are fewer than a
 * million together, and so are the groups. Each tenant's errors are exact below a thousand.
 */
export async function summarizeTenants(
  db: Database,
  tenantIds: readonly string[],
  now: number,
): Promise<readonly TenantSummary[]> {
  const users = await countRows(db, 'users', tenantIds)
  const groups = await countRows(db, 'groups', tenantIds)
  const summaries: TenantSummary[] = []
  for (const [at, id] of tenantIds.entries()) {
    summaries.push({
      users: users[at] ?? NOTHING,
      groups: groups[at] ?? NOTHING,
      lastRequestAt: await findLastRequest(db, id),
      errors: await countErrors(db, id, now - DAY),
      nextExpiry: await findNextExpiry(db, id, now),
    })
  }
  return summaries
}

/** Counts the rows of each tenant by parts, in turns, until all are counted or the most rows were read. */
async function countRows(
  db: Database,
  table: string,
  tenantIds: readonly string[],
): Promise<readonly Count[]> {
  const counts = tenantIds.map(() => ({ count: 0, isExact: false, last: '' }))
  let left = MOST_COUNTED
  while (left > 0 && counts.some(({ isExact }) => !isExact)) {
    for (const [at, tenantId] of tenantIds.entries()) {
      const counted = counts[at]
      if (counted === undefined || counted.isExact) continue
      const part = await countPart(db, table, tenantId, counted.last)
      counted.count += part.count
      counted.isExact = part.count < PART
      counted.last = part.last ?? counted.last
      left -= part.count
    }
  }
  return counts.map(({ count, isExact }) => ({ count, isExact }))
}

/** Counts the next rows of a tenant, in the order of their ids. */
async function countPart(db: Database, table: string, tenantId: string, after: string) {
  const statement = sql`select count(*) as count, max(id) as last from (
      select id from ${raw(table)} where tenant_id = ${tenantId} and id > ${after} order by id limit ${raw(String(PART))}
    ) as part`
  const rows = await readRows<{ readonly count: number; readonly last: string | null }>(
    db,
    statement,
  )
  return rows[0] ?? { count: 0, last: null }
}

async function findLastRequest(db: Database, tenantId: string): Promise<number | null> {
  const [row] = await readRows<{ readonly logged: number | null; readonly used: number | null }>(
    db,
    sql`select
      (select time from requests where tenant_id = ${tenantId} order by id desc limit 1) as logged,
      (select max(last_used_at) from tokens where tenant_id = ${tenantId}) as used`,
  )
  const last = Math.max(row?.logged ?? 0, row?.used ?? 0)
  return last === 0 ? null : last
}

/** Counts errors among the newest ones. */
async function countErrors(db: Database, tenantId: string, since: number): Promise<Count> {
  const [row] = await readRows<{ readonly count: number }>(
    db,
    sql`select count(*) as count from (
      select time from requests where tenant_id = ${tenantId} and status >= 400
      order by id desc limit ${raw(String(MOST_ERRORS))}
    ) as newest where time >= ${since}`,
  )
  const count = row?.count ?? 0
  return { count, isExact: count < MOST_ERRORS }
}

async function findNextExpiry(db: Database, tenantId: string, now: number): Promise<Expiry | null> {
  const [row] = await readRows<Expiry>(
    db,
    sql`select id, name, expires_at from tokens
      where tenant_id = ${tenantId} and expires_at > ${now} order by expires_at, id limit 1`,
  )
  return row ?? null
}

const DAY = 24 * 60 * 60 * 1_000
const NOTHING: Count = { count: 0, isExact: true }
/** How many users, and how many groups, are counted for one answer. */
const MOST_COUNTED = 1_000_000
/** How many rows are counted by one statement. */
const PART = 10_000
const MOST_ERRORS = 1_000
