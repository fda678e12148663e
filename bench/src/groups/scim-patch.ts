import { unwrap } from '@plumbline/result'
import {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from '@plumbline/scim/discovery'
import { applyPatch, parsePatch, planMembership } from '@plumbline/scim/patch'
import { scimPatch } from 'scim-patch'
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
  await membership(group, 100, 'add')
  await membership(group, 100, 'remove')
  await membership(group, 10_000, 'add')
  await membership(group, 10_000, 'remove')
}

async function scalar(): Promise<void> {
  const resource = user(1)
  const body = patchOf([{ op: 'replace', path: 'active', value: false }])
  const operations = unwrap(parsePatch(body))
  await compare(
    'PATCH one scalar of an enterprise user, the resource unchanged',
    [
      {
        name: '@plumbline/scim',
        run: () => unwrap(applyPatch(resource, operations, { definitions })),
      },
      { name: 'structuredClone of the resource', run: () => structuredClone(resource) },
      { name: 'scim-patch', run: () => patchedByPeer(resource, body) },
    ],
    { budgets: [{ against: 'structuredClone of the resource', atMost: 0.2 }] },
  )
}

async function membership(
  group: ReturnType<typeof groupOf>,
  count: number,
  op: 'add' | 'remove',
): Promise<void> {
  const body = patchOf(
    Array.from({ length: count }, (_, at) =>
      op === 'add'
        ? { op, path: 'members', value: [{ value: `new-${at}` }] }
        : { op, path: `members[value eq "member-${at * 7}"]` },
    ),
  )
  const operations = unwrap(parsePatch(body))
  const removed = new Set(Array.from({ length: count }, (_, at) => `member-${at * 7}`))
  await compare(
    `${op} ${count} members in a group of ${group.members.length}, one operation each`,
    [
      {
        name: '@plumbline/scim, applyPatch',
        run: () => unwrap(applyPatch(group, operations, { definitions: groupDefinitions })),
      },
      {
        name: 'one pass over the members with a set',
        run: () => group.members.filter(({ value }) => !removed.has(value)),
      },
      { name: '@plumbline/scim, planMembership', run: () => planMembership(operations) },
      ...(count > 100 ? [] : [{ name: 'scim-patch', run: () => patchedByPeer(group, body) }]),
    ],
    {
      rounds: 5,
      budgets: [{ against: 'one pass over the members with a set', atMost: 2 }].slice(
        count > 100 ? 1 : 0,
      ),
    },
  )
}

function patchedByPeer(resource: Record<string, unknown>, { Operations }: Body): unknown {
  return scimPatch(resource as never, structuredClone(Operations) as never, {
    mutateDocument: false,
  })
}

function patchOf(operations: Body['Operations']): Body {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations }
}

function groupOf(size: number) {
  return {
    schemas: [GROUP_DEFINITION.id],
    id: 'group-1',
    displayName: 'Everyone',
    members: Array.from({ length: size }, (_, at) => ({ value: `member-${at}`, type: 'User' })),
  }
}
