import type { Fault } from './faults.ts'
import type { Database, Transaction } from './memory.ts'
import type { TypeName } from './subject.ts'

/** A mistake of a store, and the checks that find it. */
export interface FaultCase {
  readonly name: string
  readonly fault: Fault
  /** The resource types that are served; users by default. */
  readonly types?: readonly TypeName[]
  /** Other transactions than those of the database. */
  readonly transaction?: (database: Database) => Transaction | undefined
  readonly finds: readonly string[]
  /** Whether a check finds it only in what the other checks of its topic left. */
  readonly isTogether?: true
}
