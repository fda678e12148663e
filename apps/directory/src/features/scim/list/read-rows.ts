import {
  type Fragment,
  type Predicate,
  predicateToSql,
  type RangeRows,
  raw,
  readByIds,
  readRange,
  sql,
  type TableRows,
} from '@plumbline/scim/internal'
import { readRows } from '../../../kernel/store/database.ts'
import { MAX_PAGE_BYTES, MAX_RESOURCE_BYTES } from '../../../kernel/store/sizes.ts'
import { rowsOf } from '../../../kernel/store/tenant-rows.ts'
import type { TenantScope } from '../scope.ts'
import type { Listing, Stored } from './list.ts'

/** A range in a tenant's table. */
export interface Range {
  /** Null for all rows. */
  readonly where: Predicate | null
  readonly orderBy: readonly (readonly [column: string, direction: 'asc' | 'desc'])[]
  readonly limit: number
  readonly offset?: number
}

/**
 * Reads a range's first rows, as many as fit into `most` bytes, without the columns used only for filters and
 * sorting. A few rows are always read.
 */
export async function rowsIn<Row extends Stored>(
  scope: TenantScope,
  listing: Listing<Row>,
  { where, orderBy, limit, offset = 0 }: Range,
  most = MAX_PAGE_BYTES,
): Promise<RangeRows<Row>> {
  const { large, sizeSql = large === null ? '0' : `octet_length(${large})` } = listing
  // Small rows take one statement, except behind an offset: the database skips them by their ids.
  const size = large === null && offset === 0 ? null : raw(sizeSql)
  const range = {
    where: where && conditionOf(scope, listing, where),
    orderBy: raw(orderBy.map((one) => one.join(' ')).join(', ')),
    limit,
    skip: offset,
  }
  return await readRange({ ...tableOf(scope, listing), size }, range, { most, few: FEW })
}

/** Reads rows by id, in the given order. The caller bounds their sizes. */
export async function rowsById<Row extends Stored>(
  scope: TenantScope,
  listing: Listing<Row>,
  ids: readonly string[],
): Promise<readonly Row[]> {
  return await readByIds(tableOf(scope, listing), ids)
}

function tableOf<Row extends Stored>(
  scope: TenantScope,
  { table, read, first, sizeOf }: Listing<Row>,
): TableRows<Row> {
  return {
    run: (statement) => readRows<Row>(scope.db, statement),
    source: rowsOf(scope.tenantId, table),
    columns: raw(read),
    first: first && sql`${first(scope)} as first`,
    id: raw('id'),
    idOf: ({ id }) => id,
    size: null,
    sizeOf,
  }
}

/** Counts a range's rows, whatever its limit. */
export async function countRows<Row>(
  scope: TenantScope,
  listing: Listing<Row>,
  { where }: Pick<Range, 'where'>,
): Promise<number> {
  const all = rowsOf(scope.tenantId, listing.table)
  const rows =
    where === null ? all : sql`${all} and ${conditionOf(scope, listing, where, { isWhole: true })}`
  const [row] = await readRows<{ readonly count: unknown }>(
    scope.db,
    sql`select count(*) as count from ${rows}`,
  )
  return Number(row?.count)
}

/** Translates a client's condition. The tenant's precedes it. */
function conditionOf<Row>(
  { tenantId, dialect }: TenantScope,
  { table }: Listing<Row>,
  where: Predicate,
  { isWhole = false } = {},
): Fragment {
  const known = { tenant_id: tenantId }
  return predicateToSql(where, { dialect: dialect.name, table, isWhole, isBinary: true, known })
}

/** This many rows always fit into a page, whatever their sizes. */
const FEW = Math.floor(MAX_PAGE_BYTES / MAX_RESOURCE_BYTES)
