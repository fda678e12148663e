import { badRequest, ScimError } from '../../error.ts'
import { restrictFilter } from '../../filter/restrict.ts'
import type { RawJson } from '../../message/raw-json.ts'
import type { ListQuery, Page } from '../../model.ts'
import { type Answer, type Exchange, readingWork, readSearch, type Work } from '../core/exchange.ts'
import { definitionsFor, type ServedType } from '../options/resource-type.ts'
import { answerPage, type ListedPage, listResources } from './list.ts'

/** Returns a search over every resource type (RFC 7644 §3.4.3), one type after the other. */
export function createSearchAll<Context>(
  types: readonly ServedType<Context>[],
): (exchange: Exchange<Context>) => Promise<Answer> {
  return async (exchange) => {
    const seen = types.map((type) => type.seenBy(exchange.profile))
    // A filter may name any type's attributes.
    const definitions = definitionsFor(types, exchange.profile)
    const query = await readSearch(exchange, definitions)
    for (const name of ['sortBy', 'cursor'] as const) {
      if (query[name] === undefined) continue
      throw badRequest('invalidValue', `${name} requires a search of one resource type`)
    }
    return answerPage(await listAll(readingWork(exchange), seen, query))
  }
}

/** Lists a page across all types. */
async function listAll<Context>(
  work: Work<Context>,
  types: readonly ServedType<Context>[],
  query: ListQuery,
): Promise<Page<RawJson>> {
  const resources: RawJson[] = []
  const errors: ScimError[] = []
  let { startIndex, count } = query
  let total = 0
  let isAnswered = false
  for (const type of types) {
    const filter = query.filter === undefined || restrictFilter(query.filter, type.index)
    // None of the type's resources match.
    if (filter === false) continue
    const restricted = { ...query, startIndex, count, filter: filter === true ? undefined : filter }
    const page = await listOrReject(() => listResources(work, type, restricted))
    if (page instanceof ScimError) {
      errors.push(page)
      continue
    }
    isAnswered ||= filter !== true
    const { totalResults = 0 } = page
    resources.push(...page.resources)
    total += totalResults
    // After a type's last resource, the page continues with the next type.
    const isCut = startIndex - 1 + page.resources.length < totalResults
    count = isCut ? 0 : count - page.resources.length
    startIndex = Math.max(1, startIndex - totalResults)
  }
  // In another resource type, an attribute with this name may have another data type, which the value does not fit.
  const [error] = errors
  if (error !== undefined && !isAnswered) throw error
  return { resources, totalResults: total, startIndex: query.startIndex }
}

async function listOrReject(list: () => Promise<ListedPage>): Promise<ListedPage | ScimError> {
  try {
    return await list()
  } catch (error) {
    if (error instanceof ScimError && error.scimType === 'invalidFilter') return error
    throw error
  }
}
