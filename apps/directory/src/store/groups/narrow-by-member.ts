import { unwrap } from '@plumbline/result'
import type { Discovery } from '@plumbline/scim/discovery'
import { compileFilter, type Filter } from '@plumbline/scim/filter'
import { allOf, conjunctsOf, equalValue } from '../list/filters.ts'
import type { NarrowedFilter } from '../list/list.ts'
import { oneOf } from '../predicates.ts'
import type { TenantScope } from '../scope.ts'
import { groupsThatHold } from './members.ts'

/** Narrows `members eq`, `members.value eq` and `members[value eq … and …]` to the groups of the member. */
export async function narrowByMember(
  scope: TenantScope,
  filter: Filter.Expression,
  definitions: Discovery.Definitions,
): Promise<NarrowedFilter> {
  const left: Filter.Expression[] = []
  let ids: readonly string[] | null = null
  for (const conjunct of conjunctsOf(filter)) {
    const value = equalValue(conjunct, 'members')
    if (value === null) {
      left.push(conjunct)
      continue
    }
    // A value path may also test other sub-attributes of the member.
    const holds = unwrap(compileFilter(conjunct, { definitions, budget: scope.budget }))
    const held = await groupsThatHold(scope, value)
    const before: readonly string[] = ids ?? [...held.keys()]
    ids = before.filter((id) => held.has(id) && holds({ members: [held.get(id)] }))
  }
  return { where: ids && oneOf('id', ids), condition: null, residual: allOf(left) }
}
