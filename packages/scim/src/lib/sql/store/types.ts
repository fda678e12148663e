import type { ResourceStore, WireResource } from '../../endpoint/options/store.ts'
import type { CursorOptions } from '../../list/cursor.ts'
import type { ElementTable, KeyColumn, SqlColumnEntry } from '../../predicate/columns.ts'
import type { Definitions } from '../../schema/types.ts'
import type { Dialect } from '../dialect.ts'
import type { SqlValue } from '../fragment.ts'
import type { ValueIndexOptions } from '../value-index/value-index.ts'

/** A table row, keyed by column name. */
export type SqlRow = Readonly<Record<string, unknown>>

/**
 * Runs a statement and returns its rows as an array, which is empty for a write without `returning`. It receives the
 * request's context, so statements can run in the transaction the endpoint started.
 *
 * The rows have the statement's column names, unchanged, and integers beyond ±(2^53-1) are bigints or strings. Otherwise
 * the read throws a `TypeError` that names the column.
 *
 * On MySQL and MariaDB, a write may return an `insertId` instead, as in `mysql2`. If the database assigns the keys, it
 * must: without it, each create throws a `TypeError`. So does each call that returns anything else, such as the result
 * object of `pg` instead of its `rows`.
 */
export type Execute<in Context> = (
  sql: string,
  parameters: readonly SqlValue[],
  context: Context,
) => Executed | PromiseLike<Executed>

/** A statement's rows, or on MySQL the result of a write. */
export type Executed = readonly unknown[] | InsertResult

/** The result of a write in `mysql2` and `mariadb`. */
export interface InsertResult {
  /** The key the database assigned to the inserted row; 0 if it assigned none. */
  readonly insertId: number | bigint | string
}

/** A column that stores a whole attribute as JSON, such as all phone numbers. Its filters run in memory. */
export interface JsonColumn {
  /** The column's name. */
  readonly column: string
  /** Marks the value as JSON: a string, or the database's native JSON type. */
  readonly type: 'json'
}

/** A column whose values differ from the attribute's values. Filters on it run in memory. */
export interface CodedColumn {
  /** The column's name. */
  readonly column: string
  /** Converts the attribute's value for the column, for example by hashing a password. It may throw a ScimError. */
  readonly encode: (value: unknown) => SqlValue | Promise<SqlValue>
  /**
   * Converts the column's value back, or returns null if the attribute is unassigned. Required unless the attribute is
   * never returned. It must accept each value of the column: if it throws, so does the read.
   */
  readonly decode?: ((value: unknown) => unknown) | undefined
}

/** The table another table's values refer to, such as the users in a group. */
export interface TargetTable {
  /** The table's name. */
  readonly table: string
  /** The id column; each `value` equals an id. */
  readonly id: string
  /** The tenant column. Values from another tenant do not exist. */
  readonly tenant?: string | undefined
  /** The column shown as `display`. */
  readonly display?: string | undefined
  /** The rows' resource type, such as `User`, for `type` and `$ref`. It is served under `/Users`. */
  readonly type?: string | undefined
}

/** A table with one row for each value in a multi-valued attribute, such as `emails` or `members`. */
export interface ValueTable extends ElementTable {
  /** The table the values refer to. Writing a value missing from it is `400 invalidValue`. */
  readonly target?: TargetTable | undefined
  /**
   * The column that orders a resource's values: integers the store writes, or `{ column, key: 'integer' }` for
   * ascending keys the database assigns. Without it, values are ordered by the first column in `columns`.
   */
  readonly order?: string | KeyColumn | undefined
}

/** The value stored for an unassigned attribute. */
export interface DefaultValue {
  /** The attribute value to store. By default null, and true for `active` in a new row. */
  readonly default?: unknown
}

/**
 * Where an attribute is stored. A string names a column with the attribute's type, which is neither a list nor complex.
 * `sqlStore` throws a `TypeError` for an entry that cannot store the attribute.
 */
export type AttributeEntry =
  | string
  | ((Exclude<SqlColumnEntry, string> | JsonColumn | CodedColumn) & DefaultValue)
  | ValueTable

/** The tenant column. Each statement is limited to the client's tenant. */
export interface TenantColumn<in Context> {
  /** The column's name. */
  readonly column: string
  /** Returns the client's tenant. Any other value than a string or a number throws a `TypeError` before a statement. */
  readonly value: (context: Context) => string | number | bigint
}

/** Facts about a write, passed to hooks. */
export interface HookRequest<out Context> {
  /** The resource's id. */
  readonly id: string
  /** The request's context. */
  readonly context: Context
}

/** Custom steps for stores whose needs a map cannot express. Each runs in the endpoint's transaction. */
export interface SqlStoreHooks<in out Context> {
  /** Returns further attributes from a resource's row, which includes the columns in `select`. */
  readonly read?: ((row: SqlRow, context: Context) => WireResource) | undefined
  /** Returns further values for the inserted or updated row, keyed by column. */
  readonly write?:
    | ((resource: WireResource, context: Context) => Readonly<Record<string, SqlValue>>)
    | undefined
  /** Runs after a resource is created, for rows in other tables. */
  readonly created?:
    | ((resource: WireResource, request: HookRequest<Context>) => unknown)
    | undefined
  /** Deletes a resource in place of `delete from`. The resource's rows in value tables are kept. */
  readonly delete?: ((request: HookRequest<Context>) => unknown) | undefined
}

/** Options for `sqlStore`. */
export interface SqlStoreOptions<in out Context> {
  /** Runs a statement. */
  readonly execute: Execute<Context>
  /** The database. `mysql` includes MariaDB. */
  readonly dialect: Dialect
  /** The definitions to choose from: the core schema first, then the extensions. */
  readonly definitions: Definitions
  /** The table's name. */
  readonly table: string
  /**
   * The id column. A name is a column of text, for UUIDs the store creates. `{ column, key: 'uuid' }` is PostgreSQL's
   * `uuid`, and `{ column, key: 'integer' }` are integers the database assigns.
   */
  readonly id: string | KeyColumn
  /**
   * Where each attribute is stored: `userName`, `name.givenName`, `externalId`, `meta.created`, an extension attribute
   * with its URN, or `emails[work].value` for the value of the only element with type `work`.
   */
  readonly attributes: Readonly<Record<string, AttributeEntry>>
  /**
   * A JSON column with the attributes missing from the map: a string, or the database's native JSON type. At most 2 MiB
   * per resource, then `413`. Filters on these attributes use the `index`, or run in memory.
   */
  readonly document?: string | undefined
  /** The table that indexes multi-valued attributes. The store writes it, and filters search it. */
  readonly index?: ValueIndexOptions | undefined
  /** The tenant column. */
  readonly tenant?: TenantColumn<Context> | undefined
  /**
   * Whether every string column has a binary collation without padding, such as `text` on SQLite and `text collate "C"`
   * on PostgreSQL. False by default: comparisons then name the collation, and only indexes with that collation are
   * used.
   */
  readonly isBinary?: boolean | undefined
  /** Columns with the same value in all rows of this type, such as `{ kind: 'person', deleted_at: null }`. */
  readonly where?: Readonly<Record<string, SqlValue>> | undefined
  /**
   * An integer column that each write increments, used as the entity tag; null is 0. By default, the tag is a digest of
   * the resource.
   */
  readonly version?: string | undefined
  /** Further columns to read for the `read` hook. */
  readonly select?: readonly string[] | undefined
  /** Attribute paths the `read` hook returns. They are declared in addition to the mapped ones. */
  readonly computed?: readonly string[] | undefined
  /** The maximum number of resources a filter may read to finish in memory; 10,000 by default, then `400 tooMany`. */
  readonly candidates?: number | undefined
  /** How cursors are signed and how long they last. By default, they are unsigned and do not expire. */
  readonly cursors?: CursorOptions | undefined
  /** Custom steps the map cannot express. */
  readonly hooks?: SqlStoreHooks<Context> | undefined
}

/** Options for a `sqlStore` whose writes change one table only. */
export interface OneTableOptions<in out Context> extends SqlStoreOptions<Context> {
  /** Where each attribute is stored, without tables for values. */
  readonly attributes: Readonly<Record<string, Exclude<AttributeEntry, ValueTable>>>
  readonly index?: undefined
  readonly hooks?: (SqlStoreHooks<Context> & { readonly created?: undefined }) | undefined
}

/** A store over a table. */
export interface SqlStore<in Context> extends ResourceStore<Context> {
  /** Definitions of the stored attributes. Serve the resource type with them. */
  readonly definitions: Definitions
  /** The table's name, which other stores use as the `target` of their values. */
  readonly table: string
}
