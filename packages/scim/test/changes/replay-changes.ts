import {
  type Change,
  createScimEndpoint,
  type ResourceType,
  type Transaction,
} from '@plumbline/scim/endpoint'
import fc from 'fast-check'
import { expect } from 'vitest'
import { sender } from '../endpoint/serve.ts'
import { apply, type Model } from './change-model.ts'
import { type RandomWrite, randomWrites, requestOf } from './random-writes.ts'

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
    onError: (error) => {
      if (!isFailing) console.error(error)
    },
  })
  const send = sender(fetch)
  const read = async (path: string) => (await send('GET', `${path}?count=1000`)).body.Resources
  let before = [...(await read('/Users')), ...(await read('/Groups'))]
  for (const { fails, write } of steps) {
    changes = []
    isFailing = fails && canUndo
    const ids = before.map(({ id }) => id)
    const [method, path, body] = requestOf(write, ids)
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
        .filter((name) => !['meta', 'schemas', 'members', 'groups'].includes(name))
        .filter((name) => name !== 'active' || isActive(earlier) === isActive(resource))
        .filter((name) => JSON.stringify(earlier[name]) !== JSON.stringify(resource[name]))
      return names.length === 0 ? [] : [[keyOf(resource), names.toSorted()] as const]
    }),
  )
}

function isActive({ active }: Read): boolean {
  return active !== false
}

/** A user and a group may have the same id. */
function keyOf({ id, meta }: Read): string {
  return `${Object(meta).resourceType}/${id}`
}

function idsOf({ members }: { readonly members?: readonly Read[] }): ReadonlySet<string> {
  return new Set(members?.map(({ value }) => String(value)))
}

const write = randomWrites({ names: ['a', 'b', 'c', 'd', 'e'], places: 10 })
/** A write, and whether the listener throws. */
const step = fc.record({
  write,
  fails: fc.integer({ min: 0, max: 7 }).map((number) => number === 0),
})

interface Step {
  readonly write: RandomWrite
  readonly fails: boolean
}
