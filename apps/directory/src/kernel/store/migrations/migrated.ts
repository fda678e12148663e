import type { Database } from '../database.ts'

/** A connection only migrations use. */
export interface Migrated {
  readonly db: Database
  /** Runs work in a transaction. */
  transaction<Value>(work: (db: Database) => Promise<Value>): Promise<Value>
}
