import { kindOf } from '@plumbline/base'
import { isJsonObject } from '../../json.ts'
import type { ListQuery } from '../../model.ts'
import { storeRequest, type Work } from '../core/exchange.ts'
import { storeFault } from '../options/faults.ts'
import type { ServedType } from '../options/resource-type.ts'
import { type ListAnswer, PreparedResource } from '../options/store.ts'
import { queryOfStore } from './cursors.ts'
import type { Listing } from './listing.ts'

/** The query sent to the store, and its answer. */
export interface Answered {
  readonly request: ListQuery
  readonly answer: ListAnswer
}

/** Asks a store for a list, and checks its answer. */
export async function askStore<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  { query, view, complete }: Listing,
): Promise<Answered> {
  const request = await queryOfStore(query, type)
  const { filter = null, sortBy = null, sortOrder, startIndex, count, cursor = null } = request
  const searched = { filter, sortBy, sortOrder, complete }
  const page = { startIndex, count, cursor }
  const ask = async (): Promise<ListAnswer> => {
    const sent = storeRequest(work, { view, ...searched, ...page })
    const listed = await type.store.list(work.context, sent)
    requireApplied(listed, request, type)
    return listed
  }
  let answer = await ask()
  // Other clients may insert rows between a store's statements. They hardly do so twice.
  if (exceedsTotal(answer, request)) answer = await ask()
  if (exceedsTotal(answer, request)) throw totalFault(answer, request, type)
  return { request, answer }
}

/** Whether the store has done every step. */
export function isPage({ applied = [] }: ListAnswer): boolean {
  return applied.includes('page')
}

/** Throws a TypeError unless the steps a store applied are possible and fit the answer. */
function requireApplied(
  answer: ListAnswer,
  { filter, sortBy, cursor, count }: ListQuery,
  type: ServedType<never>,
): void {
  const fault = (what: string): TypeError => storeFault(type, 'list', what)
  if (!isJsonObject(answer)) throw fault(`${kindOf(answer)} instead of an answer with resources`)
  const { resources, applied = [], totalResults, nextCursor, previousCursor } = answer
  if (!Array.isArray(resources)) throw fault('an answer without resources')
  if (!Array.isArray(applied) || !applied.every((step) => STEPS.has(step))) {
    throw fault(`applied with an unknown step, ${JSON.stringify(applied)}`)
  }
  const lacks = (step: string): boolean => !applied.includes(step)
  const isWhole = !(filter && lacks('filter')) && !(sortBy && lacks('sort')) && !lacks('page')
  if (!lacks('page')) {
    if (!isWhole) throw fault('a page, but it did not apply the filter or the order before')
    if (resources.length > count) throw fault(`a page of more than ${count} resources`)
    if (cursor === undefined && totalResults === undefined) {
      throw fault('a page by index without totalResults')
    }
  }
  if (totalResults !== undefined && !isCount(totalResults)) {
    throw fault('totalResults that are not a whole number of at least 0')
  }
  for (const [name, link] of Object.entries({ nextCursor, previousCursor })) {
    if (link === undefined || (typeof link === 'string' && link !== '')) continue
    // RFC 9865 §2: an empty cursor is the first page, so a client would never end.
    throw fault(`${link === '' ? 'an empty' : `${kindOf(link)} as the`} ${name}`)
  }
  if (nextCursor !== undefined && lacks('page')) throw fault('a nextCursor without a page')
  if (!isWhole && resources.some((one) => one instanceof PreparedResource)) {
    throw fault('a prepared resource, but it did not apply every step')
  }
}

/** Whether a store's page has more resources than match on all pages. */
function exceedsTotal(
  { resources, applied = [], totalResults }: ListAnswer,
  query: ListQuery,
): boolean {
  if (!applied.includes('page') || totalResults === undefined || resources.length === 0)
    return false
  return endOf(resources, query) > totalResults
}

/** The error for a store whose page has more resources than match on all pages. */
function totalFault(
  { resources, totalResults }: ListAnswer,
  query: ListQuery,
  type: ServedType<never>,
): TypeError {
  const page =
    query.cursor === undefined
      ? `a page that ends at ${endOf(resources, query)}`
      : `a page of ${resources.length}`
  return storeFault(type, 'list', `totalResults of ${totalResults}, and ${page}`)
}

/** Returns the last resource's position, as far as it is known. */
function endOf(resources: readonly unknown[], { cursor, startIndex }: ListQuery): number {
  return (cursor === undefined ? startIndex - 1 : 0) + resources.length
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

const STEPS: ReadonlySet<unknown> = new Set(['filter', 'sort', 'page'])
