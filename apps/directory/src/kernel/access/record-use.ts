import type { Database } from '../store/database.ts'
import type { Store } from '../store/store.ts'

/**
 * Stores when a token, a client or a session was used. No request waits for it, because a database that hangs would
 * delay every request. A failure is reported, and a later use is stored.
 */
export function recordUse(store: Store, touch: (db: Database) => Promise<unknown>): void {
  store.jobs.attempt('last-use', () => store.background(touch), { otherwise: undefined })
}
