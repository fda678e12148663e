import type { WireResource } from '../../endpoint/store.ts'
import { badRequest } from '../../error.ts'
import type { SqlColumnMap, ValueRows } from '../../predicate/columns.ts'
import { valueKeys } from '../../predicate/value-keys.ts'
import type { Definitions } from '../../schema/types.ts'
import type { Dialect } from '../dialect.ts'
import type { Fragment } from '../fragment.ts'
import { indexedAttributes } from './attributes.ts'
import { type IndexRow, indexRows, storedValue } from './rows.ts'
import { deleteRange, insertRows, type OwnedRow, type RowOwner } from './statements.ts'

/** The options of `valueIndex`. */
export interface ValueIndexOptions {
  /**
   * The name of the table. In addition to the columns of `on`, it has `attribute`, `position`, `value_key`, `type_key` and
   * `is_primary`. Its strings have a binary collation. Resources are found by an index on the tenant, if it has one,
   * `attribute` and `value_key`.
   */
  readonly table: string
  /**
   * The columns that connect its rows to those of the resource, as in an `ElementTable`, such as
   * `{ tenant_id: 'tenant_id', user_id: 'id' }`.
   */
  readonly on: Readonly<Record<string, string>>
  /**
   * Returns a digest of a string that is longer than 300 code units or that a database cannot store, in unreserved
   * characters. The string may have lone surrogates.
   */
  readonly hash: (text: string) => string
  /** Returns a digest of a long or unusual name of an attribute. `hash` by default. */
  readonly hashName?: ((name: string) => string) | undefined
  /** The most rows of one resource, which a thread inserts in about 0.1 s. 20,000 by default, then `400 tooMany`. */
  readonly most?: number | undefined
}

/** An index of the values of multi-valued attributes. */
export interface ValueIndex {
  /** The name of the table. */
  readonly table: string
  /** The columns that connect its rows to those of the resource. */
  readonly on: Readonly<Record<string, string>>
  /** The entries for filters, by the path of each attribute. */
  readonly columns: SqlColumnMap
  /** Returns the rows of a new resource. Throws `400 tooMany` for more than `most`. */
  rowsOf(resource: WireResource): readonly IndexRow[]
  /** Returns the statements that insert the rows of new resources. Throws `400 tooMany` for more than `most` of one. */
  insert(resources: readonly OwnedResource[], dialect: Dialect): readonly Fragment[]
  /**
   * Returns the statements that rewrite the attributes a change has changed; none if all values stay the same. Throws
   * `400 tooMany` if the resource has more than `most` rows.
   */
  update(change: OwnedChange, dialect: Dialect): readonly Fragment[]
}

/** A new resource, and the columns that connect its rows to it. */
export interface OwnedResource {
  /** The values of the columns of `on`, such as `{ tenant_id: 't', user_id: 'a' }`. */
  readonly owner: RowOwner
  readonly resource: WireResource
}

/** A resource before and after a change, and the columns that connect its rows to it. */
export interface OwnedChange {
  /** The values of the columns of `on`, such as `{ tenant_id: 't', user_id: 'a' }`. */
  readonly owner: RowOwner
  readonly before: WireResource
  readonly after: WireResource
}

/**
 * Describes a table that indexes the values of all multi-valued attributes of a resource type, of the core schema and of
 * extensions, so that filters by them run in the database. `sqlStore` writes such a table with its option `index`.
 *
 * @example
 * ```ts
 * import { USER_DEFINITION } from '@plumbline/scim/discovery'
 * import { valueIndex } from '@plumbline/scim/sql'
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
        ...{ rows: table, on, columns, range: { start, end } },
        ...{ parts: Object.fromEntries(parts), isWhole, keys },
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
      // The limit is on the rows of all attributes together.
      const starts = new Set(changed.map(({ start }) => start))
      const rows = bounded(after).filter(({ attribute }) => starts.has(startOf(attribute)))
      return [...deletions, ...insertRows(table, owned(owner, rows), dialect)]
    },
  }
}

function owned(owner: RowOwner, rows: readonly IndexRow[]): readonly OwnedRow[] {
  return rows.map((row) => ({ owner, row }))
}

/** The start of the paths of an attribute. */
function startOf(path: string): string {
  return path.slice(0, path.indexOf('#') + 1)
}
