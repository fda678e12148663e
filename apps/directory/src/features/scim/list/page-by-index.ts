import type { Scim } from '@plumbline/scim'
import { listByIndex } from '@plumbline/scim/internal'
import type { TenantScope } from '../scope.ts'
import type { ListedPage, Listing, Show, Stored } from './list.ts'
import { pageByCursor } from './page-by-cursor.ts'
import { orderOf, planSearch, type Search } from './plan-query.ts'
import { countRows, rowsIn } from './read-rows.ts'
import { rowListOf, turnFor } from './row-list.ts'

/**
 * Reads one page of a tenant's resources that match a query: by cursor if the query has one, else by index. It
 * has fewer resources than `count` if these would exceed about 16 MiB (RFC 7644 §3.4.2.4); the next page then
 * starts after the last resource.
 *
 * The database runs whatever SQL can express, both filter and order. The rest runs in memory over the remaining
 * candidates. More than 10,000 candidates are `400 tooMany`, never a partial result.
 */
export async function listPage<Row extends Stored, Resource>(
  scope: TenantScope,
  query: Scim.ListQuery,
  listing: Listing<Row>,
  show: Show<Row, Resource>,
): Promise<ListedPage<Resource>> {
  const showInTurn: Show<Row, Resource> = async (rows) => {
    await turnFor(scope, rows, listing)
    return await show(rows)
  }
  return query.cursor === undefined
    ? await pageByIndex(scope, query, listing, showInTurn)
    : await pageByCursor(scope, query, listing, showInTurn)
}

/** Reads one page by index (RFC 7644 §3.4.2.4). */
async function pageByIndex<Row extends Stored, Resource>(
  scope: TenantScope,
  query: Scim.ListQuery,
  listing: Listing<Row>,
  show: Show<Row, Resource>,
): Promise<Scim.Page<Resource>> {
  const search = await planSearch(scope, query, listing)
  const isInMemory = search.residual !== null || !search.isSorted
  const { rows, totalResults } = isInMemory
    ? await rowsInMemory(scope, query, search, listing)
    : await rowsInDatabase(scope, query, search, listing)
  const resources = rows.length === 0 ? [] : await show(rows)
  return { resources, totalResults, startIndex: query.startIndex }
}

interface Part<Row> {
  /** The rows, as many as fit into the page. */
  readonly rows: readonly Row[]
  readonly totalResults: number
}

async function rowsInDatabase<Row extends Stored>(
  scope: TenantScope,
  { startIndex, count }: Scim.ListQuery,
  search: Search,
  listing: Listing<Row>,
): Promise<Part<Row>> {
  const offset = startIndex - 1
  const range = { where: search.where, orderBy: orderOf(search), limit: count, offset }
  if (count === 0) return { rows: [], totalResults: await countRows(scope, listing, range) }
  const { rows, isCut } = await rowsIn(scope, listing, range)
  // A page that is not full is the last one: the total is known without counting.
  const isLast = !isCut && rows.length < count && (rows.length > 0 || offset === 0)
  const totalResults = isLast ? offset + rows.length : await countRows(scope, listing, range)
  return { rows, totalResults }
}

async function rowsInMemory<Row extends Stored>(
  scope: TenantScope,
  query: Scim.ListQuery,
  search: Search,
  listing: Listing<Row>,
): Promise<Part<Row>> {
  const list = rowListOf({ scope, query, listing, search })
  const { rows, totalResults } = await listByIndex(list, query)
  return { rows: rows.map(({ row }) => row), totalResults }
}
