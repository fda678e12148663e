import { createTurns } from '../bulk/turns.ts'
import { badRequest } from '../error.ts'
import { countComparisons } from '../filter/count.ts'
import { findAttributes } from '../filter/find-attributes.ts'
import { isJsonObject } from '../json.ts'
import type { ListQuery } from '../model.ts'
import { sortResources } from '../resource/sort.ts'
import type { Task } from './exchange.ts'
import { storeFault } from './faults.ts'
import { completeResource } from './represent.ts'
import type { ServedType } from './served-type.ts'
import type { ListAnswer, StoredResource, WireResource } from './store.ts'
import { collectAttributes } from './view.ts'

/** The steps of a list request, for the ones that a store has not done itself. */
interface Steps {
  readonly work: Task
  readonly type: ServedType<never>
  readonly query: ListQuery
  /** The compiled filter; null without one. */
  readonly matches: ((resource: object) => boolean) | null
}

/** The resources of a page, and how many match on all pages. */
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
  const { startIndex, count, sortBy } = query
  const isFiltered = matches !== null && !applied.includes('filter')
  const isSorted = sortBy !== undefined && !applied.includes('sort')
  let found: readonly StoredResource[] = resources
  if (isFiltered || isSorted) {
    const { candidates } = work.exchange.limits
    if (resources.length > candidates) throw tooMany(candidates)
    // Only `schemas` and `meta` depend on the completion, which costs more than most filters.
    const complete = namesCompleted(query, type) ? completerOf(work, type) : requireObject(type)
    const batch = Math.ceil(
      BATCH / (query.filter === undefined ? 1 : countComparisons(query.filter)),
    )
    const kept = await keepMatching(resources, isFiltered ? matches : null, complete, batch)
    found = isSorted ? sortResources(kept, query, type.definitions, work.budget) : kept
  }
  return {
    resources: found.slice(startIndex - 1, startIndex - 1 + count),
    totalResults: found.length,
  }
}

/** The resources that match. Other requests run in between. */
async function keepMatching(
  resources: readonly unknown[],
  matches: ((resource: object) => boolean) | null,
  complete: (resource: unknown) => WireResource,
  batch: number,
): Promise<WireResource[]> {
  const nextTurn = createTurns()
  const kept: WireResource[] = []
  for (const [at, resource] of resources.entries()) {
    if (at % batch === batch - 1) await nextTurn()
    const completed = complete(resource)
    if (matches === null || matches(completed)) kept.push(completed)
  }
  return kept
}

/** Whether a filter or an order names an attribute that the endpoint adds to the resources of a store. */
function namesCompleted({ filter, sortBy }: ListQuery, { index }: ServedType<never>): boolean {
  const named = findAttributes(sortBy === undefined ? [] : [sortBy], index)
  if (filter !== undefined) collectAttributes(filter, index, named)
  return [...named].some(({ name, parent }) => ADDED.has(parent?.name ?? name))
}

function completerOf(
  { exchange }: Task,
  type: ServedType<never>,
): (resource: unknown) => WireResource {
  const origin = { type, method: 'list', base: exchange.base }
  return (resource) => completeResource(resource, origin)
}

function requireObject(type: ServedType<never>): (resource: unknown) => WireResource {
  return (resource) => {
    if (isJsonObject(resource)) return resource
    throw storeFault(type, 'list', 'a value that is not a resource')
  }
}

function tooMany(candidates: number): Error {
  return badRequest('tooMany', `the search has more than ${candidates} candidates`)
}

/** After how many comparisons of a resource other requests may run. */
const BATCH = 64
const ADDED: ReadonlySet<string> = new Set(['schemas', 'meta'])
