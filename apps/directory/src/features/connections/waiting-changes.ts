import { sql } from '@plumbline/scim/internal'
import { type Database, readRows } from '../../kernel/store/database.ts'
import { rowsOf } from '../../kernel/store/tenant-rows.ts'
import type { ChangeRow } from '../changes/change-row.ts'
import { readFeed } from '../changes/feed.ts'

/** A change that waits for an administrator. */
export type WaitingChange = Pick<ChangeRow, 'position' | 'name' | 'change' | 'risk_at'>

/** A part of the waiting changes. */
export interface WaitingPage {
  /** The changes after this position. Defaults to the first ones. */
  readonly after: number
  readonly count: number
  /** Whether only those are listed that take access from a user. */
  readonly isRisky: boolean
}

/** Lists a tenant's waiting changes, in the order in which consumers would see them. */
export async function listWaiting(
  db: Database,
  tenantId: string,
  { after, count, isRisky }: WaitingPage,
): Promise<readonly WaitingChange[]> {
  const { position, heldAfter } = await readFeed(db, tenantId)
  const start = Math.max(after, heldAfter ?? position)
  const risky = isRisky ? sql` and risk_at is not null` : sql``
  return await readRows(
    db,
    sql`select position, name, change, risk_at from ${rowsOf(tenantId, 'changes')}
      and position > ${start}${risky} order by position limit ${count}`,
  )
}
