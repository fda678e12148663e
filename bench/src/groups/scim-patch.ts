import { unwrap } from '@plumbline/result'
import { PATCH_OP_SCHEMA } from '@plumbline/scim'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '@plumbline/scim/discovery'
import { applyPatch, parsePatch, planMembership } from '@plumbline/scim/patch'
import { scimPatch } from 'scim-patch'
import SCIMMY from 'scimmy'
import { compare } from '../compare.ts'
import { user } from '../users.ts'

const definitions = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
}
const groupDefinitions = { [GROUP_DEFINITION.id]: GROUP_DEFINITION }

interface Body {
  readonly schemas: readonly string[]
  readonly Operations: readonly {
    readonly op: 'add' | 'remove' | 'replace'
    readonly path: string
    readonly value?: unknown
  }[]
}

export async function run(): Promise<void> {
  await scalar()
  const group = groupOf(100_000)
  for (const count of [100, 10_000]) {
    await adding(group, count)
    await removing(group, count)
  }
}

async function scalar(): Promise<void> {
  const resource = user(1)
  const body = patchOf([{ op: 'replace', path: 'active', value: false }])
  const operations = unwrap(parsePatch(body))
  const typed = new SCIMMY.Schemas.User(structuredClone(resource) as never)
  const isActive = ({ active }: { readonly active?: unknown }): unknown => active
  await compare(
    'PATCH one scalar of an enterprise user, the resource unchanged',
    [
      {
        name: '@plumbline/scim, applyPatch',
        run: () => unwrap(applyPatch(resource, operations, { definitions })),
        answer: isActive,
      },
      {
        name: '@plumbline/scim, parsePatch and applyPatch',
        run: () => unwrap(applyPatch(resource, unwrap(parsePatch(body)), { definitions })),
        answer: isActive,
      },
      {
        name: 'structuredClone of the resource',
        run: () => structuredClone(resource),
        answer: () => false,
      },
      { name: 'scim-patch', run: () => patchedByPeer(resource, body), answer: isActive },
      {
        name: 'scimmy',
        run: () => new SCIMMY.Messages.PatchOp(body as never).apply(typed),
        answer: isActive,
      },
    ],
    { budgets: [{ against: 'structuredClone of the resource', atMost: 0.2 }] },
  )
}

async function adding(group: Group, count: number): Promise<void> {
  // Every other one is a member already.
  const values = Array.from({ length: count }, (_, at) =>
    at % 2 === 0 ? `new-${at}` : `member-${at * 7}`,
  )
  const body = patchOf(
    values.map((value) => ({ op: 'add', path: 'members', value: [{ value, type: 'User' }] })),
  )
  await membership(`Add ${count} members to`, group, body, () => {
    const wanted = new Set(values.map((value) => value.toLowerCase()))
    for (const { value } of group.members) wanted.delete(value.toLowerCase())
    const added = [...wanted].map((value) => ({ value, type: 'User' }))
    return { ...group, members: [...group.members, ...added] }
  })
}

async function removing(group: Group, count: number): Promise<void> {
  const values = Array.from({ length: count }, (_, at) => `member-${at * 7}`)
  const body = patchOf(
    values.map((value) => ({ op: 'remove', path: `members[value eq "${value}"]` })),
  )
  await membership(`Remove ${count} members from`, group, body, () => {
    const removed = new Set(values)
    const members = group.members.filter(({ value }) => !removed.has(value.toLowerCase()))
    return { ...group, members }
  })
}

async function membership(
  what: string,
  group: Group,
  body: Body,
  onePass: () => Group,
): Promise<void> {
  const operations = unwrap(parsePatch(body))
  const few = operations.length <= 100
  const applied = () => unwrap(applyPatch(group, operations, { definitions: groupDefinitions }))
  await compare(
    `${what} a group of ${group.members.length}, one operation each`,
    [
      { name: '@plumbline/scim, applyPatch', run: applied },
      { name: 'one pass over the members with a set', run: onePass },
      {
        name: '@plumbline/scim, planMembership, which needs no members',
        run: () => planMembership(operations),
        answer: (plan: ReturnType<typeof planMembership>) => planned(group, plan),
      },
      // It takes minutes for 10,000.
      ...(few ? [{ name: 'scim-patch', run: () => patchedByPeer(group, body) }] : []),
    ],
    {
      rounds: 7,
      budgets: few ? [{ against: 'one pass over the members with a set', atMost: 2 }] : [],
    },
  )
}

/** What a store does with a plan. */
function planned(group: Group, plan: ReturnType<typeof planMembership>): unknown {
  const members = new Map(group.members.map((member) => [member.value, member]))
  for (const value of plan?.remove ?? []) members.delete(value)
  for (const member of plan?.add ?? []) {
    const key = member.value.toLowerCase()
    if (!members.has(key)) members.set(key, { type: 'User', ...member })
  }
  return { ...group, members: [...members.values()] }
}

function patchedByPeer(resource: Record<string, unknown>, { Operations }: Body): unknown {
  return scimPatch(resource as never, Operations as never, { mutateDocument: false })
}

function patchOf(operations: Body['Operations']): Body {
  return { schemas: [PATCH_OP_SCHEMA], Operations: operations }
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
