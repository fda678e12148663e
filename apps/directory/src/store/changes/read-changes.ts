import { sql } from '@plumbline/scim/sql'
import { type Database, readRow, readRows } from '../database.ts'
import { countWithin } from '../sizes.ts'
import { rowsOf } from '../tenant-rows.ts'
import type { ChangeRow } from './change-row.ts'
import { readFeed, visibleTo } from './feed.ts'

/** A page of the changes visible to a consumer. */
export interface ChangePage {
  readonly rows: readonly ReadChange[]
  /** The last row's position, or the one after which the page starts. */
  readonly next: number
  /** Whether more changes follow. */
  readonly hasMore: boolean
}

/** A change's position and JSON. */
export type ReadChange = Pick<ChangeRow, 'position' | 'change'>

/**
 * Reads the changes after a position, as far as consumers see them; from the oldest one without a position.
 * Null if some of them were deleted, or the position is not in this feed. It needs a transaction in which all
 * statements read the same snapshot.
 */
export async function readChanges(
  db: Database,
  tenantId: string,
  {
    after,
    count,
    now,
  }: { readonly after: number | null; readonly count: number; readonly now: number },
): Promise<ChangePage | null> {
  const feed = await readFeed(db, tenantId)
  const start = after ?? feed.deletedTo
  if (start < feed.deletedTo || start > feed.position) return null
  const end = await visibleTo(db, tenantId, feed, now)
  if (start >= end) return { rows: [], next: start, hasMore: false }
  const found = await readRows<Pick<ChangeRow, 'position' | 'bytes'>>(
    db,
    sql`select position, bytes from ${rowsOf(tenantId, 'changes')}
      and position > ${start} and position <= ${end} order by position limit ${count}`,
  )
  const sizes = found.map(({ bytes }) => bytes)
  const next = found.at(countWithin(sizes, MOST_IN_PAGE) - 1)?.position ?? end
  const rows = await readRows<ReadChange>(
    db,
    sql`select position, change from ${rowsOf(tenantId, 'changes')}
      and position > ${start} and position <= ${next} order by position`,
  )
  return { rows, next, hasMore: next < end }
}

/** Finds the change at a position; null if it was deleted. */
export async function findChange(
  db: Database,
  tenantId: string,
  position: number,
): Promise<ReadChange | null> {
  const row = sql`select position, change from ${rowsOf(tenantId, 'changes')}`
  return await readRow(db, sql`${row} and position = ${position}`)
}

/** Returns the position of the newest change visible to consumers. */
export async function newestPosition(db: Database, tenantId: string, now: number): Promise<number> {
  return await visibleTo(db, tenantId, await readFeed(db, tenantId), now)
}

/** The maximum size of a page's JSON, in bytes. */
const MOST_IN_PAGE = 4 * 2 ** 20
