import { raw, sql } from '@plumbline/scim/internal'
import type { Count } from '../../kernel/counts.ts'
import { type Database, readRow, readRows } from '../../kernel/store/database.ts'
import { ofTenant, rowsOf } from '../../kernel/store/tenant-rows.ts'
import type { ChangeRow } from '../changes/change-row.ts'
import {
  type ConnectionState,
  type Feed,
  type HoldRule,
  LOST_USERS,
  lockFeed,
  visibleTo,
  writeFeed,
} from '../changes/feed.ts'
import { holdOfWaiting } from './hold-rule.ts'

/** A tenant's waiting changes. Counting stops after 10,000 changes. */
export interface Waiting {
  readonly changes: Count
  /** How many users lose their access. */
  readonly users: Count
  /** How many of them were deleted. */
  readonly deleted: Count
  /** The tokens of the counted changes' clients; null for `DIRECTORY_TOKEN`. */
  readonly tokenIds: readonly (string | null)[]
  /** The first and the last change that takes access from a user. */
  readonly first: Pick<ChangeRow, 'change'> | null
  readonly last: Pick<ChangeRow, 'change'> | null
}

/** Summarizes the waiting changes. */
export async function readWaiting(
  db: Database,
  tenantId: string,
  { position, heldAfter }: Pick<Feed, 'position' | 'heldAfter'>,
): Promise<Waiting> {
  const after = heldAfter ?? position
  const waiting = sql`${rowsOf(tenantId, 'changes')} and position > ${after}`
  const risky = sql`${waiting} and risk_at is not null`
  const counted = await readRow<{ readonly count: number }>(
    db,
    sql`select count(*) as count from (
        select 1 as one from ${waiting} limit ${MAX_COUNTED + 1}
      ) as counted`,
  )
  const some = sql`(
      select resource_id, type, token_id from ${risky} order by position limit ${MAX_COUNTED + 1}
    ) as counted`
  const lost = await readRow<{
    readonly changes: number
    readonly users: number
    readonly deleted: number
  }>(db, sql`select count(*) as changes, ${raw(LOST_USERS)} from ${some}`)
  const clients = await readRows<{ readonly token_id: string | null }>(
    db,
    sql`select distinct token_id from ${some} order by token_id limit ${MAX_CLIENTS}`,
  )
  const [first = null] = await readRows<Pick<ChangeRow, 'change'>>(
    db,
    sql`select change from ${risky} order by position limit 1`,
  )
  const [last = null] = await readRows<Pick<ChangeRow, 'change'>>(
    db,
    sql`select change from ${risky} order by position desc limit 1`,
  )
  return {
    changes: limited(counted?.count, counted?.count),
    users: limited(lost?.users, lost?.changes),
    deleted: limited(lost?.deleted, lost?.changes),
    tokenIds: clients.map(({ token_id }) => token_id),
    first,
    last,
  }
}

/** Returns a number found among `changes` changes, which were counted up to the limit and one more. */
function limited(found = 0, changes = 0): Count {
  return { count: Math.min(found, MAX_COUNTED), isExact: changes <= MAX_COUNTED }
}

/** An administrator's change to a connection. */
export interface ConnectionChange {
  readonly state?: Exclude<ConnectionState, 'held'> | undefined
  readonly rule?: HoldRule | undefined
}

/**
 * Changes a connection. The state `active` ends a pause or a review: the changes that waited are released, or held if
 * they exceed the rule. It changes nothing else, so that a tool may send it again and again. Returns false, and
 * changes nothing, if it would release held changes.
 */
export async function changeConnection(
  db: Database,
  tenantId: string,
  { state, rule, now }: ConnectionChange & { readonly now: number },
): Promise<boolean> {
  const feed = await lockFeed(db, tenantId)
  if (state === 'active' && feed.state === 'held') return false
  const ruled = rule === undefined ? feed : { ...feed, rule, countAt: 0 }
  await writeFeed(db, tenantId, await withState(db, tenantId, ruled, { state, now }))
  return true
}

async function withState(
  db: Database,
  tenantId: string,
  feed: Feed,
  { state, now }: Pick<ConnectionChange, 'state'> & { readonly now: number },
): Promise<Feed> {
  if (state === undefined || state === feed.state) return feed
  if (state === 'active') {
    const hold = await holdOfWaiting(db, tenantId, feed, now)
    if (hold !== null) return { ...feed, state: 'held', hold }
    // An administrator has reviewed them, so they don't wait for their delay either.
    await endDelays(db, tenantId, now)
    return released(feed)
  }
  const heldAfter = feed.heldAfter ?? (await visibleTo(db, tenantId, feed, now))
  return { ...feed, state, heldAfter, hold: null }
}

/** Releases the waiting changes. If some could not be stored, consumers have to copy the tenant again. */
export async function releaseWaiting(db: Database, tenantId: string, now: number): Promise<void> {
  const feed = await lockFeed(db, tenantId)
  if (feed.heldAfter === null) return
  await endDelays(db, tenantId, now)
  const isComplete = feed.storedTo === null
  const deletedTo = isComplete ? feed.deletedTo : feed.position
  await writeFeed(db, tenantId, { ...released(feed), deletedTo })
}

async function endDelays(db: Database, tenantId: string, now: number): Promise<void> {
  await db.exec(
    sql`update changes set releases_at = null
      where ${ofTenant(tenantId, 'changes')} and releases_at > ${now}`,
  )
}

/** Deletes the waiting changes, so no consumer sees them. The connection becomes active. */
export async function dropWaiting(db: Database, tenantId: string): Promise<void> {
  const feed = await lockFeed(db, tenantId)
  if (feed.heldAfter === null) return
  const bytes = await deleteChanges(db, tenantId, feed.heldAfter)
  await writeFeed(db, tenantId, released({ ...feed, bytes: feed.bytes - bytes }))
}

/** Returns a feed whose changes do not wait. The rule counts only new changes. */
function released(feed: Feed): Feed {
  const counted = { countedAfter: feed.position, countAt: 0 }
  return { ...feed, ...counted, state: 'active', heldAfter: null, storedTo: null, hold: null }
}

/** Deletes the changes after a position; returns about how many bytes they needed. */
async function deleteChanges(db: Database, tenantId: string, after: number): Promise<number> {
  const range = sql`position > ${after}`
  const row = await readRow<{ readonly bytes: number | null }>(
    db,
    sql`select sum(bytes) as bytes from ${rowsOf(tenantId, 'changes')} and ${range}`,
  )
  await db.exec(sql`delete from changes where ${ofTenant(tenantId, 'changes')} and ${range}`)
  // PostgreSQL returns a sum as a string.
  return Number(row?.bytes ?? 0)
}

/** The maximum number of counted changes. */
const MAX_COUNTED = 10_000
const MAX_CLIENTS = 20
