import { countComparisons } from '../../filter/count.ts'
import { takePage } from '../../list/page.ts'
import { type Place, type Position, rowOrder } from '../../list/position.ts'
import { type LinkedPage, listByCursor, listByIndex, type RowList } from '../../list/row-list.ts'
import { mapSource, sourceOfList } from '../../list/row-source.ts'
import { findAll } from '../../list/search.ts'
import type { ListAnswer, StoredResource, WireResource } from '../options/store.ts'
import type { Listing } from './listing.ts'

/** A page's resources, and how many match on all pages. */
interface Finished {
  readonly resources: readonly StoredResource[]
  readonly totalResults: number
}

/**
 * Filters, sorts and pages an answer without a page, as far as the store has not done it. Throws a ScimError,
 * `400 tooMany`, if it would filter or sort more resources than `limits.candidates`.
 */
export async function finishInMemory(
  { resources, applied = [] }: ListAnswer,
  listing: Listing,
): Promise<Finished> {
  const { query } = listing
  const isFiltered = listing.matches !== null && !applied.includes('filter')
  const isSorted = query.sortBy !== undefined && !applied.includes('sort')
  if (!isFiltered && !isSorted) {
    return { resources: takePage(resources, query), totalResults: resources.length }
  }
  const list = listOf(resources, listing, isFiltered)
  if (!isSorted) {
    const search = { source: list.from(null), matches: list.matches, ...list.limits }
    const found = await findAll(search, { keep: (resource) => resource })
    return { resources: takePage(found, query), totalResults: found.length }
  }
  // Equal resources keep the store's order.
  const { rows, totalResults } = await listByIndex({ ...list, positionOf: () => NOWHERE }, query)
  return { resources: rows, totalResults }
}

/**
 * Pages an answer by cursor if the store has not: filters it, as far as the store has not done it, sorts it by the sort
 * key and the id, and returns the page at a place. Throws a ScimError, `400 tooMany`, if it would filter more resources
 * than `limits.candidates`, or sort them by an attribute.
 *
 * @param show returns as many of the first resources as fit into the page
 */
export async function finishByCursor<Shown>(
  { resources, applied = [] }: ListAnswer,
  listing: Listing,
  place: Place | null,
  show: (resources: readonly WireResource[]) => Promise<readonly Shown[]>,
): Promise<LinkedPage<Shown>> {
  const { query } = listing
  const isFiltered = listing.matches !== null && !applied.includes('filter')
  const list = listOf(resources, listing, isFiltered)
  const isSearch = isFiltered || query.sortBy !== undefined
  const limits = isSearch ? list.limits : { ...list.limits, candidates: Number.POSITIVE_INFINITY }
  return await listByCursor({ ...list, limits }, { place, count: query.count }, show)
}

/** A store's resources in a query's order: by the sort key and then by the id. */
function listOf(
  resources: readonly unknown[],
  { work, type, query, matches, complete }: Listing,
  isFiltered: boolean,
): RowList<WireResource> {
  const { definitions } = type
  return {
    from: () => mapSource(sourceOfList(resources), complete),
    positionOf: ({ id }) => ({ id: String(id), key: null }),
    matches: isFiltered ? matches : null,
    order: rowOrder(query, {
      definitions,
      budget: work.budget,
      resourceOf: (resource) => resource,
    }),
    limits: {
      candidates: work.exchange.limits.candidates,
      batch: Math.ceil(BATCH / (query.filter === undefined ? 1 : countComparisons(query.filter))),
    },
  }
}

/** How many comparisons run before other requests may run. */
const BATCH = 64
const NOWHERE: Position = { id: '', key: null }
