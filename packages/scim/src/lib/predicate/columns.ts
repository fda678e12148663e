import type { AttributeType } from '../schema/types.ts'

/** A text column that is compared unchanged. Its collation must be binary, without padding. */
export interface TextColumn {
  /** The name of the column. */
  readonly column: string
  /**
   * True by default. If false, comparisons use `ilike`, for ASCII values, and ordering is not supported. MySQL
   * folds İ (U+0130) unlike JavaScript, so such a column must not contain it there.
   */
  readonly caseExact?: boolean | undefined
}

/** A column that contains the folded value, `value.toLowerCase()`. An ordinary index serves it. */
export interface FoldedColumn {
  /** The name of the column. */
  readonly column: string
  /** Marks the values as folded. */
  readonly folded: true
}

/** A column whose type is not text. */
export interface TypedColumn {
  /** The name of the column. */
  readonly column: string
  /** The type of the values, as RFC 7643 §2.3 names it. */
  readonly type: 'boolean' | 'integer' | 'decimal' | 'dateTime'
  /**
   * How a dateTime is stored: as whole milliseconds since 1970 (the default), as whole seconds since 1970, or as
   * a string in the format of `Date.prototype.toISOString`.
   */
  readonly format?: 'milliseconds' | 'seconds' | 'text' | undefined
}

/**
 * The column of an attribute. A name without a type declares nothing about the column: strings are compared
 * as they are stored, and `eq` and `ne` also support booleans and whole numbers of 32 bits. `pr` of such a
 * column is translated for the attributes of RFC 7643, whose types are known. For other attributes, declare
 * the type (`{ column, type }`) or a text column (`{ column }`).
 */
export type ColumnEntry = string | TextColumn | FoldedColumn | TypedColumn

/**
 * The columns by attribute path as a filter names it, in any letter case: `userName`, `name.givenName`, or
 * with its URN for an attribute of an extension. `emails[work].value` is a column that contains the value of
 * the only element whose type is `work`. Attributes without an entry are not translated to SQL.
 */
export type ColumnMap = Readonly<Record<string, ColumnEntry>>

/**
 * A column of dates and times in the database's own type: `timestamptz` on PostgreSQL, `datetime` or `timestamp`
 * with at most milliseconds on MySQL, and the strings of `datetime()` and `current_timestamp` on SQLite.
 */
export interface TimestampColumn {
  /** The name of the column. */
  readonly column: string
  /** The type of the values. */
  readonly type: 'dateTime'
  /** Marks the type as that of the database. */
  readonly format: 'timestamp'
}

/** A column of keys that are not strings in the database, such as an `id` or a member's `value`. */
export interface KeyColumn {
  /** The name of the column. */
  readonly column: string
  /** The type of the keys: integers, or the type `uuid` of PostgreSQL. SCIM compares them as strings. */
  readonly key: KeyType
}

/** The types of keys that are not strings. */
export type KeyType = 'integer' | 'uuid'

/** The column of an attribute in a statement of SQL. */
export type SqlColumnEntry = ColumnEntry | TimestampColumn | KeyColumn

/** A table with one row for each value of a multi-valued attribute, such as `emails` or `members`. */
export interface ElementTable {
  /** The name of the table, with its schema before a dot if it needs one. */
  readonly table: string
  /**
   * The columns that connect its rows to those of the resource: each column of this table, and the column of the
   * resource's table that it equals, such as `{ user_id: 'id', tenant_id: 'tenant_id' }`.
   */
  readonly on: Readonly<Record<string, string>>
  /** The columns by sub-attribute. `value` is the column of an attribute without sub-attributes. */
  readonly columns: Readonly<Record<string, SqlColumnEntry>>
}

/** The columns by attribute path, as in a `ColumnMap`, and the tables of multi-valued attributes. */
export type SqlColumnMap = Readonly<Record<string, SqlColumnEntry | ElementTable>>

/** A column whose entry does not declare a type other than text. */
export interface UntypedColumn {
  readonly kind: 'exact' | 'ilike'
  readonly name: string
  /** The type of its attribute; null if it is unknown. */
  readonly type: AttributeType | null
}

/** How the instants of a column are stored. */
export type InstantFormat = 'milliseconds' | 'seconds' | 'text' | 'timestamp'

/** A column of a table, with its defaults resolved. */
export type NamedColumn =
  | UntypedColumn
  | { readonly kind: 'folded'; readonly name: string }
  | { readonly kind: 'boolean' | 'integer' | 'decimal'; readonly name: string }
  | { readonly kind: 'dateTime'; readonly name: string; readonly format: InstantFormat }
  | { readonly kind: 'key'; readonly name: string; readonly type: KeyType }

/** A column, or a string that is the same in all rows. */
export type Column = NamedColumn | { readonly kind: 'constant'; readonly value: string }

export function isUntyped(column: Column): column is UntypedColumn {
  return column.kind === 'exact' || column.kind === 'ilike'
}
