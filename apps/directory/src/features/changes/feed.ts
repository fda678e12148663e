import { type Fragment, raw, sql } from '@plumbline/scim/internal'
import { createEpoch, type FeedName } from '../../kernel/store/cursor.ts'
import { type Database, readRow, readRows } from '../../kernel/store/database.ts'
import { ofTenant, rowsOf } from '../../kernel/store/tenant-rows.ts'
import type { ChangeRow } from './change-row.ts'

/** Whether a tenant's changes wait: until an administrator has reviewed them, or by a rule. */
export const CONNECTION_STATES = ['active', 'review', 'paused', 'held'] as const

/** The state of a tenant's connection. Changes wait in all states but `active`. */
export type ConnectionState = (typeof CONNECTION_STATES)[number]

/** When the directory holds a tenant's changes automatically. */
export interface HoldRule {
  /** The percentage of the tenant's users. */
  readonly percent: number
  /** The minimum number of users. */
  readonly least: number
  /** The minutes in which they lose their access. */
  readonly minutes: number
  /** How many seconds a change that takes access waits, so the rule can still hold it. */
  readonly delay: number
  /** The protected groups, keyed by id: they must not become empty. */
  readonly protectedGroups: readonly string[]
}

/** Why changes are held. */
export interface Hold {
  readonly reason: 'users' | 'group'
  /** Milliseconds since 1970. */
  readonly at: number
  /** The request that exceeded the rule. */
  readonly requestId: string
  /** The group that became empty; null for `users`. */
  readonly groupId: string | null
}

/** A tenant's change feed. */
export interface Feed extends FeedName {
  /** The position of the newest change; 0 without changes. */
  readonly position: number
  /** Changes up to this position were deleted. */
  readonly deletedTo: number
  /** About how many bytes the stored changes need. */
  readonly bytes: number
  readonly state: ConnectionState
  /** Changes after this position wait; null if the connection is active. */
  readonly heldAfter: number | null
  /** The waiting changes after this position are not stored, because all need too many bytes; or null. */
  readonly storedTo: number | null
  /** The rule counts the changes after this position. */
  readonly countedAfter: number
  /** The rule cannot be exceeded before a change with this position. */
  readonly countAt: number
  readonly hold: Hold | null
  readonly rule: HoldRule
}

/** The columns that count the users of risky changes, and how many were deleted. */
export const LOST_USERS = `count(distinct resource_id) as users,
  count(distinct case when type = 'user.deleted' then resource_id end) as deleted`

/** The rule for tenants without their own. */
export const DEFAULT_RULE: HoldRule = {
  percent: 20,
  least: 10,
  minutes: 10,
  delay: 30,
  protectedGroups: [],
}

/** Creates a new tenant's feed. A tenant deleted and created again has another epoch. */
export async function createFeed(db: Database, tenantId: string): Promise<void> {
  await db.exec(
    sql`insert into change_feeds (tenant_id, position, bytes, epoch)
      values (${tenantId}, 0, 0, ${createEpoch()})
      on conflict (tenant_id) do update set epoch = excluded.epoch`,
  )
}

/**
 * Reserves positions for changes, and returns the feed after them. The feed is locked until the transaction
 * ends, so changes are committed in position order.
 */
export async function advanceFeed(
  db: Database,
  tenantId: string,
  { count, bytes }: { readonly count: number; readonly bytes: number },
): Promise<Feed> {
  const row = await readRow<FeedRow>(
    db,
    sql`insert into change_feeds (tenant_id, position, bytes, epoch)
      values (${tenantId}, ${count}, ${bytes}, ${createEpoch()})
      on conflict (tenant_id) do update set
        position = change_feeds.position + excluded.position,
        bytes = change_feeds.bytes + excluded.bytes
      returning ${raw(COLUMNS)}`,
  )
  return feedOf(row)
}

/** Reads a tenant's feed. */
export async function readFeed(db: Database, tenantId: string): Promise<Feed> {
  const statement = sql`select ${raw(COLUMNS)} from ${rowsOf(tenantId, 'change_feeds')}`
  return feedOf(await readRow<FeedRow>(db, statement))
}

/** Locks a tenant's feed until the transaction ends, and reads it. It is created if necessary. */
export async function lockFeed(db: Database, tenantId: string): Promise<Feed> {
  return await advanceFeed(db, tenantId, { count: 0, bytes: 0 })
}

/** Writes everything an administrator or a rule can change. */
export async function writeFeed(
  db: Database,
  tenantId: string,
  { state, heldAfter, storedTo, countedAfter, countAt, hold, rule, deletedTo, bytes }: Feed,
): Promise<void> {
  await db.exec(
    sql`update change_feeds set state = ${state}, held_after = ${heldAfter}, stored_to = ${storedTo},
        counted_after = ${countedAfter}, count_at = ${countAt}, hold = ${hold && JSON.stringify(hold)},
        rule = ${JSON.stringify(rule)}, deleted_to = ${deletedTo}, bytes = ${bytes}
      where ${ofTenant(tenantId, 'change_feeds')}`,
  )
}

/**
 * Matches the changes whose delay has not passed. A change written in the future has a wrong time, as after a start
 * before the clock was set: it does not wait, because it could wait for days.
 */
export function delayedAt(now: number, table: 'changes' | 'c' = 'changes'): Fragment {
  const [releases, time] = [raw(`${table}.releases_at`), raw(`${table}.time`)]
  return sql`${releases} > ${now} and ${time} <= ${now + CLOCK_DIFFERENCE}`
}

/** Returns the position up to which consumers see a feed's changes at a given time. */
export async function visibleTo(
  db: Database,
  tenantId: string,
  { position, heldAfter }: Feed,
  now: number,
): Promise<number> {
  const row = await readRow<{ readonly first: number | null }>(
    db,
    sql`select min(position) as first from ${rowsOf(tenantId, 'changes')} and ${delayedAt(now)}`,
  )
  const first = row?.first ?? null
  return Math.min(heldAfter ?? position, first === null ? position : first - 1)
}

/** The changes to keep: since a time, as long as they need at most this many bytes. */
export interface Retention {
  /** Milliseconds since 1970. */
  readonly since: number
  readonly bytes: number
}

/**
 * Deletes a tenant's oldest changes, a few hundred at most. Waiting changes are never deleted: if they need too many
 * bytes, later ones are not stored. Returns whether more may be left to delete.
 */
export async function deleteOldChanges(
  db: Database,
  tenantId: string,
  { since, bytes: most }: Retention,
): Promise<boolean> {
  // Locking the feed writes the feed's row, so it is not locked if nothing is old.
  if (!(await hasOldChanges(db, tenantId, { since, bytes: most }))) return false
  const feed = await lockFeed(db, tenantId)
  const oldest = await readRows<Pick<ChangeRow, 'position' | 'time' | 'bytes'>>(
    db,
    sql`select position, time, bytes from ${rowsOf(tenantId, 'changes')}
      order by position limit ${raw(String(MAX_DELETED))}`,
  )
  let last = 0
  let { bytes } = feed
  for (const row of oldest) {
    if (feed.heldAfter !== null && row.position > feed.heldAfter) break
    const isSeen = row.position > feed.deletedTo
    if (isSeen && bytes <= most && row.time >= since) break
    last = row.position
    bytes -= row.bytes
  }
  const isFull = feed.heldAfter !== null && bytes > most && last !== oldest.at(-1)?.position
  const storedTo = feed.storedTo ?? (isFull ? feed.position : null)
  if (last === 0 && storedTo === feed.storedTo) return false
  await db.exec(
    sql`delete from changes where ${ofTenant(tenantId, 'changes')} and position <= ${last}`,
  )
  const deletedTo = Math.max(feed.deletedTo, last)
  await writeFeed(db, tenantId, { ...feed, deletedTo, bytes, storedTo })
  return oldest.length === MAX_DELETED && last === oldest.at(-1)?.position
}

async function hasOldChanges(
  db: Database,
  tenantId: string,
  { since, bytes: most }: Retention,
): Promise<boolean> {
  const { deletedTo, bytes } = await readFeed(db, tenantId)
  if (bytes > most) return true
  const oldest = await readRow<Pick<ChangeRow, 'position' | 'time'>>(
    db,
    sql`select position, time from ${rowsOf(tenantId, 'changes')} order by position limit 1`,
  )
  return oldest !== null && (oldest.time < since || oldest.position <= deletedTo)
}

interface FeedRow {
  readonly position: number
  readonly deleted_to: number
  readonly bytes: number
  readonly state: ConnectionState
  readonly held_after: number | null
  readonly stored_to: number | null
  readonly counted_after: number
  readonly count_at: number
  readonly hold: string | null
  readonly rule: string | null
  readonly epoch: string
  readonly first_epoch: string | null
}

function feedOf(row: FeedRow | null): Feed {
  if (row === null) return EMPTY
  const { position, bytes, state, hold, rule, epoch } = row
  return {
    position,
    bytes,
    state,
    epoch,
    firstEpoch: row.first_epoch,
    deletedTo: row.deleted_to,
    heldAfter: row.held_after,
    storedTo: row.stored_to,
    countedAfter: row.counted_after,
    countAt: row.count_at,
    hold: hold === null ? null : JSON.parse(hold),
    rule: rule === null ? DEFAULT_RULE : JSON.parse(rule),
  }
}

const EMPTY: Feed = {
  position: 0,
  deletedTo: 0,
  bytes: 0,
  state: 'active',
  heldAfter: null,
  storedTo: null,
  countedAfter: 0,
  countAt: 0,
  hold: null,
  rule: DEFAULT_RULE,
  epoch: '',
  firstEpoch: null,
}
const COLUMNS =
  'position, deleted_to, bytes, state, held_after, stored_to, counted_after, count_at, hold, rule, epoch, first_epoch'
const MAX_DELETED = 500
/** How much (ms) the clocks of two hosts may differ. */
const CLOCK_DIFFERENCE = 60_000
