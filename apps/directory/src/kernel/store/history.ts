import type { Store } from './store.ts'

/** Notices that a database is not the state that servers have written last, such as a restored backup. */
export interface History {
  /** Returns what the database seems to be, for a message; null if it continues the known history. */
  check(store: Store): Promise<string | null>
  /** Records how far the database is. Keeps the old record while the database is behind it. */
  record(store: Store): Promise<void>
  /** Makes the current state the last known one, such as after `--restored`. */
  restart(store: Store): Promise<void>
}
