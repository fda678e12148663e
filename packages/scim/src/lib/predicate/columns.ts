import type { AttributeType } from '../schema/types.ts'
import type { Join } from './predicate.ts'

/** A text column that is compared unchanged. Its collation must be binary, without padding. */
export interface TextColumn {
  /** The column's name. */
  readonly column: string
  /**
   * True by default. If false, comparisons use `ilike`, for ASCII values, and ordering is not supported. MySQL
   * folds İ (U+0130) unlike JavaScript, so such a column must not contain it there.
   */
  readonly caseExact?: boolean | undefined
}

/** A column that contains the folded value, `value.toLowerCase()`. An ordinary index serves it. */
export interface FoldedColumn {
  /** The column's name. */
  readonly column: string
  /** Marks the values as folded. */
  readonly folded: true
}

/** A column whose type is not text. */
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
 * An attribute's column. A name without a type declares nothing about the column: strings are compared
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
  /** The column's name. */
  readonly column: string
  /** The values' type. */
  readonly type: 'dateTime'
  /** Marks the type as that of the database. */
  readonly format: 'timestamp'
}

/** A column of keys that are not strings in the database, such as an `id` or a member's `value`. */
export interface KeyColumn {
  /** The column's name. */
  readonly column: string
  /** The keys' type: integers, or the type `uuid` of PostgreSQL. SCIM compares them as strings. */
  readonly key: KeyType
}

/** The types of keys that are not strings. */
export type KeyType = 'integer' | 'uuid'

/** An attribute's column in a statement of SQL. */
export type SqlColumnEntry = ColumnEntry | TimestampColumn | KeyColumn

/** A table with one row for each value of a multi-valued attribute, such as `emails` or `members`. */
export interface ElementTable {
  /** The table's name, with its schema before a dot if it needs one. */
  readonly table: string
  /**
   * The columns that connect its rows to those of the resource: each column of this table, and the column of the
   * resource's table it equals, such as `{ user_id: 'id', tenant_id: 'tenant_id' }`.
   */
  readonly on: Readonly<Record<string, string>>
  /** The columns by sub-attribute. `value` is the column of an attribute without sub-attributes. */
  readonly columns: Readonly<Record<string, SqlColumnEntry>>
  /**
   * The sub-attributes whose column an index starts with, apart from that of the tenant, such as `['value']`. A search for
   * one of their values finds its few resources first, and does not test each resource. None by default.
   */
  readonly indexed?: readonly string[] | undefined
}

/** A sub-attribute, or the value itself, in a table with one row for each attribute and key. */
export interface ValuePart {
  /** The type of its keys, which `valueKeys` writes: strings, numbers, or `true` and `false`. */
  readonly kind: 'text' | 'number' | 'boolean'
  /** Whether letter case matters. Keys of other strings are folded, `value.toLowerCase()`. False by default. */
  readonly caseExact?: boolean | undefined
  /** The value of the column `attribute` in the part's rows. */
  readonly path: string
  /** The value of that column in rows whose key is not the whole value. */
  readonly hashedPath: string
  /**
   * A column that every row of the value has: the key of a string, or a boolean. By default, the part has a row of its
   * own.
   */
  readonly column?: string | undefined
}

/**
 * A table that is an index of the values of many attributes: it has a row of attribute and key for each assigned part of
 * each value, and at least one row for each value.
 */
export interface ValueRows {
  /** The table's name. */
  readonly rows: string
  /** The columns that connect its rows to those of the resource, as in an `ElementTable`. */
  readonly on: Readonly<Record<string, string>>
  /** The columns for the attribute, the key and the value's position. */
  readonly columns: Readonly<Record<'attribute' | 'key' | 'position', string>>
  /** All rows of this attribute have, in the column `attribute`, a string from `start`, inclusive, to `end`, exclusive. */
  readonly range: { readonly start: string; readonly end: string }
  /** The parts by sub-attribute, in lower case. `value` is the value of an attribute without sub-attributes. */
  readonly parts: Readonly<Record<string, ValuePart>>
  /** Whether the parts are all sub-attributes. Otherwise `pr` of the attribute is evaluated in memory. */
  readonly isWhole: boolean
  /** The keys of values. */
  readonly keys: ValueKeys
}

/** A value's key. */
export interface ValueKey {
  readonly key: string
  /** Whether the key is the whole value. Otherwise it is the value start, a mark and a hash of the value. */
  readonly isWhole: boolean
}

/** Writes the keys of values. */
export interface ValueKeys {
  /** A value's key; null if the part does not have such values. */
  of(part: Pick<ValuePart, 'kind' | 'caseExact'>, value: unknown): ValueKey | null
}

/** The columns by attribute path, as in a `ColumnMap`, and the tables of multi-valued attributes. */
export type SqlColumnMap = Readonly<Record<string, SqlColumnEntry | ElementTable | ValueRows>>

/** A column whose entry does not declare a type other than text. */
export interface UntypedColumn {
  readonly kind: 'exact' | 'ilike'
  readonly name: string
  /** Its attribute's type; null if it is unknown. */
  readonly type: AttributeType | null
}

/** How a column's instants are stored. */
export type InstantFormat = 'milliseconds' | 'seconds' | 'text' | 'timestamp'

/** A column of a table, with its defaults resolved. */
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
  /** The other rows of the same value. */
  readonly join: Join
  readonly columns: ValueRows['columns']
  readonly keys: ValueKeys
}

/** A column with a part's key, which every row of the value has. */
export interface PartKeyColumn {
  readonly kind: 'partKey'
  readonly name: string
  readonly part: ValuePart
  readonly keys: ValueKeys
}

/** A column, a part of a value in other rows, or a string that is the same in all rows. */
export type Column =
  | NamedColumn
  | PartKeyColumn
  | PartColumn
  | { readonly kind: 'constant'; readonly value: string }

export function isUntyped(column: Column): column is UntypedColumn {
  return column.kind === 'exact' || column.kind === 'ilike'
}
