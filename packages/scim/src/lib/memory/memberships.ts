import type { WireResource } from '../endpoint/options/store.ts'
import { isJsonObject, own } from '../json.ts'
import { fold } from '../values/fold.ts'

/** Finds a member's groups. */
export interface Memberships {
  /** Replaces a group's members. */
  set(id: string, group: WireResource): void
  /** A member's groups, as in the attribute `groups` (RFC 7643 §4.1.2). */
  groupsOf(member: string): readonly WireResource[]
}

/** Creates the memberships for a group store. */
export function createMemberships(find: (id: string) => WireResource | undefined): Memberships {
  const groupsByMember = new Map<string, Set<string>>()
  const membersByGroup = new Map<string, ReadonlySet<string>>()
  return {
    set: (id, group) => {
      const before = membersByGroup.get(id) ?? new Set()
      const after = membersOf(group)
      for (const member of before) if (!after.has(member)) leave(groupsByMember, member, id)
      for (const member of after) {
        groupsByMember.set(member, (groupsByMember.get(member) ?? new Set()).add(id))
      }
      if (after.size > 0) membersByGroup.set(id, after)
      else membersByGroup.delete(id)
    },
    groupsOf: (member) =>
      [...(groupsByMember.get(fold(member)) ?? [])].map((value) => {
        const display = find(value)?.displayName
        return { value, ...(display === undefined ? {} : { display }), type: 'direct' }
      }),
  }
}

function membersOf({ members }: WireResource): ReadonlySet<string> {
  const values = Array.isArray(members) ? members : []
  return new Set(
    values.flatMap((member) => {
      const value = isJsonObject(member) ? own(member, 'value') : undefined
      return typeof value === 'string' ? [fold(value)] : []
    }),
  )
}

function leave(groupsByMember: Map<string, Set<string>>, member: string, id: string): void {
  const groups = groupsByMember.get(member)
  groups?.delete(id)
  if (groups?.size === 0) groupsByMember.delete(member)
}
