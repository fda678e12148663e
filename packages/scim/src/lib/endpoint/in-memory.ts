import { createTurns } from '../bulk/turns.ts'
import { badRequest } from '../error.ts'
import type { ListQuery } from '../model.ts'
import { compareResources } from '../resource/sort.ts'
import type { Task } from './exchange.ts'
import { completeResource } from './represent.ts'
import type { ServedType } from './served-type.ts'
import type { ListAnswer, StoredResource, WireResource } from './store.ts'

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
 * Filters, sorts and pages the answer of a store, as far as the store has not done it. Throws a ScimError,
 * `400 tooMany`, if it would filter or sort more resources than `limits.candidates`.
 */
export async function finishInMemory(
  { resources, applied = [], totalResults }: ListAnswer,
  { work, type, query, matches }: Steps,
): Promise<Finished> {
  if (applied.includes('page')) return { resources, totalResults: totalResults ?? 0 }
  const { startIndex, count, sortBy } = query
  const isFiltered = matches !== null && !applied.includes('filter')
  const isSorted = sortBy !== undefined && !applied.includes('sort')
  let found: readonly StoredResource[] = resources
  if (isFiltered || isSorted) {
    const { candidates } = work.exchange.limits
    if (resources.length > candidates) throw tooMany(candidates)
    const kept = await keepMatching(resources, isFiltered ? matches : null, work, type)
    found = isSorted ? kept.sort(compareResources(query, type.definitions)) : kept
  }
  return {
    resources: found.slice(startIndex - 1, startIndex - 1 + count),
    totalResults: found.length,
  }
}

/** The completed resources that match. Other requests run in between. */
async function keepMatching(
  resources: readonly unknown[],
  matches: ((resource: object) => boolean) | null,
  { exchange }: Task,
  type: ServedType<never>,
): Promise<WireResource[]> {
  const nextTurn = createTurns()
  const origin = { type, method: 'list', base: exchange.base }
  const kept: WireResource[] = []
  for (const [at, resource] of resources.entries()) {
    if (at % BATCH === BATCH - 1) await nextTurn()
    const complete = completeResource(resource, origin)
    if (matches === null || matches(complete)) kept.push(complete)
  }
  return kept
}

function tooMany(candidates: number): Error {
  return badRequest('tooMany', `the search has more than ${candidates} candidates`)
}

const BATCH = 64
