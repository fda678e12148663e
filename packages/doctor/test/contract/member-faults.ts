import type { ResourceStore, StoreRequest, WireResource } from '@plumbline/scim/endpoint'
import type { MembershipPlan, PlannedMember } from '@plumbline/scim/patch'
import { wholeRequest, wire } from './faults.ts'
import type { Store, Tenant } from './memory.ts'

type Members = readonly PlannedMember[]

/** The members after a plan. */
export function planned(members: Members, { add, remove, replace }: MembershipPlan): Members {
  if (replace !== null) return replace
  const left = members.filter(({ value }) => !remove.has(value))
  const values = new Set(left.map(({ value }) => value))
  return [...left, ...add.filter(({ value }) => !values.has(value))]
}

export interface MemberOptions {
  /** Whether the other attributes of the request are not stored. */
  readonly ignoresResource?: boolean
  /** Whether the members are stored after the transaction. */
  readonly isLate?: boolean
}

/** The functions of a store that changes members by a plan. */
export function changesMembers(
  store: Store,
  change: (members: Members, plan: MembershipPlan) => Members,
  { ignoresResource = false, isLate = false }: MemberOptions = {},
): Pick<ResourceStore<Tenant>, 'changeMembers' | 'findMembers'> {
  const membersOf = async (
    id: string,
    context: Tenant,
    request: StoreRequest,
  ): Promise<Members> => {
    const found = await store.read(id, context, wholeRequest(request))
    return found === null ? [] : listed(wire(found))
  }
  return {
    findMembers: async (id, values, context, request) => {
      const members = await membersOf(id, context, request)
      return members.map(({ value }) => value).filter((value) => values.includes(value))
    },
    changeMembers: async (id, plan, context, request) => {
      const current = await store.read(id, context, wholeRequest(request))
      if (current === null) return false
      const members = change(listed(wire(current)), plan)
      const others = ignoresResource ? wire(current) : request.resource
      const write = (): Promise<unknown> =>
        store.replace(id, { ...others, members }, context, request)
      // Later than the check, but not for ever.
      if (isLate) setTimeout(write, 5_000).unref()
      else await write()
      return true
    },
  }
}

function listed(resource: WireResource): Members {
  // The members of a group that the endpoint has parsed.
  return (resource['members'] ?? []) as Members
}
