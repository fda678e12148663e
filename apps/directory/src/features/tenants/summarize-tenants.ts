import { raw, sql } from '@plumbline/scim/internal'
import type { Count } from '../../kernel/counts.ts'
import { DAY } from '../../kernel/durations.ts'
import { type Database, readRows } from '../../kernel/store/database.ts'
import type { TokenRow } from '../../kernel/store/tables.ts'
import { type ConnectionState, readFeed } from '../changes/feed.ts'
import { summarizeWebhooks, type WebhookSummary } from './summarize-webhooks.ts'

/** A token that expires. */
export type Expiry = Pick<TokenRow, 'id' | 'name'> & { readonly expires_at: number }

/** How many recent requests were sent, and how many were rejected. */
export interface Recent {
  readonly requests: number
  readonly errors: number
}

/** A resource type whose resources are counted. */
export interface CountedType {
  readonly name: string
  readonly table: string
}

/** The facts a list of tenants shows of each. */
export interface TenantSummary {
  /** The number of resources, keyed by type name. */
  readonly resources: Readonly<Record<string, Count>>
  /** When the last request was answered, or when a token was last used, to the minute; or null. */
  readonly lastRequestAt: number | null
  /** The requests rejected in the last 24 hours. */
  readonly errors: Count
  /** The newest requests, 20 at most, and how many were rejected. */
  readonly recent: Recent
  readonly connection: ConnectionState
  readonly webhooks: WebhookSummary
  /** The token that expires next, or null. */
  readonly nextExpiry: Expiry | null
}

/**
 * Summarizes tenants, in their order. The cost is bounded: the resources of one type are exact if all tenants together
 * have fewer than a million. Each tenant's errors are exact below a thousand.
 */
export async function summarizeTenants(
  db: Database,
  tenantIds: readonly string[],
  { types, now }: { readonly types: readonly CountedType[]; readonly now: number },
): Promise<readonly TenantSummary[]> {
  const counts = new Map<string, readonly Count[]>()
  for (const { name, table } of types) counts.set(name, await countRows(db, table, tenantIds))
  const summaries: TenantSummary[] = []
  for (const [at, id] of tenantIds.entries()) {
    const feed = await readFeed(db, id)
    summaries.push({
      resources: Object.fromEntries(
        [...counts].map(([name, ofTenants]) => [name, ofTenants[at] ?? NOTHING]),
      ),
      lastRequestAt: await findLastRequest(db, id),
      errors: await countErrors(db, id, now - DAY),
      recent: await countRecent(db, id),
      connection: feed.state,
      webhooks: await summarizeWebhooks(db, id, { feed, now }),
      nextExpiry: await findNextExpiry(db, id, now),
    })
  }
  return summaries
}

/** Counts each tenant's rows in parts, in turns, until all are counted or the maximum is reached. */
async function countRows(
  db: Database,
  table: string,
  tenantIds: readonly string[],
): Promise<readonly Count[]> {
  const counts = tenantIds.map(() => ({ count: 0, isExact: false, last: '' }))
  let left = MAX_COUNTED
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

/** Counts a tenant's next rows, in id order. */
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
  // Two statements: on a cluster, the two tables may be on different nodes.
  const [request] = await readRows<{ readonly time: number }>(
    db,
    sql`select time from requests where tenant_id = ${tenantId} order by id desc limit 1`,
  )
  const [token] = await readRows<{ readonly used: number | null }>(
    db,
    sql`select max(last_used_at) as used from tokens where tenant_id = ${tenantId}`,
  )
  const last = Math.max(request?.time ?? 0, token?.used ?? 0)
  return last === 0 ? null : last
}

/** Counts errors among the newest ones. */
async function countErrors(db: Database, tenantId: string, since: number): Promise<Count> {
  const [row] = await readRows<{ readonly count: number }>(
    db,
    sql`select count(*) as count from (
      select time from requests where tenant_id = ${tenantId} and status >= 400
      order by id desc limit ${raw(String(MAX_ERRORS))}
    ) as newest where time >= ${since}`,
  )
  const count = row?.count ?? 0
  return { count, isExact: count < MAX_ERRORS }
}

async function countRecent(db: Database, tenantId: string): Promise<Recent> {
  const [row] = await readRows<Recent>(
    db,
    sql`select count(*) as requests, count(case when status >= 400 then 1 end) as errors from (
      select status from requests where tenant_id = ${tenantId}
      order by id desc limit ${raw(String(MAX_RECENT))}
    ) as newest`,
  )
  return row ?? { requests: 0, errors: 0 }
}

async function findNextExpiry(db: Database, tenantId: string, now: number): Promise<Expiry | null> {
  const [row] = await readRows<Expiry>(
    db,
    sql`select id, name, expires_at from tokens
      where tenant_id = ${tenantId} and expires_at > ${now} order by expires_at, id limit 1`,
  )
  return row ?? null
}

const NOTHING: Count = { count: 0, isExact: true }
/** How many resources of one type are counted for one answer. */
const MAX_COUNTED = 1_000_000
/** How many rows one statement counts. */
const PART = 10_000
const MAX_ERRORS = 1_000
const MAX_RECENT = 20
