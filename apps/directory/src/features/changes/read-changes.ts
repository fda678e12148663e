import { countWithin, sql } from '@plumbline/scim/internal'
import { type Cursor, positionIn, writeCursor } from '../../kernel/store/cursor.ts'
import { type Database, readRow, readRows } from '../../kernel/store/database.ts'
import { rowsOf } from '../../kernel/store/tenant-rows.ts'
import type { ChangeRow } from './change-row.ts'
import { readFeed, visibleTo } from './feed.ts'

/** A page of the changes visible to a consumer. */
export interface ChangePage {
  readonly rows: readonly ReadChange[]
  /** The feed's epoch. */
  readonly epoch: string
  /** The last row's position, or the one after which the page starts. */
  readonly next: number
  /** Whether more changes follow. */
  readonly hasMore: boolean
}

/** A change's name and JSON. */
export type ReadChange = Pick<ChangeRow, 'position' | 'change'> & { readonly epoch: string }

/**
 * Reads the changes after a position, as far as consumers see them; from the oldest one without a position.
 * Null if some of them were deleted, or the cursor is not of this feed. It needs a transaction in which all
 * statements read the same snapshot.
 */
export async function readChanges(
  db: Database,
  tenantId: string,
  {
    after,
    count,
    now,
    maxBytes = MAX_PAGE_BYTES,
  }: {
    readonly after: number | Cursor | null
    readonly count: number
    readonly now: number
    /** The maximum size of the page's JSON, but a page has at least one change; 4 MiB by default. */
    readonly maxBytes?: number
  },
): Promise<ChangePage | null> {
  const feed = await readFeed(db, tenantId)
  const { epoch } = feed
  const known = after === null || typeof after === 'number' ? after : positionIn(feed, after)
  if (known === null && after !== null) return null
  const start = known ?? feed.deletedTo
  if (start < feed.deletedTo || start > feed.position) return null
  const end = await visibleTo(db, tenantId, feed, now)
  if (start >= end) return { rows: [], epoch, next: start, hasMore: false }
  const found = await readRows<Pick<ChangeRow, 'position' | 'bytes'>>(
    db,
    sql`select position, bytes from ${rowsOf(tenantId, 'changes')}
      and position > ${start} and position <= ${end} order by position limit ${count}`,
  )
  const sizes = found.map(({ bytes }) => bytes)
  const next = found.at(countWithin(sizes, maxBytes) - 1)?.position ?? end
  const rows = await readRows<Omit<ReadChange, 'epoch'>>(
    db,
    sql`select position, change from ${rowsOf(tenantId, 'changes')}
      and position > ${start} and position <= ${next} order by position`,
  )
  return { rows: rows.map((row) => ({ ...row, epoch })), epoch, next, hasMore: next < end }
}

/** Finds the change at a position; null if it was deleted. */
export async function findChange(
  db: Database,
  tenantId: string,
  position: number,
): Promise<ReadChange | null> {
  const statement = sql`select position, change from ${rowsOf(tenantId, 'changes')}`
  const row = await readRow<Omit<ReadChange, 'epoch'>>(
    db,
    sql`${statement} and position = ${position}`,
  )
  return row && { ...row, epoch: (await readFeed(db, tenantId)).epoch }
}

/** Returns the position of the newest change visible to consumers. */
export async function newestPosition(db: Database, tenantId: string, now: number): Promise<number> {
  return await visibleTo(db, tenantId, await readFeed(db, tenantId), now)
}

/** Returns the cursor of the newest change visible to consumers. */
export async function newestCursor(db: Database, tenantId: string, now: number): Promise<string> {
  const feed = await readFeed(db, tenantId)
  return writeCursor(feed, await visibleTo(db, tenantId, feed, now))
}

/** The maximum size of a page's JSON, in bytes. */
const MAX_PAGE_BYTES = 4 * 2 ** 20
