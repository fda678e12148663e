import type { Fault } from '../driver-errors.ts'
import type { History } from '../history.ts'
import type { Store } from '../store.ts'

/** How tables are distributed over a cluster's nodes. */
export interface Layout {
  /** Tables stored only where the servers connect, so they work while another node is down. */
  readonly coordinator: readonly string[]
  /** Small tables, copied in full to each node. A table follows those it refers to. */
  readonly references: readonly string[]
  /** Tables whose key starts with the tenant. The others are colocated with the first. */
  readonly distributed: readonly string[]
  /** The distributed tables with parts of resources, the column with the resource's id, and the resource's table. */
  readonly parts: readonly {
    readonly table: string
    readonly column: string
    readonly owner: string
  }[]
}

/** A kind of database. Its folder holds all engine-specific code. The driver is loaded on first use. */
export interface Engine {
  /** The name in messages, such as `PostgreSQL`. */
  readonly name: string
  /** The format of the URLs in `DATABASE_URL`, and a shorter one for error messages. */
  readonly form: { readonly long: string; readonly short: string }
  /** Whether `DATABASE_URL` is a valid URL for this engine. */
  accepts(url: string): boolean
  /** Describes a URL's database in messages, without the password. */
  describe(url: string): string
  /** Opens a database, and migrates it if necessary. Rejects if the layout is only partly distributed. */
  open(url: string, layout?: Layout): Promise<Store>
  /** Migrates a database if necessary. */
  migrate(url: string): Promise<void>
  /** The names of the migrations `migrate` would run. Changes nothing. */
  pending(url: string): Promise<readonly string[]>
  /**
   * Distributes a migrated database's tables over a cluster's nodes, and returns the statements it ran; null if
   * the engine cannot.
   */
  readonly distribute: ((url: string, layout: Layout) => Promise<readonly string[]>) | null
  /**
   * Copies a database into a new file while other processes use it. The copy is a snapshot from one moment.
   * Rejects if the file exists. Null if the database has its own tool for this.
   */
  readonly backup: ((url: string, file: string) => Promise<void>) | null
  /** Notices that a URL's database was restored, copied or replaced by a standby. */
  history(url: string): Promise<History>
  /** The fault for one error's code or message; null if it is not this engine's error. */
  faultOf(error: Error): Fault | null
  /** The name or the columns of the unique key a statement violated; null for another error. */
  violatedKey(error: Error): string | null
}
