import { deepStrictEqual } from 'node:assert/strict'
import { unwrap } from '@plumbline/result'
import { GROUP_DEFINITION } from '@plumbline/scim/discovery'
import { applyPatch, parsePatch, planMembership } from '@plumbline/scim/patch'
import SCIMMY from 'scimmy'
import { compare } from '../compare.ts'
import { type Body, patchedByPeer, patchOf } from '../patch/body.ts'
import { compareScalar } from '../patch/scalar.ts'
import { amount } from '../short.ts'

const groupDefinitions = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }

export async function run(): Promise<void> {
  await compareScalar()
  await oneMember(groupOf(amount(10_000, 100)))
  const group = groupOf(amount(100_000, 20_000))
  for (const [what, change] of Object.entries({ adding, removing })) {
    for (const count of [amount(100, 2), 1_000, amount(10_000, 2_000)])
      await membership(change, group, count)
    await growth(what, change)
  }
}

/** The only membership table with scimmy, which takes seconds for each operation on 100,000 members. */
async function oneMember(group: Group): Promise<void> {
  const { body, onePass } = adding(group, 1)
  const typed = new SCIMMY.Schemas.Group(structuredClone(group) as never)
  const valuesOf = ({ members }: Pick<Group, 'members'>): unknown =>
    members.map(({ value }) => value)
  await compare(
    `Add 1 member to a group of ${human(group.members.length)}`,
    [
      { name: '@plumbline/scim, parsePatch and applyPatch', run: () => patched(group, body) },
      { name: 'one pass over the members with a set', run: onePass },
      { name: 'scim-patch', run: () => patchedByPeer(group, body) },
      { name: 'scimmy', run: () => new SCIMMY.Messages.PatchOp(body as never).apply(typed) },
    ].map((contender) => ({ ...contender, answer: valuesOf })),
    { rounds: 7, budgets: [{ against: 'one pass over the members with a set', atMost: 2 }] },
  )
}

/** A group PATCH with one operation per member, and hand-written code for it. */
interface Change {
  readonly name: string
  readonly body: Body
  readonly onePass: () => Group
}

function adding(group: Group, count: number): Change {
  // Every second one is already a member.
  const values = Array.from({ length: count }, (_, at) =>
    at % 2 === 0 ? `new-${at}` : `member-${at * 7}`,
  )
  const body = patchOf(
    values.map((value) => ({ op: 'add', path: 'members', value: [{ value, type: 'User' }] })),
  )
  const onePass = (): Group => {
    const wanted = new Set(values.map((value) => value.toLowerCase()))
    for (const { value } of group.members) wanted.delete(value.toLowerCase())
    const added = [...wanted].map((value) => ({ value, type: 'User' }))
    return { ...group, members: [...group.members, ...added] }
  }
  return { name: `Add ${human(count)} members to`, body, onePass }
}

function removing(group: Group, count: number): Change {
  const values = Array.from({ length: count }, (_, at) => `member-${at * 7}`)
  const body = patchOf(
    values.map((value) => ({ op: 'remove', path: `members[value eq "${value}"]` })),
  )
  const onePass = (): Group => {
    const removed = new Set(values)
    const members = group.members.filter(({ value }) => !removed.has(value.toLowerCase()))
    return { ...group, members }
  }
  return { name: `Remove ${human(count)} members from`, body, onePass }
}

async function membership(
  change: (group: Group, count: number) => Change,
  group: Group,
  count: number,
): Promise<void> {
  const { name, body, onePass } = change(group, count)
  const operations = unwrap(parsePatch(body))
  const few = count <= 100
  await compare(
    `${name} a group of ${human(group.members.length)}, one operation each`,
    [
      {
        name: '@plumbline/scim, applyPatch',
        run: () => unwrap(applyPatch(group, operations, { definitions: groupDefinitions })),
      },
      { name: 'one pass over the members with a set', run: onePass },
      {
        name: '@plumbline/scim, planMembership, which needs no members',
        run: () => planMembership(operations),
        answer: (plan: ReturnType<typeof planMembership>) => planned(group, plan),
      },
      // This takes minutes for 10,000 members.
      ...(few ? [{ name: 'scim-patch', run: () => patchedByPeer(group, body) }] : []),
    ],
    {
      rounds: 7,
      budgets: few ? [{ against: 'one pass over the members with a set', atMost: 2 }] : [],
    },
  )
}

/**
 * Ten times the operations on ten times the members take ten times as long if the cost is linear, and a
 * hundred times if it is quadratic. A limit of 30 allows for caches and the garbage collector.
 */
async function growth(
  what: string,
  change: (group: Group, count: number) => Change,
): Promise<void> {
  const sizes = [
    [amount(10_000, 100), amount(100_000, 1_000)],
    [amount(1_000, 10), amount(100_000, 1_000)],
    [amount(1_000, 10), amount(10_000, 100)],
  ] as const
  const contenders = sizes.map(([count, size]) => {
    const group = groupOf(size)
    const { body, onePass } = change(group, count)
    return {
      name: `${human(count)} operations, ${human(size)} members`,
      run: () => patched(group, body),
      answer: (result: unknown) => deepStrictEqual(result, onePass()),
    }
  })
  const [, fewer, smaller] = contenders
  await compare(`How the cost of ${what} grows, parsePatch and applyPatch`, contenders, {
    rounds: 9,
    budgets: [
      { against: fewer?.name ?? '', atMost: 10 },
      { against: smaller?.name ?? '', atMost: 30 },
    ],
  })
}

function patched(group: Group, body: Body): unknown {
  const operations = unwrap(parsePatch(body))
  return unwrap(applyPatch(group, operations, { definitions: groupDefinitions }))
}

function human(count: number): string {
  return count.toLocaleString('en')
}

/** Applies a plan like a store. */
function planned(group: Group, plan: ReturnType<typeof planMembership>): unknown {
  const members = new Map(group.members.map((member) => [member.value, member]))
  for (const value of plan?.remove ?? []) members.delete(value)
  for (const member of plan?.add ?? []) {
    const key = member.value.toLowerCase()
    if (!members.has(key)) members.set(key, { type: 'User', ...member })
  }
  return { ...group, members: [...members.values()] }
}

type Group = ReturnType<typeof groupOf>

function groupOf(size: number) {
  return {
    schemas: [GROUP_DEFINITION.id],
    id: 'group-1',
    displayName: 'Everyone',
    members: Array.from({ length: size }, (_, at) => ({ value: `member-${at}`, type: 'User' })),
  }
}
