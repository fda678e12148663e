import { isFailure, unwrap } from '@plumbline/result'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PATCH_OP_SCHEMA } from '../constants.ts'
import { GROUP_DEFINITION } from '../schema/core-schemas.ts'
import { applyPatch } from './apply.ts'
import { type MembershipPlan, planMembership } from './membership-plan.ts'
import { parsePatch } from './parse.ts'

// Property: for any members of a group, its plan determines for each value whether it is a member after the PATCH,
// and for the whole PATCH whether a target is missing, exactly as applyPatch does.

const definitions = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }

const value = fc.constantFrom('u1', 'u2', 'u3', 'u4', 'U1')
const named = fc.record({ $ref: fc.constant(null), value }, { requiredKeys: ['value'] })
const member = fc.record(
  {
    value,
    $ref: fc.constant(null),
    display: fc.constantFrom(null, 'One', 'Two'),
    type: fc.constantFrom(null, 'User', 'user'),
  },
  { requiredKeys: ['value'] },
)
const members = fc.oneof(fc.array(member, { maxLength: 3 }), member, fc.constant(null), value)
const filter = fc.oneof(
  value.map((one) => `value eq "${one}"`),
  fc.tuple(value, value).map(([one, other]) => `value eq "${one}" or VALUE eq "${other}"`),
)
const path = fc.constantFrom('members', 'Members', `${GROUP_DEFINITION.id}:members`)

const write = fc.record({ op: fc.constantFrom('add', 'replace', 'Add'), path, value: members })
const pathless = fc.record({
  op: fc.constantFrom('add', 'replace'),
  value: fc.record({ members, displayName: fc.constant('h') }),
})
const removal = fc.oneof(
  filter.map((inside) => ({ op: 'remove', path: `members[${inside}]` })),
  fc.record({ op: fc.constant('Remove'), path, value: fc.array(named, { maxLength: 3 }) }),
  fc.record({ op: fc.constant('remove'), path }),
)
const operations = fc.array(fc.oneof({ weight: 3, arbitrary: removal }, write, pathless), {
  minLength: 1,
  maxLength: 6,
})
const before = fc.uniqueArray(fc.constantFrom('u1', 'u2', 'u3', 'u4'), { maxLength: 4 })

it('a membership plan changes the members exactly as applyPatch does', () => {
  let planned = 0
  fc.assert(
    fc.property(before, operations, (values, sent) => {
      const parsed = unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations: sent }))
      const plan = planMembership(parsed)
      const group = { displayName: 'g', members: values.map((one) => ({ value: one })) }
      const patched = applyPatch(group, parsed, { definitions })
      if (plan === null) {
        // Of these operations, only the removal of a missing member depends on the stored members.
        expect(isFailure(patched) && patched.error.scimType).toBe('noTarget')
        return
      }
      planned += 1
      if (!plan.targets.every((target) => target.some((one) => has(values, one)))) {
        expect(isFailure(patched) && patched.error.scimType).toBe('noTarget')
        return
      }
      const { members: stored, displayName } = unwrap(patched)
      const after = (stored ?? []) as readonly { readonly value: string }[]
      expect(applied(values, plan)).toEqual(new Set(after.map((one) => one.value.toLowerCase())))
      const others = unwrap(applyPatch(group, plan.rest, { definitions }))
      expect(others).toMatchObject({ displayName, members: group.members })
    }),
    { numRuns: 2_000 },
  )
  expect(planned).toBeGreaterThan(500)
})

it('a membership plan ignores missing targets if remove-missing is tolerated', () => {
  fc.assert(
    fc.property(before, operations, (values, sent) => {
      const parsed = unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations: sent }))
      const plan = planMembership(parsed)
      if (plan === null) return
      const group = { displayName: 'g', members: values.map((one) => ({ value: one })) }
      const tolerant = applyPatch(group, parsed, { definitions, tolerate: ['remove-missing'] })
      const after = (unwrap(tolerant).members ?? []) as readonly { readonly value: string }[]
      expect(applied(values, plan)).toEqual(new Set(after.map((one) => one.value.toLowerCase())))
    }),
    { numRuns: 1_000 },
  )
})

it('20,000 operations are planned in one pass', () => {
  const sent = Array.from({ length: 10_000 }, (_, at) => [
    { op: 'remove', path: `members[value eq "u${at}"]` },
    { op: 'add', path: 'members', value: [{ value: `n${at}` }] },
  ]).flat()
  const plan = planMembership(unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations: sent })))
  expect(plan?.add).toHaveLength(10_000)
  expect(plan?.remove.size).toBe(10_000)
})

function has(values: readonly string[], wanted: string): boolean {
  return values.includes(wanted.toLowerCase())
}

function applied(values: readonly string[], plan: MembershipPlan): Set<string> {
  const set = new Set(plan.replace === null ? values : [])
  for (const one of plan.remove) set.delete(one.toLowerCase())
  for (const one of plan.replace ?? plan.add) set.add(one.value.toLowerCase())
  return set
}
