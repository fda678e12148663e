import type { Change } from '@plumbline/scim/endpoint'
import { expect } from 'vitest'

/** Which users are active, and the members of each group. */
export interface Model {
  readonly users: Map<string, boolean>
  readonly groups: Map<string, Set<string>>
}

/** Applies changes to a model. They must be exact: a member is not added twice, and only a member is removed. */
export function apply({ users, groups }: Model, changes: readonly Change[]): void {
  for (const change of changes) {
    const { id } = change
    if (change.type === 'user.created') users.set(id, change.active !== false)
    if (change.type === 'user.deactivated') users.set(id, false)
    if (change.type === 'user.reactivated') users.set(id, true)
    if (change.type === 'user.deleted') users.delete(id)
    if (change.type === 'group.created') groups.set(id, new Set())
    if (change.type === 'group.deleted') groups.delete(id)
    if (change.type === 'group.members') {
      const { added, removed } = change
      const members = groups.get(id) ?? new Set()
      // A change neither adds a member again nor removes one that is missing.
      expect(added.filter((value) => members.has(value))).toEqual([])
      expect(removed.filter((value) => !members.has(value))).toEqual([])
      groups.set(id, new Set([...members, ...added].filter((value) => !removed.includes(value))))
    }
  }
}
