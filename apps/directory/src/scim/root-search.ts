import { type Scim, ScimError } from '@plumbline/scim'
import type { ResourceType } from '../resources/resource-type.ts'
import type { ListedPage, ResourceView } from '../store/list/list.ts'
import type { TenantScope } from '../store/scope.ts'
import type { ScimHandler } from './endpoint.ts'
import { parseSearch } from './queries.ts'
import { pageResponse } from './respond.ts'

/** A search over every resource type (RFC 7644 §3.4.3), one type after the other. */
export function searchAllHandler(types: readonly ResourceType[]): ScimHandler {
  // A filter may name the attributes of any type.
  const definitions = Object.assign({}, ...types.map((type) => type.definitions))
  return async (scim) => {
    const query = await parseSearch(scim, definitions)
    for (const name of ['sortBy', 'cursor'] as const) {
      if (query[name] === undefined) continue
      throw new ScimError(400, `${name} requires a search of one resource type`, {
        scimType: 'invalidValue',
      })
    }
    const page = await scim.scan((scope) => listAll(scope, types, query))
    return await pageResponse(page, scim.hold)
  }
}

/** A page of the resources of all types. */
async function listAll(
  scope: TenantScope,
  types: readonly ResourceType[],
  query: Scim.ListQuery,
): Promise<Scim.Page<ResourceView>> {
  const resources: ResourceView[] = []
  const errors: ScimError[] = []
  let { startIndex, count } = query
  let total = 0
  for (const { store } of types) {
    const page = await listOrReject(() => store.list(scope, { ...query, startIndex, count }))
    if (page instanceof ScimError) {
      errors.push(page)
      continue
    }
    const { totalResults = 0 } = page
    resources.push(...page.resources)
    total += totalResults
    // The page continues with the next type after all resources of this type.
    const isCut = startIndex - 1 + page.resources.length < totalResults
    count = isCut ? 0 : count - page.resources.length
    startIndex = Math.max(1, startIndex - totalResults)
  }
  // An attribute that one type does not define is unassigned in all of its resources.
  const [error] = errors
  if (error !== undefined && errors.length === types.length) throw error
  return { resources, totalResults: total, startIndex: query.startIndex }
}

async function listOrReject(
  list: () => Promise<ListedPage<ResourceView>>,
): Promise<ListedPage<ResourceView> | ScimError> {
  try {
    return await list()
  } catch (error) {
    if (error instanceof ScimError && error.scimType === 'invalidFilter') return error
    throw error
  }
}
