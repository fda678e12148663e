import { listResponse, project, type Scim, ScimError } from '@plumbline/scim'
import { GROUP_DEFINITIONS, listGroups } from '../store/groups.ts'
import type { ListedPage } from '../store/list/page-by-index.ts'
import type { TenantScope } from '../store/scope.ts'
import { listUsers, USER_DEFINITIONS } from '../store/users.ts'
import type { ScimHandler } from './endpoint.ts'
import { searchOf } from './queries.ts'
import { heldResponse } from './respond.ts'

/** A search over every resource type (RFC 7644 §3.4.3): users first, then groups. */
export const searchAllHandler: ScimHandler = async (scim) => {
  const query = await searchOf(scim, ALL_DEFINITIONS)
  for (const name of ['sortBy', 'cursor'] as const) {
    if (query[name] === undefined) continue
    throw new ScimError(400, `${name} requires a search of one resource type`, {
      scimType: 'invalidValue',
    })
  }
  const page = await scim.scan((scope) => listAll(scope, query))
  return await heldResponse(
    listResponse(page, (resource) => resource),
    Number.POSITIVE_INFINITY,
    scim.hold,
  )
}

/** A page of users and groups, with the attributes that the client wants. */
async function listAll(scope: TenantScope, query: Scim.ListQuery): Promise<Scim.Page<object>> {
  const users = await listOrReject(() => listUsers(scope, query))
  const count = left(query, users.page)
  const startIndex = Math.max(1, query.startIndex - (users.page?.totalResults ?? 0))
  const groups = await listOrReject(() => listGroups(scope, { ...query, startIndex, count }))
  // An attribute that one type does not define is unassigned in all of its resources.
  if (!users.page && !groups.page) throw users.error
  const found = [
    ...(users.page?.resources ?? []).map(({ body }) => body),
    ...(groups.page?.resources ?? []).map((wire) => project(wire, query, GROUP_DEFINITIONS)),
  ]
  const totalResults = (users.page?.totalResults ?? 0) + (groups.page?.totalResults ?? 0)
  return { resources: found, totalResults, startIndex: query.startIndex }
}

/** How many groups the page still has room for; 0 while users are left. */
function left(
  { startIndex, count }: Scim.ListQuery,
  users: ListedPage<object> | undefined,
): number {
  if (users === undefined) return count
  const { resources, totalResults = 0 } = users
  const isCut = startIndex - 1 + resources.length < totalResults
  return isCut ? 0 : count - resources.length
}

async function listOrReject<Resource>(
  list: () => Promise<ListedPage<Resource>>,
): Promise<{ readonly page?: ListedPage<Resource>; readonly error?: ScimError }> {
  try {
    return { page: await list() }
  } catch (error) {
    if (error instanceof ScimError && error.scimType === 'invalidFilter') return { error }
    throw error
  }
}

/** Every attribute of users and groups: a filter may name either. */
const ALL_DEFINITIONS = { ...USER_DEFINITIONS, ...GROUP_DEFINITIONS }
