import { compareResources, type Scim } from '@plumbline/scim'
import { pageByCursor } from './cursor-page.ts'
import type { Listing, Stored } from './list.ts'
import { rowsIn } from './rows.ts'
import type { Scope } from './scope.ts'
import { every, MOST_CANDIDATES, matching, orderOf, searchOf, tooMany } from './search.ts'

/** A page by index or by cursor. */
export type ListedPage<Resource> = Scim.Page<Resource> | Scim.CursorPage<Resource>

/**
 * One page of the resources of a tenant that match a query: by cursor where the query has one, else by
 * index.
 *
 * What SQL can say of the filter and the order, the database does. The rest is done in memory over the
 * candidates that are left; more than 10,000 of them are `400 tooMany`, never a silent cut.
 */
export async function listPage<Row extends Stored>(
  scope: Scope,
  query: Scim.ListQuery,
  listing: Listing<Row>,
): Promise<ListedPage<Row>> {
  return query.cursor === undefined
    ? await pageByIndex(scope, query, listing)
    : await pageByCursor(scope, query, listing)
}

/** RFC 7644 §3.4.2.4. */
async function pageByIndex<Row>(
  scope: Scope,
  query: Scim.ListQuery,
  listing: Listing<Row>,
): Promise<Scim.Page<Row>> {
  const { startIndex, count } = query
  const search = await searchOf(scope, query, listing)
  const where = every(search.where)
  const orderBy = orderOf(search)
  if (search.residual === null && search.isSorted) {
    const offset = startIndex - 1
    const range = { where, orderBy, limit: count, offset }
    const resources = count === 0 ? [] : await rowsIn(scope, listing, range)
    // A page that is not full is the last one: all those before it are known without counting them.
    const isLast = resources.length < count && (resources.length > 0 || offset === 0)
    const totalResults = isLast
      ? offset + resources.length
      : await scope.db.count(listing.table, { where: where as never })
    return { resources, totalResults, startIndex }
  }
  const rows = await rowsIn(scope, listing, { where, orderBy, limit: MOST_CANDIDATES + 1 })
  if (rows.length > MOST_CANDIDATES) throw tooMany()
  const found = await matching(scope, rows, search.residual, listing)
  if (!search.isSorted) {
    const compare = compareResources(query, listing.definitions)
    found.sort((a, b) => compare(a.wire, b.wire))
  }
  const resources = found.slice(startIndex - 1, startIndex - 1 + count).map(({ row }) => row)
  return { resources, totalResults: found.length, startIndex }
}
