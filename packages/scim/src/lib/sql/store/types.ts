import type { ResourceStore, WireResource } from '../../endpoint/store.ts'
import type { CursorOptions } from '../../list/cursor.ts'
import type { ElementTable, KeyColumn, SqlColumnEntry } from '../../predicate/columns.ts'
import type { Definitions } from '../../schema/types.ts'
import type { Dialect } from '../dialect.ts'
import type { SqlValue } from '../fragment.ts'
import type { ValueIndexOptions } from '../value-index/value-index.ts'

/** A row of a table, by the names of its columns. */
export type SqlRow = Readonly<Record<string, unknown>>

/**
 * Runs a statement and returns its rows. The context is that of the request, so that a statement can run in the
 * transaction that the endpoint has started. A result that is not a list is empty.
 *
 * If MySQL or MariaDB assigns the keys, the result of a write must have the `insertId` of the statement, as that of
 * `mysql2` does. Without it, each create is a `TypeError`.
 */
export type Execute<in Context> = (
  sql: string,
  parameters: readonly SqlValue[],
  context: Context,
) => unknown

/** A column that contains a whole attribute as JSON, such as all phone numbers. Its filters run in memory. */
export interface JsonColumn {
  /** The name of the column. */
  readonly column: string
  /** Marks the value as JSON: a string, or the database's own type of JSON. */
  readonly type: 'json'
}

/** A column whose values differ from those of the attribute. Its filters run in memory. */
export interface CodedColumn {
  /** The name of the column. */
  readonly column: string
  /** Returns the value of the column, such as the hash of a password. It may throw a ScimError. */
  readonly encode: (value: unknown) => SqlValue | Promise<SqlValue>
  /** Returns the value of the attribute. Required unless the attribute is never returned. */
  readonly decode?: ((value: unknown) => unknown) | undefined
}

/** The table that the values of another table refer to, such as the users that are members of a group. */
export interface TargetTable {
  /** The name of the table. */
  readonly table: string
  /** The column with the id that a `value` equals. */
  readonly id: string
  /** The column of the tenant. A value of another tenant does not exist. */
  readonly tenant?: string | undefined
  /** The column that is shown as `display`. */
  readonly display?: string | undefined
  /** The resource type of the rows, such as `User`, for `type` and `$ref`. It is served under `/Users`. */
  readonly type?: string | undefined
}

/** A table with one row for each value of a multi-valued attribute, such as `emails` or `members`. */
export interface ValueTable extends ElementTable {
  /** The table that the values refer to. A write of a value that it does not contain is `400 invalidValue`. */
  readonly target?: TargetTable | undefined
  /**
   * The column that orders the values of a resource: integers that the store writes, or `{ column, key: 'integer' }`
   * for ascending keys that the database assigns. Without it, values are ordered by the first of `columns`.
   */
  readonly order?: string | KeyColumn | undefined
}

/** The value of a column whose attribute is unassigned. */
export interface DefaultValue {
  /** The value of the attribute that is stored instead. By default null, and true for `active`. */
  readonly default?: unknown
}

/** Where an attribute is stored. A name is a column whose type is that of the attribute. */
export type AttributeEntry =
  | string
  | ((Exclude<SqlColumnEntry, string> | JsonColumn | CodedColumn) & DefaultValue)
  | ValueTable

/** The column of the tenant that a client belongs to. Each statement is limited to it. */
export interface TenantColumn<in Context> {
  /** The name of the column. */
  readonly column: string
  /** Returns the tenant of a client. */
  readonly value: (context: Context) => string | number | bigint
}

/** The facts about a write that a hook belongs to. */
export interface HookRequest<out Context> {
  /** The id of the resource. */
  readonly id: string
  /** The context of the client. */
  readonly context: Context
}

/** The steps of a store that a map cannot say. Each runs in the transaction of the endpoint. */
export interface SqlStoreHooks<in out Context> {
  /** Returns further attributes of a resource from its row, which has the columns of `select`. */
  readonly read?: ((row: SqlRow, context: Context) => WireResource) | undefined
  /** Returns further values of the row that is inserted or updated, by column. */
  readonly write?:
    | ((resource: WireResource, context: Context) => Readonly<Record<string, SqlValue>>)
    | undefined
  /** Runs after a resource was created, for rows in other tables. */
  readonly created?:
    | ((resource: WireResource, request: HookRequest<Context>) => unknown)
    | undefined
  /** Deletes a resource in place of `delete from`. The rows of its values are kept. */
  readonly delete?: ((request: HookRequest<Context>) => unknown) | undefined
}

/** The options of `sqlStore`. */
export interface SqlStoreOptions<in out Context> {
  /** Runs a statement. */
  readonly execute: Execute<Context>
  /** The database. `mysql` is also MariaDB. */
  readonly dialect: Dialect
  /** The definitions to choose from: the core schema, and then the extensions. */
  readonly definitions: Definitions
  /** The name of the table. */
  readonly table: string
  /** The column of the id: UUIDs as strings that the store creates, or a column of keys. */
  readonly id: string | KeyColumn
  /**
   * The place of each attribute: `userName`, `name.givenName`, `externalId`, `meta.created`, an attribute of an
   * extension with its URN, or `emails[work].value` for the value of the only element whose type is `work`.
   */
  readonly attributes: Readonly<Record<string, AttributeEntry>>
  /**
   * A column of JSON with the attributes that the map does not contain: a string, or the database's own type of JSON. At
   * most 2 MiB for a resource, then `413`. Filters by these attributes use the `index`, or run in memory.
   */
  readonly document?: string | undefined
  /** The table that indexes the values of multi-valued attributes, which the store writes and filters search. */
  readonly index?: ValueIndexOptions | undefined
  /** The column of the tenant. */
  readonly tenant?: TenantColumn<Context> | undefined
  /**
   * Whether every column of strings has a binary collation without padding, such as `text` on SQLite and
   * `text collate "C"` on PostgreSQL. False by default: then comparisons name the collation, which only indexes with that
   * collation serve.
   */
  readonly isBinary?: boolean | undefined
  /** Columns that have the same value in all rows of this type, such as `{ kind: 'person', deleted_at: null }`. */
  readonly where?: Readonly<Record<string, SqlValue>> | undefined
  /** A column of integers that each write increments: the entity tag. By default, it is a digest of the resource. */
  readonly version?: string | undefined
  /** Further columns that are read for the hook `read`. */
  readonly select?: readonly string[] | undefined
  /** Paths of the attributes that the hook `read` returns. They are declared in addition to those of the map. */
  readonly computed?: readonly string[] | undefined
  /** The most resources that a filter may read to finish in memory; 10,000 by default, then `400 tooMany`. */
  readonly candidates?: number | undefined
  /** The signature and the lifetime of cursors. By default, they are not signed, and valid without a limit. */
  readonly cursors?: CursorOptions | undefined
  /** Steps that the map cannot say. */
  readonly hooks?: SqlStoreHooks<Context> | undefined
}

/** A store over a table. */
export interface SqlStore<in Context> extends ResourceStore<Context> {
  /** The definitions of the attributes that the map stores. Serve the resource type with them. */
  readonly definitions: Definitions
  /** The name of the table, by which other stores know the `target` of their values. */
  readonly table: string
}
