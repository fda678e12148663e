import { sql } from '@plumbline/scim/sql'
import type { Store } from './store.ts'

/** Collects the statistics by which the query planner chooses its indexes, after many rows were added. */
export async function analyze(store: Store): Promise<void> {
  await store.write((db) => db.exec(sql`analyze`))
}
