import { countWithin } from '../list/fits-within.ts'
import type { RangeRows } from '../list/range-source.ts'
import { cellOf } from './cells.ts'
import { type Fragment, joinFragments, raw, type SqlValue, sql } from './fragment.ts'

/** A table whose rows are read in memory-sized parts. */
export interface TableRows<Row> {
  /** Runs a statement and returns its rows. */
  readonly run: (statement: Fragment) => Promise<readonly Row[]>
  /** The table with a condition, such as `users where tenant_id = 7`; more conditions follow with `and`. */
  readonly source: Fragment
  /** The columns to read, including the id. */
  readonly columns: Fragment
  /** Further columns, read only for a range's first rows. None by default. */
  readonly first?: Fragment | undefined
  /** The id column. */
  readonly id: Fragment
  /** Returns a row's id. */
  readonly idOf: (row: Row) => string
  /** Converts an id to the id column's value. The id itself by default. */
  readonly keyOf?: ((id: string) => SqlValue | Fragment) | undefined
  /** A row's size in bytes, which the database computes without reading the row; null if all rows are small. */
  readonly size: Fragment | null
  /** Returns the size of a row already read, in the same unit. */
  readonly sizeOf: (row: Row) => number
}

/** A range of rows. */
export interface RowRange {
  /** The condition; null for all rows. */
  readonly where: Fragment | null
  /** The SQL after `order by`. */
  readonly orderBy: Fragment
  readonly limit: number
  /** The number of rows to skip. 0 by default. */
  readonly skip?: number | undefined
}

/** Size limits for reading rows. */
export interface SizeLimits {
  /** The maximum total size. */
  readonly most: number
  /** How many rows are always read, whatever their sizes. */
  readonly few: number
}

/**
 * Reads rows from the start of a range until they no longer fit into memory together. The first few are read whole. For
 * the others, ids and sizes are read first and then the rows by id, so the database tests and skips each row once.
 *
 * @example
 * ```ts
 * import { raw, readRange } from '@plumbline/scim/internal'
 *
 * const stored = [{ id: 'a', data: '{}' }]
 * const table = {
 *   run: async () => stored,
 *   source: raw('users where 1 = 1'),
 *   columns: raw('id, data'),
 *   id: raw('id'),
 *   idOf: ({ id }: { readonly id: string }) => id,
 *   size: raw('length(data)'),
 *   sizeOf: () => 2,
 * }
 * const range = { where: null, orderBy: raw('id'), limit: 10 }
 * await readRange(table, range, { most: 1_000_000, few: 8 }) //=> { rows: [{ id: 'a', data: '{}' }], isCut: false }
 * ```
 */
export async function readRange<Row>(
  table: TableRows<Row>,
  range: RowRange,
  { most, few }: SizeLimits,
): Promise<RangeRows<Row>> {
  const { columns, first, id, idOf, size, sizeOf } = table
  const { limit, skip = 0 } = range
  if (size === null) return { rows: await select(table, columns, range), isCut: false }
  const start = { ...range, limit: Math.min(limit, few) }
  const all = first === undefined ? columns : sql`${columns}, ${first}`
  const found = skip === 0 ? await select(table, all, start) : []
  if (skip === 0 && (found.length < few || found.length === limit)) {
    return { rows: found, isCut: false }
  }
  const rest = { ...range, limit: limit - found.length, skip: skip + found.length }
  const sized = await select(table, sql`${id}, ${size} as row_size`, rest)
  const sizes = sized.map((row) => Number(cellOf(Object(row), 'row_size')))
  const left = most - found.reduce((sum, row) => sum + sizeOf(row), 0)
  const count = countWithin(sizes, left, skip === 0 ? 0 : few)
  const rows = await readByIds(table, sized.slice(0, count).map(idOf))
  return { rows: [...found, ...rows], isCut: count < sized.length }
}

/** Reads rows by id, in the order of `ids`, and omits missing rows. The caller limits the total size. */
export async function readByIds<Row>(
  table: TableRows<Row>,
  ids: readonly string[],
): Promise<readonly Row[]> {
  const { columns, id, idOf, keyOf = (one) => one } = table
  const found = new Map<string, Row>()
  for (let at = 0; at < ids.length; at += MAX_TOGETHER) {
    const some = ids.slice(at, at + MAX_TOGETHER)
    const keys = some.map((one) => sql`${keyOf(one)}`)
    const where =
      keys.length === 1
        ? sql`${id} = ${joinFragments(keys, '')}`
        : sql`${id} in (${joinFragments(keys, ', ')})`
    const range = { where, orderBy: id, limit: some.length }
    for (const row of await select(table, columns, range)) found.set(idOf(row), row)
  }
  return ids.flatMap((one) => found.get(one) ?? [])
}

async function select<Row>(
  { run, source }: TableRows<Row>,
  columns: Fragment,
  { where, orderBy, limit, skip = 0 }: RowRange,
): Promise<readonly Row[]> {
  const rows = where === null ? source : sql`${source} and ${where}`
  // With these two numbers as parameters, SQLite would take more than twice as long.
  const part = raw(skip > 0 ? `limit ${limit} offset ${skip}` : `limit ${limit}`)
  return await run(sql`select ${columns} from ${rows} order by ${orderBy} ${part}`)
}

const MAX_TOGETHER = 500
