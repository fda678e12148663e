import { countComparisons } from '../../filter/count.ts'
import { searchedAttributes } from '../../filter/find-attributes.ts'
import { isJsonObject } from '../../json.ts'
import { takePage } from '../../list/page.ts'
import { type Place, type Position, rowOrder } from '../../list/position.ts'
import { type LinkedPage, listByCursor, listByIndex, type RowList } from '../../list/row-list.ts'
import { mapSource, sourceOfList } from '../../list/row-source.ts'
import { findAll } from '../../list/search.ts'
import type { ListQuery } from '../../model.ts'
import type { Task } from '../core/exchange.ts'
import { completeResource } from '../core/represent.ts'
import { kindOf, storeFault } from '../options/faults.ts'
import type { ServedType } from '../options/resource-type.ts'
import type { ListAnswer, StoredResource, WireResource } from '../options/store.ts'

/** The parts needed to finish a list request that the store only partly handled. */
export interface Steps {
  readonly work: Task
  readonly type: ServedType<never>
  readonly query: ListQuery
  /** The compiled filter; null without one. */
  readonly matches: ((resource: object) => boolean) | null
}

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
  { work, type, query, matches }: Steps,
): Promise<Finished> {
  const isFiltered = matches !== null && !applied.includes('filter')
  const isSorted = query.sortBy !== undefined && !applied.includes('sort')
  if (!isFiltered && !isSorted) {
    return { resources: takePage(resources, query), totalResults: resources.length }
  }
  const list = listOf(resources, { work, type, query, matches: isFiltered ? matches : null })
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
  { matches, ...steps }: Steps,
  place: Place | null,
  show: (resources: readonly WireResource[]) => Promise<readonly Shown[]>,
): Promise<LinkedPage<Shown>> {
  const isFiltered = matches !== null && !applied.includes('filter')
  const list = listOf(resources, { ...steps, matches: isFiltered ? matches : null })
  const isSearch = isFiltered || steps.query.sortBy !== undefined
  const limits = isSearch ? list.limits : { ...list.limits, candidates: Number.POSITIVE_INFINITY }
  return await listByCursor({ ...list, limits }, { place, count: steps.query.count }, show)
}

/** A store's resources in a query's order: by the sort key and then by the id. */
function listOf(
  resources: readonly unknown[],
  { work, type, query, matches }: Steps,
): RowList<WireResource> {
  const { definitions } = type
  const complete = completerFor(query, work, type)
  return {
    from: () => mapSource(sourceOfList(resources), complete),
    positionOf: ({ id }) => ({ id: String(id), key: null }),
    matches,
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

/** Completes a store's resources as far as the query's filter and order need it. */
export function completerFor(
  query: Pick<ListQuery, 'filter' | 'sortBy'>,
  work: Task,
  type: ServedType<never>,
): Complete {
  // Only `schemas` and `meta` depend on the completion, which costs more than most filters.
  return namesCompleted(query, type) ? completerOf(work, type) : requireObject(type)
}

/** Whether a filter or an order names an attribute the endpoint adds to a store's resources. */
function namesCompleted(
  query: Pick<ListQuery, 'filter' | 'sortBy'>,
  { index }: ServedType<never>,
): boolean {
  return [...searchedAttributes(query, index)].some(({ name, parent }) =>
    ADDED.has(parent?.name ?? name),
  )
}

/** Returns the resource at a position in the answer. Throws a TypeError for anything else. */
type Complete = (resource: unknown, at?: number) => WireResource

function completerOf({ exchange }: Task, type: ServedType<never>): Complete {
  const origin = { type, method: 'list', base: exchange.base }
  return (resource, at) => completeResource(resource, at === undefined ? origin : { ...origin, at })
}

function requireObject(type: ServedType<never>): Complete {
  return (resource, at) => {
    if (isJsonObject(resource)) return resource
    const place = at === undefined ? 'list' : `list, resources[${at}]`
    throw storeFault(type, place, `${kindOf(resource)}, which is not a resource`)
  }
}

/** How many comparisons run before other requests may run. */
const BATCH = 64
const NOWHERE: Position = { id: '', key: null }
const ADDED: ReadonlySet<string> = new Set(['schemas', 'meta'])
