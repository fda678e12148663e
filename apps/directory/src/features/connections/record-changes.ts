import { chunkRows } from '@plumbline/scim/internal'
import { type Database, insertRows } from '../../kernel/store/database.ts'
import type { ChangeContent, ChangeRow } from '../changes/change-row.ts'
import { advanceFeed, visibleTo, writeFeed } from '../changes/feed.ts'
import { countLeft } from './hold-rule.ts'
import { findEmptied } from './protected-groups.ts'

/** A write's changes, and their client. */
export interface Recorded {
  readonly tenantId: string
  readonly tokenId: string | null
  readonly requestId: string
  /** Milliseconds since 1970. */
  readonly now: number
  readonly contents: readonly ChangeContent[]
  /** The groups that lost members. */
  readonly left: readonly string[]
}

/** Stores changes in the transaction of their write, and holds them if they exceed the tenant's rule. */
export async function recordChanges(db: Database, recorded: Recorded): Promise<void> {
  const { tenantId, contents, now } = recorded
  const bytes = contents.reduce((sum, content) => sum + content.bytes, 0)
  const feed = await advanceFeed(db, tenantId, { count: contents.length, bytes })
  // The waiting changes need too many bytes.
  if (feed.storedTo !== null) {
    return await writeFeed(db, tenantId, { ...feed, bytes: feed.bytes - bytes })
  }
  const first = feed.position - contents.length + 1
  const isRisk = contents.some((content) => content.isRisk)
  // When a deleted user leaves its groups, those changes wait with the user.
  const releases_at = isRisk && feed.rule.delay > 0 ? now + feed.rule.delay * 1_000 : null
  const rows = contents.map((content, at): ChangeRow => {
    const { isRisk: isRisky, ...columns } = content
    const facts = { tenant_id: tenantId, token_id: recorded.tokenId, time: now, releases_at }
    return { ...columns, ...facts, position: first + at, risk_at: isRisky ? now : null }
  })
  for (const some of chunkRows(rows)) await insertRows(db, 'changes', some)
  if (feed.state !== 'active') return
  const facts = { at: now, requestId: recorded.requestId }
  const heldAfter = async (): Promise<number> =>
    Math.min(first - 1, await visibleTo(db, tenantId, feed, now))
  const users = contents.flatMap((content) => (content.isRisk ? content.resource_id : []))
  const losses = { protectedGroups: feed.rule.protectedGroups, left: recorded.left, users }
  const groupId = await findEmptied(db, tenantId, losses)
  if (groupId !== null) {
    const hold = { ...facts, reason: 'group', groupId } as const
    await writeFeed(db, tenantId, { ...feed, state: 'held', heldAfter: await heldAfter(), hold })
  } else if (isRisk && feed.position >= feed.countAt) {
    const left = await countLeft(db, tenantId, feed, now)
    const hold = { ...facts, reason: 'users', groupId: null } as const
    await writeFeed(
      db,
      tenantId,
      left < 0
        ? { ...feed, state: 'held', heldAfter: await heldAfter(), hold }
        : { ...feed, countAt: feed.position + left + 1 },
    )
  }
}
