import { kindOf } from '@plumbline/base'
import { unwrap } from '@plumbline/result'
import { chunk } from '../../chunk.ts'
import { ScimError } from '../../error.ts'
import { parseFilter } from '../../filter/parse.ts'
import type { Expression } from '../../filter/tree.ts'
import { fold } from '../../values/fold.ts'
import { type Holder, storeRequest, type Work } from '../core/exchange.ts'
import { versionView } from '../core/view.ts'
import { storeFault } from '../options/faults.ts'
import { hasMembers, type ServedType } from '../options/resource-type.ts'
import type { Membership } from '../options/store.ts'
import { FEW, listAll, readAll } from './list-all.ts'

// Writes lock groups before users, and the rows of one type in the order of their ids. A deletion therefore searches the
// groups that it changes, locks them, then locks the resource, and searches again.

/** Resources of one type, possibly members of groups. */
interface Held<Context> {
  readonly type: ServedType<Context>
  readonly ids: readonly string[]
}

/** Builds a filter for groups with a member. Ids of two types may be equal, and a member may be without a type. */
function isMember(id: string, resourceType: string): Expression {
  const [value, type] = [id, resourceType].map((text) => JSON.stringify(text))
  return unwrap(parseFilter(`members[value eq ${value} and (type eq ${type} or not (type pr))]`))
}

/** The ids of groups, keyed by type. */
type GroupIds<Context> = ReadonlyMap<ServedType<Context>, ReadonlySet<string>>

/** Finds the ids of the groups with one of the resources as a direct member. */
export async function findHolderIds<Context>(
  work: Work<Context>,
  types: readonly ServedType<Context>[],
  held: Held<Context>,
): Promise<GroupIds<Context>> {
  const found = new Map<ServedType<Context>, ReadonlySet<string>>()
  for (const type of types) {
    const memberships = await findMemberships(work, type, held)
    found.set(type, new Set(memberships.map(({ group }) => group)))
  }
  return found
}

/** Reads groups with the attributes that changes name. */
export async function readHolders<Context>(
  work: Work<Context>,
  found: GroupIds<Context>,
): Promise<readonly Holder[]> {
  const holders: Holder[] = []
  for (const [type, ids] of found) {
    const groups = await readAll(work, type, [...ids], REPORTED)
    for (const resource of groups.values()) holders.push({ type, resource })
  }
  return holders
}

/** Finds the memberships of resources in one type of groups. */
async function findMemberships<Context>(
  work: Work<Context>,
  group: ServedType<Context>,
  { type: { name: resourceType, store }, ids }: Held<Context>,
): Promise<readonly Membership[]> {
  const { findHolders } = group.store
  if (findHolders === undefined) {
    const found: Membership[] = []
    for (const value of ids) {
      for (const { id } of await listAll(work, group, isMember(value, resourceType), ['id'])) {
        found.push({ value, group: String(id) })
      }
    }
    return found
  }
  const request = storeRequest(work, { resourceType, store })
  const pairs: unknown = await findHolders.call(group.store, ids, work.context, request)
  if (isMemberships(pairs)) return pairs
  throw storeFault(group, 'findHolders', `${kindOf(pairs)} instead of a list of memberships`)
}

function isMemberships(found: unknown): found is readonly Membership[] {
  const isString = (value: unknown): boolean => typeof value === 'string'
  return Array.isArray(found) && found.every((one) => isString(one?.value) && isString(one?.group))
}

/** Finds the groups with a resource as a direct member, each with the member's id. */
export async function findHolders<Context>(
  work: Work<Context>,
  types: readonly ServedType<Context>[],
  held: Held<Context>,
): Promise<readonly (readonly [id: string, holder: Holder])[]> {
  const holders: (readonly [string, Holder])[] = []
  for (const type of types.filter(hasMembers)) {
    for (const ids of chunk([...new Set(held.ids)], FEW)) {
      const pairs = await findMemberships(work, type, { ...held, ids })
      const groups = await readAll(
        work,
        type,
        pairs.map(({ group }) => group),
        REPORTED,
      )
      const idOf = new Map(ids.map((id) => [fold(id), id]))
      for (const { value, group } of pairs) {
        const [id, resource] = [idOf.get(fold(value)), groups.get(group)]
        if (id !== undefined && resource !== undefined) holders.push([id, { type, resource }])
      }
    }
  }
  return holders
}

/** Locks rows of one type in one order, so two writes locking the same rows do not wait for each other. */
export async function lockAll<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  ids: readonly string[],
): Promise<void> {
  const ordered = [...new Set(ids)].sort()
  if (ordered.length === 0) return
  for (const id of ordered) await work.hold(type, id)
  if (type.store.lock !== undefined) {
    return await type.store.lock(ordered, work.context, storeRequest(work, {}))
  }
  const extra = { view: versionView(), isForUpdate: true, isWanted: () => true }
  for (const id of ordered) {
    try {
      await type.store.read(id, work.context, storeRequest(work, extra))
    } catch (error) {
      // Another write has deleted the resource.
      if (!(error instanceof ScimError && error.status === 404)) throw error
    }
  }
}

/** The group attributes that changes and roles name. */
const REPORTED = ['externalId', 'displayName']

/** Returns only the values found among the members of the group being written. */
export async function findMembers<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  values: readonly string[],
): Promise<readonly string[]> {
  const request = storeRequest(work, {})
  const found: unknown = await type.store.findMembers?.(
    work.exchange.id,
    values,
    work.context,
    request,
  )
  if (Array.isArray(found) && found.every((value) => typeof value === 'string')) return found
  throw storeFault(type, 'findMembers', `${kindOf(found)} instead of a list of strings`)
}
