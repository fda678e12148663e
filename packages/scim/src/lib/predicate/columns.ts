import type { AttributeType } from '../schema/types.ts'
import type { Join } from './predicate.ts'

/** A text column compared unchanged. Its collation must be binary, without padding. */
export interface TextColumn {
  /** The column's name. */
  readonly column: string
  /**
   * True by default. If false, comparisons use `ilike` and need ASCII values, and ordering is not supported. On MySQL,
   * such a column must not contain İ (U+0130), because MySQL folds it differently from JavaScript.
   */
  readonly caseExact?: boolean | undefined
}

/** A column with folded values, `value.toLowerCase()`, searchable with an ordinary index. */
export interface FoldedColumn {
  /** The column's name. */
  readonly column: string
  /** Marks the values as folded. */
  readonly folded: true
}

/** A column with a type other than text. */
export interface TypedColumn {
  /** The column's name. */
  readonly column: string
  /** The values' type, as RFC 7643 §2.3 names it. */
  readonly type: 'boolean' | 'integer' | 'decimal' | 'dateTime'
  /**
   * How a dateTime is stored: as whole milliseconds since 1970 (the default), as whole seconds since 1970, or as
   * a string in the `Date.prototype.toISOString` format.
   */
  readonly format?: 'milliseconds' | 'seconds' | 'text' | undefined
}

/**
 * An attribute's column. A name without a type declares nothing about the column: strings are compared as stored, and
 * `eq` and `ne` also support booleans and 32-bit whole numbers. `pr` is translated for RFC 7643 attributes, whose types
 * are known. For other attributes, declare the type (`{ column, type }`) or a text column (`{ column }`).
 */
export type ColumnEntry = string | TextColumn | FoldedColumn | TypedColumn

/**
 * Columns by the attribute path used in filters, in any letter case: `userName`, `name.givenName`, or with the URN for
 * an extension attribute. `emails[work].value` is a column with the value of the only element with type `work`.
 * Attributes without an entry are not translated to SQL.
 */
export type ColumnMap = Readonly<Record<string, ColumnEntry>>

/**
 * A date and time column in the database's native type: `timestamptz` on PostgreSQL, `datetime` or `timestamp` with at
 * most milliseconds on MySQL, and `datetime()` or `current_timestamp` strings on SQLite.
 */
export interface TimestampColumn {
  /** The column's name. */
  readonly column: string
  /** The values' type. */
  readonly type: 'dateTime'
  /** Marks the type as native to the database. */
  readonly format: 'timestamp'
}

/** A key column whose keys are not strings in the database, such as an `id` or a member's `value`. */
export interface KeyColumn {
  /** The column's name. */
  readonly column: string
  /** The keys' type: integers, or PostgreSQL's `uuid`. SCIM compares them as strings. */
  readonly key: KeyType
}

/** Key types other than strings. */
export type KeyType = 'integer' | 'uuid'

/** An attribute's column in an SQL statement. */
export type SqlColumnEntry = ColumnEntry | TimestampColumn | KeyColumn

/** A table with one row for each value in a multi-valued attribute, such as `emails` or `members`. */
export interface ElementTable {
  /** The table's name, with the schema before a dot if it needs one. */
  readonly table: string
  /**
   * The columns that connect rows to the resource's row: each column of this table, and the equal column in the
   * resource's table, such as `{ user_id: 'id', tenant_id: 'tenant_id' }`.
   */
  readonly on: Readonly<Record<string, string>>
  /** Columns by sub-attribute. An attribute without sub-attributes has the column `value`. */
  readonly columns: Readonly<Record<string, SqlColumnEntry>>
  /**
   * Sub-attributes whose column starts an index, ignoring a leading tenant column, such as `['value']`. A search for
   * their values finds the few matching resources first, rather than testing each resource. None by default.
   */
  readonly indexed?: readonly string[] | undefined
}

/** A sub-attribute, or the value itself, in a table with one row for each attribute and key. */
export interface ValuePart {
  /** The type of its keys, as `valueKeys` writes them: strings, numbers, or `true` and `false`. */
  readonly kind: 'text' | 'number' | 'boolean'
  /** Whether letter case matters. If not, keys are folded, `value.toLowerCase()`. False by default. */
  readonly caseExact?: boolean | undefined
  /** The `attribute` column's value in the part's rows. */
  readonly path: string
  /** The `attribute` column's value in rows whose key is not the whole value. */
  readonly hashedPath: string
  /**
   * A column with the part in every row of the value: a string's key, or a boolean. By default, the part has a separate
   * row.
   */
  readonly column?: string | undefined
}

/**
 * A table that indexes the values of many attributes. Each assigned part of each value has an attribute–key row, and
 * each value has at least one row.
 */
export interface ValueRows {
  /** The table's name. */
  readonly rows: string
  /** The columns that connect rows to the resource's row, as in an `ElementTable`. */
  readonly on: Readonly<Record<string, string>>
  /** The columns for the attribute, the key and the value's position. */
  readonly columns: Readonly<Record<'attribute' | 'key' | 'position', string>>
  /** All rows for this attribute have an `attribute` column from `start`, inclusive, to `end`, exclusive. */
  readonly range: { readonly start: string; readonly end: string }
  /** Parts by sub-attribute, in lower case. An attribute without sub-attributes has the part `value`. */
  readonly parts: Readonly<Record<string, ValuePart>>
  /** Whether the parts include all sub-attributes. Otherwise `pr` on the attribute is evaluated in memory. */
  readonly isWhole: boolean
  /** Writes the values' keys. */
  readonly keys: ValueKeys
}

/** A value's key. */
export interface ValueKey {
  readonly key: string
  /** Whether the key is the whole value. Otherwise it is the value's start, a mark and the value's hash. */
  readonly isWhole: boolean
}

/** Converts values to keys. */
export interface ValueKeys {
  /** Returns a value's key; null if the part does not have such values. */
  of(part: Pick<ValuePart, 'kind' | 'caseExact'>, value: unknown): ValueKey | null
}

/** Columns by attribute path, as in a `ColumnMap`, and tables for multi-valued attributes. */
export type SqlColumnMap = Readonly<Record<string, SqlColumnEntry | ElementTable>>

/** An `SqlColumnMap` with tables that index the values of many attributes. */
export type IndexedColumnMap = Readonly<Record<string, SqlColumnEntry | ElementTable | ValueRows>>

/** A column not declared with a type other than text. */
export interface UntypedColumn {
  readonly kind: 'exact' | 'ilike'
  readonly name: string
  /** The attribute's type; null if it is unknown. */
  readonly type: AttributeType | null
}

/** How a column's instants are stored. */
export type InstantFormat = 'milliseconds' | 'seconds' | 'text' | 'timestamp'

/** A table column with its defaults resolved. */
export type NamedColumn =
  | UntypedColumn
  | { readonly kind: 'folded'; readonly name: string }
  | { readonly kind: 'boolean' | 'integer' | 'decimal'; readonly name: string }
  | { readonly kind: 'dateTime'; readonly name: string; readonly format: InstantFormat }
  | { readonly kind: 'key'; readonly name: string; readonly type: KeyType }

/** A sub-attribute with its own rows. */
export interface PartColumn {
  readonly kind: 'part'
  readonly part: ValuePart
  /** Joins the value's other rows. */
  readonly join: Join
  readonly columns: ValueRows['columns']
  readonly keys: ValueKeys
}

/** A column with a part's key, present in every row of the value. */
export interface PartKeyColumn {
  readonly kind: 'partKey'
  readonly name: string
  readonly part: ValuePart
  readonly keys: ValueKeys
}

/** A column, a part stored in other rows, or a string constant across all rows. */
export type Column =
  | NamedColumn
  | PartKeyColumn
  | PartColumn
  | { readonly kind: 'constant'; readonly value: string }

export function isUntyped(column: Column): column is UntypedColumn {
  return column.kind === 'exact' || column.kind === 'ilike'
}
