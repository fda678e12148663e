import { parseListQuery, parseSearchRequest, type Scim } from '@plumbline/scim'
import type { Discovery } from '@plumbline/scim/discovery'
import { accepted, type ScimRequest } from './endpoint.ts'
import { LIST_OPTIONS } from './limits.ts'

/** Parses the query of a URL with the tolerances of the client's profile. Throws a ScimError. */
export function queryOf(
  { url, rules }: Pick<ScimRequest, 'url' | 'rules'>,
  attributes: Discovery.Definitions,
): Scim.ListQuery {
  return accepted(
    parseListQuery(url, { ...LIST_OPTIONS, attributes, tolerate: rules.tolerateQuery }),
  )
}

/** Parses the body of a `.search` request with the tolerances of the client's profile. Throws a ScimError. */
export async function searchOf(
  { body, rules }: Pick<ScimRequest, 'body' | 'rules'>,
  attributes: Discovery.Definitions,
): Promise<Scim.ListQuery> {
  const options = { ...LIST_OPTIONS, attributes, tolerate: rules.tolerateQuery }
  return accepted(parseSearchRequest(await body(), options))
}
