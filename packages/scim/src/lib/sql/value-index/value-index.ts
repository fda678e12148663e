import type { WireResource } from '../../endpoint/options/store.ts'
import { badRequest } from '../../error.ts'
import type { IndexedColumnMap, ValueRows } from '../../predicate/columns.ts'
import { valueKeys } from '../../predicate/value-keys.ts'
import type { Definitions } from '../../schema/types.ts'
import type { Dialect } from '../dialect.ts'
import type { Fragment } from '../fragment.ts'
import { indexedAttributes } from './attributes.ts'
import { type IndexRow, indexRows, storedValue } from './rows.ts'
import { deleteRange, insertRows, type OwnedRow, type RowOwner } from './statements.ts'

/** Options for `valueIndex`. */
export interface ValueIndexOptions {
  /**
   * The table's name. The columns are those in `on` plus `attribute`, `position`, `value_key`, `type_key` and
   * `is_primary`. String columns have a binary collation. Resources are found through an index on the tenant, if the
   * table has one, `attribute` and `value_key`.
   */
  readonly table: string
  /**
   * The columns that connect rows to the resource's row, as in an `ElementTable`, such as
   * `{ tenant_id: 'tenant_id', user_id: 'id' }`.
   */
  readonly on: Readonly<Record<string, string>>
  /**
   * Returns a digest, in unreserved characters, for a string longer than 300 code units or not storable in a database.
   * The string may contain lone surrogates.
   */
  readonly hash: (text: string) => string
  /** Returns a digest for a long or unusual attribute name. `hash` by default. */
  readonly hashName?: ((name: string) => string) | undefined
  /**
   * The maximum number of rows per resource; a thread inserts the default in about 0.1 s. 20,000 by default, then
   * `400 tooMany`.
   */
  readonly most?: number | undefined
}

/** An index on the values of multi-valued attributes. */
export interface ValueIndex {
  /** The table's name. */
  readonly table: string
  /** The columns that connect rows to the resource's row. */
  readonly on: Readonly<Record<string, string>>
  /** Filter entries, keyed by attribute path. */
  readonly columns: IndexedColumnMap
  /** Returns a new resource's rows. Throws `400 tooMany` for more than `most`. */
  rowsOf(resource: WireResource): readonly IndexRow[]
  /** Builds statements to insert the rows of new resources. Throws `400 tooMany` if one has more than `most`. */
  insert(resources: readonly OwnedResource[], dialect: Dialect): readonly Fragment[]
  /**
   * Builds statements to rewrite the changed attributes; none if all values are the same. Throws `400 tooMany` if the
   * resource has more than `most` rows.
   */
  update(change: OwnedChange, dialect: Dialect): readonly Fragment[]
}

/** A new resource and its values for the connecting columns. */
export interface OwnedResource {
  /** Values for the columns in `on`, such as `{ tenant_id: 't', user_id: 'a' }`. */
  readonly owner: RowOwner
  readonly resource: WireResource
}

/** A resource before and after a change, and its values for the connecting columns. */
export interface OwnedChange {
  /** Values for the columns in `on`, such as `{ tenant_id: 't', user_id: 'a' }`. */
  readonly owner: RowOwner
  readonly before: WireResource
  readonly after: WireResource
}

/**
 * Describes a table that indexes a resource type's multi-valued attributes, in the core schema and extensions, so
 * filters on them run in the database. `sqlStore` maintains such a table with the `index` option.
 *
 * @example
 * ```ts
 * import { USER_DEFINITION } from '@plumbline/scim/discovery'
 * import { valueIndex } from '@plumbline/scim/internal'
 *
 * const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
 * const options = { table: 'user_values', on: { user_id: 'id' }, hash: (text: string) => `${text.length}` }
 * const [row] = valueIndex(definitions, options).rowsOf({ emails: [{ value: 'A@b.com', type: 'work' }] })
 * row?.attribute //=> 'emails#value'
 * row?.value_key //=> 'a@b.com'
 * row?.type_key //=> 'work'
 * ```
 */
export function valueIndex(
  definitions: Definitions,
  { table, on, hash, hashName = hash, most = 20_000 }: ValueIndexOptions,
): ValueIndex {
  const { all, byPath } = indexedAttributes(definitions, hashName)
  const keys = valueKeys(hash)
  const bounded = (resource: WireResource): readonly IndexRow[] => {
    const rows = indexRows(all, keys, resource)
    if (rows.length <= most) return rows
    throw badRequest(
      'tooMany',
      `the multi-valued attributes have more than ${most} values of sub-attributes together`,
    )
  }
  const columns = { attribute: 'attribute', key: 'value_key', position: 'position' }
  const entries = Array.from(
    byPath,
    ([path, { start, end, parts, isWhole }]): [string, ValueRows] => [
      path,
      {
        rows: table,
        on,
        columns,
        range: { start, end },
        parts: Object.fromEntries(parts),
        isWhole,
        keys,
      },
    ],
  )
  return {
    table,
    on,
    columns: Object.fromEntries(entries),
    rowsOf: bounded,
    insert: (resources, dialect) => {
      const rows = resources.flatMap(({ owner, resource }) => owned(owner, bounded(resource)))
      return insertRows(table, rows, dialect)
    },
    update: ({ owner, before, after }, dialect) => {
      const changed = all.filter((attribute) => {
        const [old, next] = [before, after].map((one) => storedValue(attribute, one))
        return JSON.stringify(old) !== JSON.stringify(next)
      })
      if (changed.length === 0) return []
      const deletions = changed.map((range) => deleteRange(table, owner, range, dialect))
      // The limit counts the rows of all attributes together.
      const starts = new Set(changed.map(({ start }) => start))
      const rows = bounded(after).filter(({ attribute }) => starts.has(startOf(attribute)))
      return [...deletions, ...insertRows(table, owned(owner, rows), dialect)]
    },
  }
}

function owned(owner: RowOwner, rows: readonly IndexRow[]): readonly OwnedRow[] {
  return rows.map((row) => ({ owner, row }))
}

/** Returns an attribute's path prefix. */
function startOf(path: string): string {
  return path.slice(0, path.indexOf('#') + 1)
}
