import { raw } from '@plumbline/scim/internal'
import type { Database } from '../../database.ts'
import { type Fence, migrating } from '../../migrations/fence.ts'
import { NEWEST_MIGRATION } from '../../migrations/journal.ts'
import { POSTGRES_DIALECT } from './dialect.ts'

/** The statement of the fence that ends the `begin` of a write. */
export const WRITE_FENCE = POSTGRES_DIALECT.fence?.write ?? ''

/**
 * Creates the check of a write's `begin`. It sends the statement that reads the newest migration without waiting, so
 * the write's own statements follow in the same packet.
 */
export function checkFence(fence: Fence, db: Database): (begun: Promise<unknown>) => Promise<void> {
  return async (begun) => {
    // A statement of its own has a name, which halves its time.
    const newest = db.exec(NEWEST)
    newest.catch(() => undefined)
    await begun.catch((error: unknown) => {
      throw Object(error).code === LOCK_NOT_AVAILABLE ? migrating() : error
    })
    fence.requireWritable((await newest).rows[0])
  }
}

const NEWEST = raw(NEWEST_MIGRATION)
/** The SQLSTATE of a `nowait` lock that another transaction holds. */
const LOCK_NOT_AVAILABLE = '55P03'
