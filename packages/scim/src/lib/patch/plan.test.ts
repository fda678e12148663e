import { isFailure, unwrap } from '@plumbline/result'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PATCH_OP_SCHEMA } from '../constants.ts'
import { GROUP_DEFINITION } from '../discovery/definitions.ts'
import { applyPatch } from './apply.ts'
import { parsePatch } from './parse.ts'
import { type MembershipPlan, planMembership } from './plan.ts'

const definitions = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }

function operationsOf(...Operations: readonly object[]) {
  return unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations }))
}

function planOf(...operations: readonly object[]) {
  return planMembership(operationsOf(...operations))
}

const cases: readonly {
  readonly name: string
  readonly operations: readonly object[]
  readonly add?: readonly object[]
  readonly remove?: readonly string[]
  readonly replace?: readonly object[]
  readonly targets?: readonly (readonly string[])[]
}[] = [
  {
    name: 'members added one for each operation, with $ref null (Entra ID)',
    operations: [
      { op: 'Add', path: 'members', value: [{ $ref: null, value: 'u1' }] },
      { op: 'Add', path: 'members', value: [{ $ref: null, value: 'u2' }] },
    ],
    add: [{ value: 'u1' }, { value: 'u2' }],
  },
  {
    name: 'members removed by a list of values (Entra ID, JumpCloud)',
    operations: [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: 'u1' }] }],
    remove: ['u1'],
    targets: [['u1']],
  },
  {
    name: 'a member removed by a filter and another added (Okta)',
    operations: [
      { op: 'remove', path: 'members[value eq "u1"]' },
      { op: 'add', path: 'members', value: [{ value: 'u2', display: 'Two' }] },
    ],
    add: [{ value: 'u2', display: 'Two' }],
    remove: ['u1'],
    targets: [['u1']],
  },
  {
    name: 'members replaced without a path (Okta)',
    operations: [{ op: 'replace', value: { members: [{ value: 'u1' }] } }],
    replace: [{ value: 'u1' }],
  },
  {
    name: 'all members removed (RFC 7644 §3.5.2.2)',
    operations: [{ op: 'remove', path: 'members' }],
    replace: [],
  },
  {
    name: 'what is added and removed again is no target',
    operations: [
      { op: 'add', path: 'members', value: [{ value: 'u1' }] },
      { op: 'remove', path: 'members[value eq "U1"]' },
    ],
    remove: ['U1'],
  },
  {
    name: 'values joined by or, one of which has to be there',
    operations: [{ op: 'remove', path: 'members[value eq "u1" or value eq "u2"]' }],
    remove: ['u1', 'u2'],
    targets: [['u1', 'u2']],
  },
  {
    name: 'the last of several replacements, and what follows it',
    operations: [
      { op: 'replace', path: 'members', value: [{ value: 'u1' }] },
      { op: 'replace', path: 'members', value: [{ value: 'u2' }, { value: 'u3' }] },
      { op: 'remove', path: 'members[value eq "u2"]' },
      { op: 'add', path: 'members', value: { value: 'u4' } },
    ],
    replace: [{ value: 'u3' }, { value: 'u4' }],
  },
]

describe('planMembership reads', () => {
  it.each(cases)('$name', ({ operations, add = [], remove = [], replace = null, targets = [] }) => {
    const plan = planOf(...operations)
    expect(plan).toMatchObject({ add, replace, targets, rest: [] })
    expect([...(plan?.remove ?? [])]).toEqual(remove)
  })

  it('leaves the operations about other attributes, and the other keys of a path-less value', () => {
    const plan = planOf(
      { op: 'replace', path: 'displayName', value: 'Guides' },
      { op: 'add', value: { Members: [{ value: 'u1' }], externalId: 'x' } },
    )
    expect(plan?.add).toEqual([{ value: 'u1' }])
    expect(plan?.rest).toEqual([
      operationsOf({ op: 'replace', path: 'displayName', value: 'Guides' })[0],
      { op: 'add', path: null, value: { externalId: 'x' } },
    ])
  })

  it.each([
    { op: 'remove', path: 'members[display eq "Two"]' },
    { op: 'remove', path: 'members[value eq "u1"].display' },
    { op: 'remove', path: 'members[not (value eq "u1")]' },
    { op: 'remove', path: 'members', value: [{ value: 'u1', type: 'User' }] },
    { op: 'replace', path: 'members[value eq "u1"]', value: { display: 'One' } },
    { op: 'add', path: 'members', value: [{ value: 7 }] },
    { op: 'add', path: 'members', value: [{ display: 'No value' }] },
    { op: 'add', path: 'members', value: [{ value: 'u1', __proto__x: 1 }] },
  ])('gives null where only the group can tell: $op $path $value', (operation) => {
    expect(planOf(operation)).toBeNull()
  })

  it('gives null for a removal that can find nothing, so that applyPatch says noTarget', () => {
    expect(
      planOf(
        { op: 'replace', path: 'members', value: [] },
        { op: 'remove', path: 'members[value eq "u1"]' },
      ),
    ).toBeNull()
  })
})

const value = fc.constantFrom('u1', 'u2', 'u3', 'u4', 'U1')
const member = fc.record({ value }, { requiredKeys: ['value'] })
const operation = fc.oneof(
  fc.record({
    op: fc.constantFrom('add', 'replace'),
    path: fc.constant('members'),
    value: fc.array(member, { maxLength: 3 }),
  }),
  fc.record({ op: fc.constant('remove'), path: value.map((one) => `members[value eq "${one}"]`) }),
  fc.record({
    op: fc.constant('remove'),
    path: fc.constant('members'),
    value: fc.array(member, { minLength: 1, maxLength: 3 }),
  }),
  fc.constant({ op: 'remove', path: 'members' }),
  fc.record({ op: fc.constant('add'), value: fc.record({ members: fc.array(member) }) }),
)

describe('planMembership is what applyPatch does', () => {
  it('for any members and any operations', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom('u1', 'u2', 'u3', 'u4'), { maxLength: 4 }),
        fc.array(operation, { minLength: 1, maxLength: 6 }),
        (before, operations) => {
          const plan = planOf(...operations)
          const group = { displayName: 'g', members: before.map((one) => ({ value: one })) }
          const patched = applyPatch(group, operationsOf(...operations), { definitions })
          if (plan === null) {
            expect(isFailure(patched)).toBe(true)
            return
          }
          if (!plan.targets.every((target) => target.some((one) => has(before, one)))) {
            expect(isFailure(patched) && patched.error.scimType).toBe('noTarget')
            return
          }
          const members = unwrap(patched).members as readonly { value: string }[] | undefined
          const after = new Set((members ?? []).map((one) => one.value.toLowerCase()))
          expect(applied(before, plan)).toEqual(after)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

function has(members: readonly string[], wanted: string): boolean {
  return members.includes(wanted.toLowerCase())
}

function applied(before: readonly string[], plan: MembershipPlan): Set<string> {
  const members = new Set(plan.replace === null ? before : [])
  for (const one of plan.remove) members.delete(one.toLowerCase())
  for (const one of plan.replace ?? plan.add) members.add(one.value.toLowerCase())
  return members
}
