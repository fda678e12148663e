import type { RangeRows } from '@plumbline/scim/endpoint'
import { type Fragment, type Predicate, predicateToSql, raw, sql } from '@plumbline/scim/sql'
import { chunksOf } from '../chunks.ts'
import { readRows } from '../database.ts'
import { oneOf } from '../predicates.ts'
import type { TenantScope } from '../scope.ts'
import { countWithin, MOST_IN_PAGE, MOST_IN_RESOURCE } from '../sizes.ts'
import { rowsOf } from '../tenant-rows.ts'
import type { Listing, Stored } from './list.ts'

/** A range of a tenant's rows to read from a table. */
export interface Range {
  /** Null for all rows. */
  readonly where: Predicate | null
  readonly orderBy: readonly (readonly [column: string, direction: 'asc' | 'desc'])[]
  readonly limit: number
  readonly offset?: number
}

/**
 * Reads the first rows of a range that fit into `most` bytes together, without the columns that are only for
 * filters and sorting. A few rows are always read. Those at the start of a list are read first. Of all others, the
 * ids and sizes are read first, so that the database skips rows only once, and by their ids.
 */
export async function rowsIn<Row extends Stored>(
  scope: TenantScope,
  listing: Listing<Row>,
  range: Range,
  most = MOST_IN_PAGE,
): Promise<RangeRows<Row>> {
  const { limit, offset = 0 } = range
  const few = offset === 0 ? await firstRows(scope, listing, range) : []
  if (offset === 0 && (few.length < FEW || few.length === limit)) return { rows: few, isCut: false }
  const rest = { ...range, limit: limit - few.length, offset: offset + few.length }
  const found = await readSizes(scope, listing, rest)
  const left = most - few.reduce((sum, row) => sum + listing.sizeOf(row), 0)
  const sizes = found.map(({ size }) => size)
  const fitting = left > 0 ? countWithin(sizes, left) : 0
  const count = offset === 0 ? fitting : Math.max(fitting, Math.min(found.length, FEW))
  const ids = found.slice(0, count).map(({ id }) => id)
  return { rows: [...few, ...(await rowsById(scope, listing, ids))], isCut: count < found.length }
}

/** Reads the start of a range: all rows if they are small, else a few. */
function firstRows<Row>(
  scope: TenantScope,
  listing: Listing<Row>,
  range: Range,
): Promise<readonly Row[]> {
  if (listing.large === null) return select(scope, listing, range)
  const start = { ...range, limit: Math.min(range.limit, FEW) }
  return select(scope, listing, start, listing.first?.(scope))
}

/** Reads rows by their ids, in the order of the ids. The caller bounds their sizes. */
export async function rowsById<Row extends Stored>(
  scope: TenantScope,
  listing: Listing<Row>,
  ids: readonly string[],
): Promise<Row[]> {
  const found = new Map<string, Row>()
  for (const some of chunksOf(ids)) {
    const range = {
      where: oneOf('id', some),
      orderBy: [['id', 'asc']] as const,
      limit: some.length,
    }
    for (const row of await select(scope, listing, range)) found.set(row.id, row)
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}

function select<Row>(
  scope: TenantScope,
  { table, read }: Listing<Row>,
  range: Range,
  first?: Fragment,
): Promise<readonly Row[]> {
  const columns = first === undefined ? raw(read) : sql`${raw(read)}, ${first} as first`
  return readRows<Row>(scope.db, statementFor(scope, table, columns, range))
}

/** Reads the ids and sizes of rows. Databases return a size without reading the value. */
async function readSizes<Row>(
  scope: TenantScope,
  { table, large, sizeSql = large === null ? '0' : `octet_length(${large})` }: Listing<Row>,
  range: Range,
): Promise<readonly SizedRow[]> {
  const statement = statementFor(scope, table, raw(`id, ${sizeSql} as size`), range)
  const rows = await readRows<{ readonly id: string; readonly size: unknown }>(scope.db, statement)
  return rows.map(({ id, size }) => ({ id, size: Number(size) }))
}

interface SizedRow {
  readonly id: string
  readonly size: number
}

/** The statement that reads columns of a range. */
function statementFor(
  scope: TenantScope,
  table: string,
  columns: Fragment,
  range: Range,
): Fragment {
  const { orderBy, limit, offset = 0 } = range
  const order = raw(`order by ${orderBy.map((one) => one.join(' ')).join(', ')}`)
  // With these two numbers as parameters, SQLite would take more than twice as long.
  const part = raw(offset > 0 ? `limit ${limit} offset ${offset}` : `limit ${limit}`)
  return sql`select ${columns} from ${selectionOf(scope, table, range)} ${order} ${part}`
}

/** The number of rows of a range, whatever its limit. */
export async function countRows<Row>(
  scope: TenantScope,
  { table }: Listing<Row>,
  range: Pick<Range, 'where'>,
): Promise<number> {
  const rows = selectionOf(scope, table, range, { isWhole: true })
  const [row] = await readRows<{ readonly count: unknown }>(
    scope.db,
    sql`select count(*) as count from ${rows}`,
  )
  return Number(row?.count)
}

/** The rows of a range, as the source of a `select`. The tenant's condition encloses those of the client. */
function selectionOf(
  { tenantId, dialect }: TenantScope,
  table: string,
  { where }: Pick<Range, 'where'>,
  { isWhole = false } = {},
): Fragment {
  const rows = rowsOf(tenantId, table)
  if (where === null) return rows
  const condition = predicateToSql(where, {
    ...{ dialect: dialect.name, table, isWhole, isBinary: true },
    known: { tenant_id: tenantId },
  })
  return sql`${rows} and ${condition}`
}

/** This many rows always fit into a page, whatever their sizes. */
const FEW = MOST_IN_PAGE / MOST_IN_RESOURCE
