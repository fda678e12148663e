import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { PATCH_OP_SCHEMA } from '../constants.ts'
import { GROUP_DEFINITION } from '../schema/core-schemas.ts'
import { applyPatch } from './apply.ts'
import { planMembership } from './membership-plan.ts'
import { parsePatch } from './parse.ts'

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
    name: 'null, which adds no member and keeps the others',
    operations: [
      { op: 'add', path: 'members', value: null },
      { op: 'add', path: 'members', value: [{ value: 'u1' }] },
    ],
    add: [{ value: 'u1' }],
  },
  {
    name: 'a member that is removed again with another one: only the other one is a target',
    operations: [
      { op: 'remove', path: 'members[value eq "u1"]' },
      { op: 'remove', path: 'members[value eq "u1" or value eq "u2"]' },
    ],
    remove: ['u1', 'u2'],
    targets: [['u1'], ['u2']],
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
    name: 'all members removed by a remove whose value is null',
    operations: [{ op: 'remove', path: 'members', value: null }],
    replace: [],
  },
  {
    name: 'a member removed by its value in another letter case (RFC 7643 §2.2)',
    operations: [{ op: 'remove', path: 'members[VALUE eq "u1"]' }],
    remove: ['u1'],
    targets: [['u1']],
  },
  {
    name: 'a member that is added and removed again is not a target',
    operations: [
      { op: 'add', path: 'members', value: [{ value: 'u1' }] },
      { op: 'remove', path: 'members[value eq "U1"]' },
    ],
    remove: ['U1'],
  },
  {
    name: 'a removal of several members can match if one of them was just added',
    operations: [
      { op: 'add', path: 'members', value: [{ value: 'u1' }] },
      { op: 'remove', path: 'members[value eq "u1" or value eq "u2"]' },
    ],
    remove: ['u1', 'u2'],
  },
  {
    name: 'values joined by or, one of which has to be there',
    operations: [{ op: 'remove', path: 'members[value eq "u1" or value eq "u2"]' }],
    remove: ['u1', 'u2'],
    targets: [['u1', 'u2']],
  },
  {
    name: 'a second addition of a member with other parts (RFC 7643 §4.2: immutable parts)',
    operations: [
      { op: 'add', path: 'members', value: [{ value: 'u1', display: 'One' }] },
      { op: 'add', path: 'members', value: [{ value: 'U1', display: 'Two', type: 'User' }] },
    ],
    add: [{ value: 'u1', display: 'One', type: 'User' }],
  },
  {
    name: 'the last of several replacements, and the operations after it',
    operations: [
      { op: 'replace', path: 'members', value: [{ value: 'u1' }] },
      { op: 'replace', path: 'members', value: [{ value: 'u2' }, { value: 'u3' }] },
      { op: 'remove', path: 'members[value eq "u2"]' },
      { op: 'add', path: 'members', value: { value: 'u4' } },
    ],
    replace: [{ value: 'u3' }, { value: 'u4' }],
  },
]

describe('planMembership', () => {
  it.each(cases)(
    'planMembership reads $name',
    ({ operations, add = [], remove = [], replace = null, targets = [] }) => {
      const plan = planOf(...operations)
      expect(plan).toMatchObject({ add, replace, targets, rest: [] })
      expect([...(plan?.remove ?? [])]).toEqual(remove)
    },
  )

  it('operations on other attributes stay, and so do the other keys in a path-less value', () => {
    const plan = planOf(
      { op: 'replace', path: 'displayName', value: 'Guides' },
      { op: 'add', value: { Members: [{ value: 'u1' }], externalId: 'x', '1st shoe': 9 } },
    )
    expect(plan?.add).toEqual([{ value: 'u1' }])
    expect(plan?.rest).toEqual([
      operationsOf({ op: 'replace', path: 'displayName', value: 'Guides' })[0],
      { op: 'add', path: null, value: { externalId: 'x', '1st shoe': 9 } },
    ])
  })

  it.each([
    { op: 'remove', path: 'members[display eq "Two"]' },
    { op: 'add', value: { [GROUP_DEFINITION.id]: { members: [{ value: 'u1' }] } } },
    { op: 'replace', path: GROUP_DEFINITION.id, value: { members: [] } },
    { op: 'remove', path: 'members[value eq "u1"].display' },
    { op: 'remove', path: 'members[not (value eq "u1")]' },
    { op: 'remove', path: 'members[value ne "u1"]' },
    { op: 'remove', path: 'members[value sw "u1"]' },
    { op: 'remove', path: 'members[value pr]' },
    { op: 'remove', path: 'members[value eq 1]' },
    { op: 'remove', path: 'members[value.type eq "u1"]' },
    { op: 'remove', path: 'members[urn:x:value eq "u1"]' },
    { op: 'remove', path: 'members.value' },
    { op: 'replace', path: 'members.display', value: 'One' },
    { op: 'add', path: 'members[value eq "u1"]', value: { display: 'One' } },
    { op: 'remove', path: 'members', value: [] },
    { op: 'remove', path: 'members', value: [{ value: null }] },
    { op: 'remove', path: 'members[value eq "u1" and value eq "u2"]' },
    { op: 'remove', path: 'members', value: [{ value: 'u1', type: 'User' }] },
    { op: 'replace', path: 'members[value eq "u1"]', value: { display: 'One' } },
    { op: 'add', path: 'members', value: [{ value: 7 }] },
    { op: 'add', path: 'members', value: [{ display: 'No value' }] },
    { op: 'add', path: 'members', value: [{ value: 'u1', __proto__x: 1 }] },
  ])(
    'planMembership returns null if only the whole group can decide: $op $path $value',
    (operation) => {
      expect(planOf(operation)).toBeNull()
    },
  )

  it('planMembership returns null for a removal without a possible match, so applyPatch fails with noTarget', () => {
    expect(
      planOf(
        { op: 'replace', path: 'members', value: [] },
        { op: 'remove', path: 'members[value eq "u1"]' },
      ),
    ).toBeNull()
  })
})

it('members with tolerated unknown sub-attributes are planned, as in applyPatch', () => {
  const operations = operationsOf({
    op: 'Add',
    path: 'members',
    value: [{ value: 'u1', displayName: 'One' }],
  })
  expect(planMembership(operations)).toBeNull()
  const plan = planMembership(operations, { tolerate: ['unknown-attributes'] })
  expect(plan?.add).toStrictEqual([{ value: 'u1' }])
})

it('a filter with up to 1,000 comparisons is planned, as applyPatch accepts it', () => {
  const remove = (count: number) => ({
    op: 'remove',
    path: `members[${Array.from({ length: count }, (_, at) => `value eq "u${at}"`).join(' or ')}]`,
  })
  expect(planOf(remove(1_000))?.remove.size).toBe(1_000)
  expect(planOf(remove(1_001))).toBeNull()
})

it('an unknown attribute stays in the other operations, which reject it', () => {
  const unknown = { op: 'replace', path: 'shoeSize', value: 9 }
  const plan = planOf({ op: 'add', path: 'members', value: [{ value: 'u1' }] }, unknown)
  expect(plan?.rest).toHaveLength(1)
  expect(plan?.add).toStrictEqual([{ value: 'u1' }])
})

it('the other operations keep their positions, so an error names the right one', () => {
  const definitions = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }
  const plan = planOf(
    { op: 'add', path: 'externalId', value: 'x' },
    { op: 'add', path: 'members', value: [{ value: 'u1' }] },
    { op: 'add', path: 'displayName', value: 5 },
  )
  const { rest = [], positions } = plan ?? {}
  expect(positions).toStrictEqual([0, 2])
  expect(applyPatch({ displayName: 'g' }, rest, { definitions, positions })).toMatchObject({
    error: { message: 'Operations[2]: displayName must be a string' },
  })
})

it('an error with another type is thrown unchanged: it is not a client mistake', () => {
  const value = {
    get members(): string {
      throw new RangeError('broken')
    },
  }
  expect(() => planMembership([{ op: 'add', path: null, value }])).toThrow(RangeError)
})
