import type { HandlersOf } from '@plumbline/openapi/server'
import type { AuthOptions } from '../../kernel/access/authenticate.ts'
import type { ApiVerifiers } from '../../shell/api/verifiers.ts'
import type { apiDocument } from '../../shell/operations.ts'
import { type ListedMember, listMembers } from './groups/list-members.ts'

type ApiHandlers = HandlersOf<typeof apiDocument, ApiVerifiers>

/** Handler for listing group members. */
export function memberHandlers({
  store,
}: Pick<AuthOptions, 'store'>): Pick<ApiHandlers, 'listMembers'> {
  return {
    listMembers: async ({ params, query: { after, count }, signal, reply, problems }) => {
      const wanted = { ...params, after, count: count + 1 }
      const { tenantId } = params
      const found = await store.read((db) => listMembers(db, wanted), { signal, tenantId })
      if (found === null) return problems.notFound()
      const members = found.slice(0, count).map(memberBody)
      const last = found.length > count ? members.at(-1) : undefined
      return reply(200, { members, ...(last && { nextAfter: last.id }) })
    },
  }
}

function memberBody({ id, type, name, display }: ListedMember) {
  return { id, type: type === 'Group' ? ('Group' as const) : ('User' as const), name, display }
}
