import fc from 'fast-check'
import { patchOf } from '../endpoint/serve.ts'

/** The values of random writes. */
export interface Values {
  /** The names of users and groups. */
  readonly names: readonly string[]
  /** How many resources the writes address. */
  readonly places: number
}

/** Writes of users and groups. Their numbers are places in a list of resources. */
export function randomWrites({ names, places: count }: Values): fc.Arbitrary<RandomWrite> {
  const name = fc.constantFrom(...names)
  const place = fc.nat(count - 1)
  const places = fc.array(place, { maxLength: 4 })
  const operation = fc.oneof(
    fc.record({ kind: fc.constant('given name'), value: name }),
    fc.record({ kind: fc.constant('active'), value: fc.boolean() }),
    fc.record({ kind: fc.constantFrom('add', 'remove', 'replace'), value: places }),
    fc.record({ kind: fc.constant('display name'), value: name }),
  )
  return fc.record({
    action: fc.constantFrom(...ACTIONS),
    target: place,
    name,
    active: fc.constantFrom(true, false, undefined),
    members: places,
    operations: fc.array(operation, { minLength: 1, maxLength: 3 }),
  })
}

/** A random write. */
export interface RandomWrite {
  readonly action: (typeof ACTIONS)[number]
  readonly target: number
  readonly name: string
  readonly active: boolean | undefined
  readonly members: readonly number[]
  readonly operations: readonly Operation[]
}

interface Operation {
  readonly kind: string
  readonly value: string | boolean | readonly number[]
}

/** The method, the path below the endpoint, and the body of a request. */
export type Sent = readonly [method: string, path: string, body?: object]

/** The request of a write. */
export function requestOf(
  { action, target, name, active, members, operations }: RandomWrite,
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

const ACTIONS = [
  ...(['user', 'user', 'group', 'put', 'patch', 'patch', 'patch'] as const),
  ...(['delete', 'bulk'] as const),
] as const
