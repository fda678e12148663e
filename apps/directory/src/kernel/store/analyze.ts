import type { Store } from './store.ts'

/** Renews the statistics that the query planner uses, after many rows were added. */
export async function analyze({ dialect, write }: Store): Promise<void> {
  const { renewStatistics } = dialect
  if (renewStatistics !== null) await write((db) => db.exec(renewStatistics))
}
