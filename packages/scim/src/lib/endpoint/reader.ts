import { unwrap } from '@plumbline/result'
import { chunk } from '../chunk.ts'
import { ScimError } from '../error.ts'
import { parseFilter } from '../filter/parse.ts'
import type { Expression } from '../filter/tree.ts'
import { RawJson } from '../message/raw-json.ts'
import { fold } from '../values/fold.ts'
import { createWorkBudget } from '../work-budget.ts'
import { hasMembers } from './changes.ts'
import { type Holder, storeRequest, type Work } from './exchange.ts'
import { kindOf, storeFault } from './faults.ts'
import { listResources } from './list.ts'
import { completeResource } from './represent.ts'
import type { ServedType } from './served-type.ts'
import { type Membership, PreparedResource, type WireResource } from './store.ts'
import { versionView, wholeView } from './view.ts'

/** A resource, and the name of its type. */
export interface NamedResource {
  /** The name of the resource's type, such as `Group`. */
  readonly resourceType: string
  readonly resource: WireResource
}

/** A page of ids, and where the next one starts; null after the last one. */
export interface PageOfIds {
  readonly ids: readonly string[]
  readonly next: string | null
}

/** Reads an endpoint's resources inside one transaction. */
export interface ResourceReader {
  /** Returns a resource, or null. */
  read(resourceType: string, id: string): Promise<WireResource | null>
  /**
   * Returns the existing resources by id, with the named attributes and the always returned ones; by default with all
   * attributes returned by default.
   */
  readAll(
    resourceType: string,
    ids: readonly string[],
    attributes?: readonly string[],
  ): Promise<ReadonlyMap<string, WireResource>>
  /** Locks resource rows until the transaction ends, as before a write. */
  lock(resourceType: string, ids: readonly string[]): Promise<void>
  /**
   * Returns the groups with a resource as a direct member, by the resource's id, each with `id`, `externalId` and
   * `displayName`. A resource without groups is absent.
   */
  groupsOf(
    resourceType: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly NamedResource[]>>
  /**
   * Returns a page with the ids of all resources of a type, after the page named by `after`. If the store pages by
   * index only, a page may skip a resource while others are deleted.
   */
  page(resourceType: string, after?: string | null): Promise<PageOfIds>
}

/** Reads resources in a write's transaction. */
export function readerOf<Context>(
  work: Work<Context>,
  types: readonly ServedType<Context>[],
): ResourceReader {
  const typeOf = (name: string) => typeNamed(types, name)
  return {
    read: (resourceType, id) => readResource(work, typeOf(resourceType), id),
    readAll: (resourceType, ids, attributes) =>
      readAll(work, typeOf(resourceType), ids, attributes),
    lock: (resourceType, ids) => lockAll(work, typeOf(resourceType), ids),
    groupsOf: async (resourceType, ids) => {
      const groups = new Map<string, NamedResource[]>()
      const held = { type: typeOf(resourceType), ids }
      for (const [id, { type, resource }] of await findHolders(work, types, held)) {
        const found = groups.get(id) ?? []
        found.push({ resourceType: type.name, resource })
        groups.set(id, found)
      }
      return groups
    },
    page: (resourceType, after = null) => readPage(work, typeOf(resourceType), after),
  }
}

async function readResource<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  id: string,
): Promise<WireResource | null> {
  const extra = { view: wholeView(), isForUpdate: false, isWanted: () => true }
  const request = storeRequest(work, extra)
  const stored = await type.store.read(id, work.context, request)
  if (stored === null) return null
  if (stored instanceof PreparedResource) {
    const { body } = stored
    return JSON.parse(body instanceof RawJson ? body.text : body.join(''))
  }
  return completeResource(stored, { type, method: 'read', base: work.exchange.base, id })
}

async function readAll<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  ids: readonly string[],
  attributes?: readonly string[],
): Promise<ReadonlyMap<string, WireResource>> {
  const found = new Map<string, WireResource>()
  for (const some of chunk([...new Set(ids)], FEW)) {
    for (const resource of await listAll(work, type, isOneOf('id', some), attributes)) {
      found.set(String(resource.id), resource)
    }
  }
  return found
}

/** Locks the rows in one order, so two writes locking the same rows do not wait for each other. */
async function lockAll<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  ids: readonly string[],
): Promise<void> {
  const ordered = [...new Set(ids)].sort()
  if (ordered.length === 0) return
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

async function readPage<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  after: string | null,
): Promise<PageOfIds> {
  const page: { readonly resources: readonly RawJson[]; readonly nextCursor?: string | undefined } =
    await listResources(withOwnBudget(work), type, {
      attributes: ['id'],
      sortOrder: 'ascending',
      startIndex: 1,
      count: Math.min(work.exchange.limits.maxCount, FEW),
      cursor: after ?? '',
    })
  const ids = page.resources.map(({ text }) => String(JSON.parse(text).id))
  return { ids, next: page.nextCursor ?? null }
}

/** Each list by the application has its own budget: the client's request did not ask for it. */
function withOwnBudget<Context>(work: Work<Context>): Work<Context> {
  return { ...work, budget: createWorkBudget(work.exchange.limits.steps) }
}

/** Lists all resources matching a filter. */
async function listAll<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  filter: Expression,
  attributes: readonly string[] | undefined,
): Promise<readonly WireResource[]> {
  const found: WireResource[] = []
  for (;;) {
    const { resources, totalResults = 0 } = await listResources(withOwnBudget(work), type, {
      filter,
      attributes,
      sortOrder: 'ascending',
      startIndex: found.length + 1,
      count: work.exchange.limits.maxCount,
    })
    for (const { text } of resources) found.push(JSON.parse(text))
    if (resources.length === 0 || found.length >= totalResults) return found
  }
}

/** Builds a filter for resources with one of the values. */
function isOneOf(path: string, values: readonly string[]): Expression {
  return unwrap(
    parseFilter(values.map((value) => `${path} eq ${JSON.stringify(value)}`).join(' or ')),
  )
}

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

/** Finds the groups with a resource as a direct member, each with the member's id. */
export async function findHolders<Context>(
  work: Work<Context>,
  types: readonly ServedType<Context>[],
  held: Held<Context>,
): Promise<readonly (readonly [id: string, holder: Holder])[]> {
  const holders: (readonly [string, Holder])[] = []
  for (const type of types.filter(hasMembers)) {
    for (const ids of chunk([...new Set(held.ids)], FEW)) {
      for (const [id, resource] of await findGroups(work, type, { ...held, ids })) {
        holders.push([id, { type, resource }])
      }
    }
  }
  return holders
}

async function findGroups<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  { type: { name: resourceType, store }, ids }: Held<Context>,
): Promise<readonly (readonly [id: string, group: WireResource])[]> {
  const { findHolders } = type.store
  const found: (readonly [string, WireResource])[] = []
  if (findHolders === undefined) {
    for (const id of ids) {
      const groups = await listAll(work, type, isMember(id, resourceType), REPORTED)
      for (const group of groups) found.push([id, group])
    }
    return found
  }
  const request = storeRequest(work, { resourceType, store })
  const pairs: unknown = await findHolders.call(type.store, ids, work.context, request)
  if (!isMemberships(pairs)) {
    throw storeFault(type, 'findHolders', `${kindOf(pairs)} instead of a list of memberships`)
  }
  const groups = await readAll(
    work,
    type,
    pairs.map(({ group }) => group),
    REPORTED,
  )
  const idOf = new Map(ids.map((id) => [fold(id), id]))
  for (const { value, group } of pairs) {
    const [id, resource] = [idOf.get(fold(value)), groups.get(group)]
    if (id !== undefined && resource !== undefined) found.push([id, resource])
  }
  return found
}

function isMemberships(found: unknown): found is readonly Membership[] {
  const isString = (value: unknown): boolean => typeof value === 'string'
  return Array.isArray(found) && found.every((one) => isString(one?.value) && isString(one?.group))
}

/**
 * Locks and returns the groups with a resource as a direct member. A concurrent write could remove the member from a
 * group that is only read.
 */
export async function lockHolders<Context>(
  work: Work<Context>,
  types: readonly ServedType<Context>[],
  held: Held<Context>,
): Promise<readonly Holder[]> {
  const found = await findHolders(work, types, held)
  if (found.length === 0) return []
  for (const type of types) {
    const own = found.filter(([, holder]) => holder.type.name === type.name)
    const ids = own.map(([, { resource }]) => String(resource.id))
    await lockAll(work, type, ids)
  }
  return (await findHolders(work, types, held)).map(([, holder]) => holder)
}

function typeNamed<Context>(
  types: readonly ServedType<Context>[],
  name: string,
): ServedType<Context> {
  const found = types.find((type) => type.name === name)
  if (found === undefined) throw new TypeError(`the resource type ${name} does not exist`)
  return found
}

/** The group attributes named by changes and roles. */
const REPORTED = ['externalId', 'displayName']
/** How many ids are looked up together. */
const FEW = 100
