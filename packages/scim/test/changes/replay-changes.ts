import {
  type Change,
  createScimEndpoint,
  type ResourceType,
  type Transaction,
} from '@plumbline/scim/endpoint'
import fc from 'fast-check'
import { expect } from 'vitest'
import { patchOf, sender } from '../../src/lib/endpoint/testing/serve.ts'

/** The stores whose changes are replayed. */
export interface Replayed<Context extends object> {
  readonly resourceTypes: readonly ResourceType<Context>[]
  readonly context: Context
  readonly transaction: Transaction<Context>
  /** Whether the transaction undoes a write that fails. */
  readonly canUndo: boolean
  readonly close: () => Promise<void>
}

/**
 * Applies the changes of random histories to an empty model, and expects the state of the stores after each request: which
 * users are active, the members of each group, and which attributes of a resource have another value.
 */
export async function expectReplay<Context extends object>(
  open: () => Promise<Replayed<Context>>,
  numRuns: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const opened = await open()
      try {
        await replay(opened, steps)
      } finally {
        await opened.close()
      }
    }),
    { numRuns },
  )
}

async function replay<Context extends object>(
  { resourceTypes, context, transaction, canUndo }: Replayed<Context>,
  steps: readonly Step[],
): Promise<void> {
  const model: Model = { users: new Map(), groups: new Map() }
  let changes: readonly Change[] = []
  let isFailing = false
  const { fetch } = createScimEndpoint<Context>({
    basePath: '/scim/v2',
    resourceTypes,
    authenticate: async () => context,
    transaction,
    onChange: (reported) => {
      if (isFailing) throw new Error('the listener fails')
      changes = [...changes, ...reported]
    },
  })
  const send = sender(fetch)
  const read = async (path: string) => (await send('GET', `${path}?count=1000`)).body.Resources
  let before = [...(await read('/Users')), ...(await read('/Groups'))]
  for (const { fails, ...step } of steps) {
    changes = []
    isFailing = fails && canUndo
    const ids = before.map(({ id }) => id)
    const [method, path, body] = requestOf(step, ids)
    const { status } = await send(method, path, body)
    if (isFailing && status < 300) expect(changes).toEqual([])
    apply(model, changes)
    const [users, groups] = [await read('/Users'), await read('/Groups')]
    expect(model).toEqual({
      users: new Map(users.map(({ id, active }) => [id, active !== false])),
      groups: new Map(groups.map((group) => [group.id, idsOf(group)])),
    })
    const after = [...users, ...groups]
    expect(namedIn(changes)).toEqual(differing(before, after))
    before = after
  }
}

interface Model {
  readonly users: Map<string, boolean>
  readonly groups: Map<string, Set<string>>
}

function apply({ users, groups }: Model, changes: readonly Change[]): void {
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

/** The attributes that changes name, by resource. A resource that the same request created does not count. */
function namedIn(changes: readonly Change[]): ReadonlyMap<string, readonly string[]> {
  const keyed = changes.map((change) => ({ key: `${change.resourceType}/${change.id}`, change }))
  const created = keyed.filter(({ change }) => change.type.endsWith('.created'))
  const isNew = new Set(created.map(({ key }) => key))
  return new Map(
    keyed.flatMap(({ key, change }) =>
      'attributes' in change && !isNew.has(key) ? [[key, change.attributes.toSorted()]] : [],
    ),
  )
}

type Read = Readonly<Record<string, unknown>> & { readonly id: string }

/** The attributes with another value, by resource. */
function differing(
  before: readonly Read[],
  after: readonly Read[],
): ReadonlyMap<string, readonly string[]> {
  const old = new Map(before.map((resource) => [keyOf(resource), resource]))
  return new Map(
    after.flatMap((resource) => {
      const earlier = old.get(keyOf(resource))
      if (earlier === undefined) return []
      const names = [...new Set([...Object.keys(earlier), ...Object.keys(resource)])]
        .filter((name) => !['meta', 'schemas', 'active', 'members', 'groups'].includes(name))
        .filter((name) => JSON.stringify(earlier[name]) !== JSON.stringify(resource[name]))
      return names.length === 0 ? [] : [[keyOf(resource), names.toSorted()] as const]
    }),
  )
}

/** A user and a group may have the same id. */
function keyOf({ id, meta }: Read): string {
  return `${Object(meta).resourceType}/${id}`
}

function idsOf({ members }: { readonly members?: readonly Read[] }): ReadonlySet<string> {
  return new Set(members?.map(({ value }) => String(value)))
}

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const places = fc.array(fc.nat(9), { maxLength: 4 })
const operation = fc.oneof(
  fc.record({ kind: fc.constant('given name'), value: name }),
  fc.record({ kind: fc.constant('active'), value: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('add', 'remove', 'replace'), value: places }),
  fc.record({ kind: fc.constant('display name'), value: name }),
)
const step = fc.record({
  action: fc.constantFrom(
    'user',
    'user',
    'group',
    'put',
    'patch',
    'patch',
    'patch',
    'delete',
    'bulk',
  ),
  target: fc.nat(9),
  name,
  active: fc.constantFrom(true, false, undefined),
  members: places,
  operations: fc.array(operation, { minLength: 1, maxLength: 3 }),
  /** Whether the listener throws. */
  fails: fc.integer({ min: 0, max: 7 }).map((number) => number === 0),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

type Sent = readonly [method: string, path: string, body?: object]

/** The request of a step; its numbers are places in the list of resources. */
function requestOf(
  { action, target, name, active, members, operations }: Omit<Step, 'fails'>,
  ids: readonly string[],
): Sent {
  const at = (place: number) => ids[place % Math.max(1, ids.length)] ?? 'none'
  const values = (some: readonly number[]) => some.map((place) => ({ value: at(place) }))
  const userName = `${name}@example.com`
  const user = { userName, ...(active === undefined ? {} : { active }) }
  const group = { displayName: name, members: values(members) }
  const isGroup = operations.some(({ kind }) => GROUP_OPERATIONS.has(kind))
  const path = `${isGroup ? '/Groups' : '/Users'}/${at(target)}`
  const patch = patchOf(
    ...operations
      .filter(({ kind }) => GROUP_OPERATIONS.has(kind) === isGroup)
      .map(({ kind, value }) => {
        if (kind === 'given name') return { op: 'replace', path: 'name.givenName', value }
        if (kind === 'active') return { op: 'replace', path: 'active', value }
        if (kind === 'display name') return { op: 'replace', path: 'displayName', value }
        return { op: kind, path: 'members', value: values(value as number[]) }
      }),
  )
  switch (action) {
    case 'user':
      return ['POST', '/Users', user]
    case 'group':
      return ['POST', '/Groups', group]
    case 'put':
      return ['PUT', path, isGroup ? group : user]
    case 'patch':
      return ['PATCH', path, patch]
    case 'delete':
      return ['DELETE', path]
    default: {
      const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest']
      const Operations = [
        { method: 'POST', path: '/Users', bulkId: '1', data: user },
        { method: 'PATCH', path, data: patch },
      ]
      return ['POST', '/Bulk', { schemas, Operations }]
    }
  }
}

const GROUP_OPERATIONS: ReadonlySet<string> = new Set(['add', 'remove', 'replace', 'display name'])
