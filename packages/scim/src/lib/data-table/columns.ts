import { isFailure } from '@plumbline/result'
import { GROUP_SCHEMA, USER_SCHEMA } from '../constants.ts'
import { parsePath } from '../filter/parse.ts'
import { stringifyPath } from '../filter/stringify.ts'
import type { AttributePath } from '../filter/tree.ts'
import { attributeIndex, fold, resolvePath } from '../schema/attribute-index.ts'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '../schema/core-schemas.ts'
import type { AttributeType } from '../schema/types.ts'

/** A column of text that is compared as it stands; its collation has to be binary, without padding. */
export interface TextColumn {
  readonly column: string
  /**
   * True by default; false compares through `ilike`, for ASCII values, and orders nothing. MySQL folds
   * İ (U+0130) unlike JavaScript, so that such a column must not hold it there.
   */
  readonly caseExact?: boolean | undefined
}

/** A column that holds the folded value, `value.toLowerCase()`; an ordinary index serves it. */
export interface FoldedColumn {
  readonly column: string
  readonly folded: true
}

/** A column of another type than text. */
export interface TypedColumn {
  readonly column: string
  readonly type: 'boolean' | 'integer' | 'decimal' | 'dateTime'
  /**
   * How a dateTime is stored: as whole milliseconds since 1970, the default, or as text of the one
   * form that `Date.prototype.toISOString` gives.
   */
  readonly format?: 'milliseconds' | 'text' | undefined
}

/**
 * The column of an attribute. A name alone says nothing about the type of the column: strings are compared
 * as they are stored, and `eq` and `ne` also work on booleans and on whole numbers of 32 bits. `pr` of such a
 * column is translated for the attributes of RFC 7643, whose types are known. For other attributes give the
 * type (`{ column, type }`) or declare a text column (`{ column }`).
 */
export type ColumnEntry = string | TextColumn | FoldedColumn | TypedColumn

/**
 * The columns by attribute path as a filter names it, in any letter case: `userName`, `name.givenName`,
 * or with its URN for an attribute of an extension. What is not here stays out of the database.
 */
export type ColumnMap = Readonly<Record<string, ColumnEntry>>

/** A column whose entry declares no type other than text. */
export interface UntypedColumn {
  readonly kind: 'exact' | 'ilike'
  readonly name: string
  /** The type of its attribute; null if it is unknown. */
  readonly type: AttributeType | null
}

/** One column, its defaults settled. */
export type Column =
  | UntypedColumn
  | { readonly kind: 'folded'; readonly name: string }
  | { readonly kind: 'boolean' | 'integer' | 'decimal'; readonly name: string }
  | { readonly kind: 'dateTime'; readonly name: string; readonly format: 'milliseconds' | 'text' }

export function isUntyped(column: Column): column is UntypedColumn {
  return column.kind === 'exact' || column.kind === 'ilike'
}

/** Looks columns up by path. */
export type Columns = (path: AttributePath) => Column | undefined

const prepared = new WeakMap<ColumnMap, Columns>()

/** Prepares a map once; the same value gives the same look-up. */
export function columnsOf(map: ColumnMap): Columns {
  const known = prepared.get(map)
  if (known) return known
  const byPath = new Map(
    Object.entries(map).map(([path, entry]) => [keyOf(path), columnOf(entry, path)]),
  )
  const columns: Columns = (path) => byPath.get(keyOf(stringifyPath(path)))
  prepared.set(map, columns)
  return columns
}

function columnOf(entry: ColumnEntry, path: string): Column {
  if (typeof entry === 'string') return { kind: 'exact', name: entry, type: typeOf(path) }
  const name = entry.column
  if ('folded' in entry && entry.folded) return { kind: 'folded', name }
  if (!('type' in entry && entry.type)) {
    const kind = 'caseExact' in entry && entry.caseExact === false ? 'ilike' : 'exact'
    return { kind, name, type: typeOf(path) ?? 'string' }
  }
  const { type, format = 'milliseconds' } = entry
  return type === 'dateTime' ? { kind: type, name, format } : { kind: type, name }
}

/** The type that RFC 7643 gives an attribute; null for an attribute of another schema. */
function typeOf(path: string): AttributeType | null {
  const parsed = parsePath(path)
  const node = isFailure(parsed) ? null : resolvePath(KNOWN, parsed.data)
  if (node?.kind !== 'attribute') return null
  // RFC 7643 §2.4: `value` is the significant part of a complex attribute.
  return node.type === 'complex' ? (node.subAttributes.get('value')?.type ?? null) : node.type
}

const KNOWN = attributeIndex({
  [USER_DEFINITION.id]: USER_DEFINITION,
  [GROUP_DEFINITION.id]: GROUP_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
})

/** RFC 7644 §3.10: the URN of the core schema may be left out. */
function keyOf(path: string): string {
  const key = fold(path)
  const core = CORE.find((urn) => key.startsWith(urn))
  return core === undefined ? key : key.slice(core.length)
}

const CORE = [USER_SCHEMA, GROUP_SCHEMA].map((urn) => `${fold(urn)}:`)
