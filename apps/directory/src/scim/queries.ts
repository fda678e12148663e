import { unwrap } from '@plumbline/result'
import { parseListQuery, parseSearchRequest, type Scim } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import type { ScimRequest } from './endpoint.ts'
import { LIST_OPTIONS } from './limits.ts'

/** Parses the query of a URL with the tolerances of the client's profile. Throws a ScimError. */
export function parseQuery(
  { url, rules }: Pick<ScimRequest, 'url' | 'rules'>,
  attributes: Discovery.Definitions,
): Scim.ListQuery {
  const options = { ...LIST_OPTIONS, attributes, tolerate: rules.tolerateQuery }
  return unwrap(parseListQuery(url, options))
}

/** Parses the body of a `.search` request with the tolerances of the client's profile. Throws a ScimError. */
export async function parseSearch(
  { body, rules }: Pick<ScimRequest, 'body' | 'rules'>,
  attributes: Discovery.Definitions,
): Promise<Scim.ListQuery> {
  const options = { ...LIST_OPTIONS, attributes, tolerate: rules.tolerateQuery }
  return unwrap(parseSearchRequest(await body(), options))
}
