import { listResponse, parseSearchRequest, project, type Scim, ScimError } from '@plumbline/scim'
import { GROUP_DEFINITIONS, listGroups } from '../store/groups.ts'
import type { Wire } from '../store/list.ts'
import type { ListedPage } from '../store/pages.ts'
import type { Scope } from '../store/scope.ts'
import { listUsers, USER_DEFINITIONS } from '../store/users.ts'
import { accepted, type ScimHandler } from './endpoint.ts'
import { LIST_OPTIONS } from './limits.ts'

/** A search over every resource type (RFC 7644 §3.4.3): users first, then groups. */
export const searchAllHandler: ScimHandler = async ({ body, read }) => {
  const query = accepted(parseSearchRequest(await body(), LIST_OPTIONS))
  for (const name of ['sortBy', 'cursor'] as const) {
    if (query[name] === undefined) continue
    throw new ScimError(400, `${name} is for a search of one resource type`, {
      scimType: 'invalidValue',
    })
  }
  const page = await read((scope) => listAll(scope, query))
  return listResponse(page, ({ wire, isUser }) =>
    project(wire, query, isUser ? USER_DEFINITIONS : GROUP_DEFINITIONS),
  )
}

interface Found {
  readonly wire: Wire
  readonly isUser: boolean
}

async function listAll(scope: Scope, query: Scim.ListQuery): Promise<Scim.Page<Found>> {
  const users = await listOrRefuse(() => listUsers(scope, query))
  const count = query.count - (users.page?.resources.length ?? 0)
  const startIndex = Math.max(1, query.startIndex - (users.page?.totalResults ?? 0))
  const groups = await listOrRefuse(() => listGroups(scope, { ...query, startIndex, count }))
  // An attribute that one type does not have is unassigned in all of its resources.
  if (!users.page && !groups.page) throw users.error
  const found = [
    ...(users.page?.resources ?? []).map((wire) => ({ wire, isUser: true })),
    ...(groups.page?.resources ?? []).map((wire) => ({ wire, isUser: false })),
  ]
  const totalResults = (users.page?.totalResults ?? 0) + (groups.page?.totalResults ?? 0)
  return { resources: found, totalResults, startIndex: query.startIndex }
}

async function listOrRefuse(
  list: () => Promise<ListedPage<Wire>>,
): Promise<{ readonly page?: ListedPage<Wire>; readonly error?: ScimError }> {
  try {
    return { page: await list() }
  } catch (error) {
    if (error instanceof ScimError && error.scimType === 'invalidFilter') return { error }
    throw error
  }
}
