import type { Fault } from '../fault.ts'
import type { Store } from '../store.ts'

/** How tables are distributed over the nodes of a cluster. */
export interface Layout {
  /** Small tables that each node has a full copy of. A table follows those that it refers to. */
  readonly references: readonly string[]
  /** Tables whose key starts with the tenant. The others are colocated with the first. */
  readonly distributed: readonly string[]
  /** The distributed tables with parts of resources, the column with the id of the resource, and its table. */
  readonly parts: readonly {
    readonly table: string
    readonly column: string
    readonly owner: string
  }[]
}

/** A kind of database. Everything that is particular to it is in its folder. Its driver is loaded when it is first used. */
export interface Engine {
  /** The name in messages, such as `PostgreSQL`. */
  readonly name: string
  /** The form of its URLs in `DATABASE_URL`, and a shorter form for error messages. */
  readonly form: { readonly long: string; readonly short: string }
  /** Whether `DATABASE_URL` is a valid URL of this engine. */
  accepts(url: string): boolean
  /** The database of a URL in messages, without the password. */
  describe(url: string): string
  /** Opens a database, and migrates it if necessary. Rejects one of which only a part of the layout is distributed. */
  open(url: string, layout?: Layout): Promise<Store>
  /** Migrates a database if necessary. */
  migrate(url: string): Promise<void>
  /** The names of the migrations that `migrate` would run. Changes nothing. */
  pending(url: string): Promise<readonly string[]>
  /**
   * Distributes the tables of a migrated database over a cluster's nodes, and returns the statements that
   * it ran; null if the engine cannot.
   */
  readonly distribute: ((url: string, layout: Layout) => Promise<readonly string[]>) | null
  /**
   * Copies a database into a new file while other processes use it. The copy is the state of one moment. Rejects
   * if the file exists. Null if the database has its own tool for this.
   */
  readonly backup: ((url: string, file: string) => Promise<void>) | null
  /** The kind of a failure by the code or message of one error; null if it is not an error of this engine. */
  faultOf(error: Error): Fault | null
  /** The name or the columns of the unique key a statement violated; null for another error. */
  violatedKey(error: Error): string | null
}
