import { unwrap } from '@plumbline/result'
import {
  type ListQueryOptions,
  parseParameters,
  parseSearchRequest,
} from '../message/list-query.ts'
import type { ListQuery } from '../model.ts'
import type { Definitions } from '../schema/types.ts'
import type { RequestFacts } from './exchange.ts'

/** Parses the URL's query with the client's tolerances. Throws a ScimError. */
export function readQuery(exchange: RequestFacts, definitions: Definitions): ListQuery {
  const { query, limits } = exchange
  if (query === '') return { ...FIRST_PAGE, count: Math.min(limits.defaultCount, limits.maxCount) }
  return unwrap(parseParameters(new URLSearchParams(query), optionsOf(exchange, definitions)))
}

/** Parses a `.search` request's body with the client's tolerances. Throws a ScimError. */
export async function readSearch(
  exchange: RequestFacts,
  definitions: Definitions,
): Promise<ListQuery> {
  return unwrap(parseSearchRequest(await exchange.body(), optionsOf(exchange, definitions)))
}

function optionsOf({ limits, profile }: RequestFacts, attributes: Definitions): ListQueryOptions {
  const { defaultCount, maxCount } = limits
  return { defaultCount, maxCount, attributes, tolerate: profile.query }
}

const FIRST_PAGE = { startIndex: 1, sortOrder: 'ascending' } as const
