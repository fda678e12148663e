import { GROUP_SCHEMA, USER_SCHEMA } from '../constants.ts'
import { findNode } from '../filter/find-attributes.ts'
import { memoize } from '../memoize.ts'
import type { AttributePath } from '../path/attribute-path.ts'
import { stringifyPath } from '../path/stringify-path.ts'
import { attributeIndex, significantPart } from '../schema/attribute-index.ts'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '../schema/core-schemas.ts'
import type { AttributeType } from '../schema/types.ts'
import { fold } from '../values/fold.ts'

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
   * How a dateTime is stored: as whole milliseconds since 1970 (the default), or as a string in the format
   * of `Date.prototype.toISOString`.
   */
  readonly format?: 'milliseconds' | 'text' | undefined
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
 * with its URN for an attribute of an extension. Attributes without an entry are not translated to SQL.
 */
export type ColumnMap = Readonly<Record<string, ColumnEntry>>

/** A column whose entry does not declare a type other than text. */
export interface UntypedColumn {
  readonly kind: 'exact' | 'ilike'
  readonly name: string
  /** The type of its attribute; null if it is unknown. */
  readonly type: AttributeType | null
}

/** One column, with its defaults resolved. */
export type Column =
  | UntypedColumn
  | { readonly kind: 'folded'; readonly name: string }
  | { readonly kind: 'boolean' | 'integer' | 'decimal'; readonly name: string }
  | { readonly kind: 'dateTime'; readonly name: string; readonly format: 'milliseconds' | 'text' }

export function isUntyped(column: Column): column is UntypedColumn {
  return column.kind === 'exact' || column.kind === 'ilike'
}

/** Finds columns by path. */
export type Columns = (path: AttributePath) => Column | undefined

/** Prepares a map once. The same value returns the same lookup. */
export const prepareColumns: (map: ColumnMap) => Columns = memoize(resolveEntries)

function resolveEntries(map: ColumnMap): Columns {
  const byPath = new Map(
    Object.entries(map).map(([path, entry]) => [normalizePath(path), resolveEntry(entry, path)]),
  )
  return (path) => byPath.get(normalizePath(stringifyPath(path)))
}

function resolveEntry(entry: ColumnEntry, path: string): Column {
  if (typeof entry === 'string') return { kind: 'exact', name: entry, type: findType(path) }
  const name = entry.column
  if ('folded' in entry && entry.folded) return { kind: 'folded', name }
  if (!('type' in entry && entry.type)) {
    const kind = 'caseExact' in entry && entry.caseExact === false ? 'ilike' : 'exact'
    return { kind, name, type: findType(path) ?? 'string' }
  }
  const { type, format = 'milliseconds' } = entry
  return type === 'dateTime' ? { kind: type, name, format } : { kind: type, name }
}

/** The type of an attribute in RFC 7643; null for an attribute of another schema. */
function findType(path: string): AttributeType | null {
  const node = findNode(path, KNOWN)
  const type = node?.kind === 'attribute' ? significantPart(node).type : 'complex'
  return type === 'complex' ? null : type
}

const KNOWN = attributeIndex({
  [USER_DEFINITION.id]: USER_DEFINITION,
  [GROUP_DEFINITION.id]: GROUP_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
})

/** RFC 7644 §3.10: the URN of the core schema may be omitted. */
function normalizePath(path: string): string {
  const key = fold(path)
  const core = CORE.find((urn) => key.startsWith(urn))
  return core === undefined ? key : key.slice(core.length)
}

const CORE = [USER_SCHEMA, GROUP_SCHEMA].map((urn) => `${fold(urn)}:`)
