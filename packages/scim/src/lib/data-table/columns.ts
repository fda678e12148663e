import { fold } from '../attributes.ts'
import { GROUP_SCHEMA, USER_SCHEMA } from '../constants.ts'
import { stringifyPath } from '../filter/stringify.ts'
import type { AttributePath } from '../filter/tree.ts'

/** A column of text that is compared as it stands; its collation has to be binary, without padding. */
export interface TextColumn {
  readonly column: string
  /**
   * True by default; false compares through `ilike`, for ASCII values, and orders nothing. MySQL folds
   * İ (U+0130) unlike JavaScript, so that such a column must not hold it there.
   */
  readonly caseExact?: boolean
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
  readonly format?: 'milliseconds' | 'text'
}

/** The column of an attribute; a name alone is a text column that is compared as it stands. */
export type ColumnEntry = string | TextColumn | FoldedColumn | TypedColumn

/**
 * The columns by attribute path as a filter names it, in any letter case: `userName`, `name.givenName`,
 * or with its URN for an attribute of an extension. What is not here stays out of the database.
 */
export type ColumnMap = Readonly<Record<string, ColumnEntry>>

/** One column, its defaults settled. */
export type Column =
  | { readonly kind: 'exact' | 'ilike' | 'folded'; readonly name: string }
  | { readonly kind: 'boolean' | 'integer' | 'decimal'; readonly name: string }
  | { readonly kind: 'dateTime'; readonly name: string; readonly format: 'milliseconds' | 'text' }

/** Looks columns up by path. */
export type Columns = (path: AttributePath) => Column | undefined

const prepared = new WeakMap<ColumnMap, Columns>()

/** Prepares a map once; the same value gives the same look-up. */
export function columnsOf(map: ColumnMap): Columns {
  const known = prepared.get(map)
  if (known) return known
  const byPath = new Map(Object.entries(map).map(([path, entry]) => [keyOf(path), columnOf(entry)]))
  const columns: Columns = (path) => byPath.get(keyOf(stringifyPath(path)))
  prepared.set(map, columns)
  return columns
}

function columnOf(entry: ColumnEntry): Column {
  if (typeof entry === 'string') return { kind: 'exact', name: entry }
  const name = entry.column
  if ('folded' in entry) return { kind: 'folded', name }
  if (!('type' in entry)) return { kind: entry.caseExact === false ? 'ilike' : 'exact', name }
  const { type, format = 'milliseconds' } = entry
  return type === 'dateTime' ? { kind: type, name, format } : { kind: type, name }
}

/** RFC 7644 §3.10: the URN of the core schema may be left out. */
function keyOf(path: string): string {
  const key = fold(path)
  const core = CORE.find((urn) => key.startsWith(urn))
  return core === undefined ? key : key.slice(core.length)
}

const CORE = [USER_SCHEMA, GROUP_SCHEMA].map((urn) => `${fold(urn)}:`)
