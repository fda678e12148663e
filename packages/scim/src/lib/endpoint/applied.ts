import type { ListQuery } from '../model.ts'
import { storeFault } from './faults.ts'
import type { ServedType } from './served-type.ts'
import { type ListAnswer, PreparedResource } from './store.ts'

/** Throws a TypeError unless the steps that a store has applied are possible, and fit its answer. */
export function requireApplied(
  answer: ListAnswer,
  { filter, sortBy, cursor, count }: ListQuery,
  type: ServedType<never>,
): void {
  const fault = (what: string): TypeError => storeFault(type, 'list', what)
  const { resources, applied = [], totalResults } = Object(answer)
  if (!Array.isArray(resources)) throw fault('an answer without resources')
  if (!Array.isArray(applied) || !applied.every((step) => STEPS.has(step))) {
    throw fault(`applied with an unknown step, ${JSON.stringify(applied)}`)
  }
  const lacks = (step: string): boolean => !applied.includes(step)
  const isWhole = !(filter && lacks('filter')) && !(sortBy && lacks('sort')) && !lacks('page')
  if (!lacks('page')) {
    if (!isWhole) throw fault('a page, but it did not apply the filter or the order before')
    if (resources.length > count) throw fault(`a page of more than ${count} resources`)
    if (cursor === undefined && !Number.isSafeInteger(totalResults)) {
      throw fault('a page by index without totalResults')
    }
  }
  if (cursor !== undefined && lacks('page')) throw fault('an answer to a cursor without a page')
  if (!isWhole && resources.some((one) => one instanceof PreparedResource)) {
    throw fault('a prepared resource, but it did not apply every step')
  }
}

const STEPS: ReadonlySet<unknown> = new Set(['filter', 'sort', 'page'])
