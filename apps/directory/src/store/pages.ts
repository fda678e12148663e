import { compareResources, type Scim } from '@plumbline/scim'
import type { AnyTable, TableRow } from '@remix-run/data-table'
import { pageByCursor } from './cursor-page.ts'
import type { Listing } from './list.ts'
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
export async function listPage<Table extends AnyTable>(
  scope: Scope,
  table: Table,
  query: Scim.ListQuery,
  listing: Listing<TableRow<Table>>,
): Promise<ListedPage<TableRow<Table>>> {
  return query.cursor === undefined
    ? await pageByIndex(scope, table, query, listing)
    : await pageByCursor(scope, table, query, listing)
}

/** RFC 7644 §3.4.2.4. */
async function pageByIndex<Table extends AnyTable>(
  { db, tenantId }: Scope,
  table: Table,
  query: Scim.ListQuery,
  listing: Listing<TableRow<Table>>,
): Promise<Scim.Page<TableRow<Table>>> {
  const { startIndex, count } = query
  const search = await searchOf(tenantId, query, listing)
  const where = every(search.where) as never
  const orderBy = orderOf(search) as never
  if (search.residual === null && search.isSorted) {
    const totalResults = await db.count(table, { where })
    const rows =
      count === 0 || startIndex > totalResults
        ? []
        : await db.findMany(table, { where, orderBy, limit: count, offset: startIndex - 1 })
    return { resources: rows as TableRow<Table>[], totalResults, startIndex }
  }
  const rows = await db.findMany(table, { where, orderBy, limit: MOST_CANDIDATES + 1 })
  if (rows.length > MOST_CANDIDATES) throw tooMany()
  const found = await matching(rows as TableRow<Table>[], search.residual, listing)
  if (!search.isSorted) {
    const compare = compareResources(query, listing.definitions)
    found.sort((a, b) => compare(a.wire, b.wire))
  }
  const resources = found.slice(startIndex - 1, startIndex - 1 + count).map(({ row }) => row)
  return { resources, totalResults: found.length, startIndex }
}
