import { unwrap } from '@plumbline/result'
import { parseFilter } from '../filter/parse.ts'
import { RawJson } from '../message/raw-json.ts'
import { createWorkBudget } from '../work-budget.ts'
import { hasMembers } from './changes.ts'
import { type Holder, storeRequest, type Work } from './exchange.ts'
import { listResources } from './list.ts'
import { completeResource } from './represent.ts'
import type { ServedType } from './served-type.ts'
import { PreparedResource, type WireResource } from './store.ts'
import { wholeView } from './view.ts'

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

/** Reads the resources of an endpoint inside of one transaction. */
export interface ResourceReader {
  /** Returns a resource, or null. With `lock`, its row is locked until the transaction ends, as before a write. */
  read(
    resourceType: string,
    id: string,
    options?: { readonly lock?: boolean },
  ): Promise<WireResource | null>
  /** Returns the groups that have a resource as a direct member, with `id`, `externalId` and `displayName`. */
  groupsOf(id: string): Promise<readonly NamedResource[]>
  /**
   * Returns a page of the ids of all resources of a type, after the page that `after` names. A page of a store that pages by
   * index alone may skip a resource while others are deleted.
   */
  page(resourceType: string, after?: string | null): Promise<PageOfIds>
}

/** Reads the resources in the transaction of a write. */
export function readerOf<Context>(
  work: Work<Context>,
  types: readonly ServedType<Context>[],
): ResourceReader {
  const typeOf = (resourceType: string): ServedType<Context> => {
    const found = types.find(({ name }) => name === resourceType)
    if (found === undefined) throw new TypeError(`the resource type ${resourceType} does not exist`)
    return found
  }
  return {
    read: (resourceType, id, { lock = false } = {}) =>
      readResource(work, typeOf(resourceType), id, lock),
    groupsOf: async (id) =>
      (await findHolders(work, types, id)).map(({ type, resource }) => ({
        resourceType: type.name,
        resource,
      })),
    page: (resourceType, after = null) => readPage(work, typeOf(resourceType), after),
  }
}

async function readResource<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  id: string,
  isForUpdate: boolean,
): Promise<WireResource | null> {
  const request = storeRequest(work, { view: wholeView(), isForUpdate, isWanted: () => true })
  const stored = await type.store.read(id, work.context, request)
  if (stored === null) return null
  if (stored instanceof PreparedResource) {
    const { body } = stored
    return JSON.parse(body instanceof RawJson ? body.text : body.join(''))
  }
  return completeResource(stored, { type, method: 'read', base: work.exchange.base, id })
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
      count: work.exchange.limits.maxCount,
      cursor: after ?? '',
    })
  const ids = page.resources.map(({ text }) => String(JSON.parse(text).id))
  return { ids, next: page.nextCursor ?? null }
}

/** Each list of the application has a budget of its own: the request of the client did not ask for it. */
function withOwnBudget<Context>(work: Work<Context>): Work<Context> {
  return { ...work, budget: createWorkBudget(work.exchange.limits.steps) }
}

/** The groups that have a resource as a direct member. */
export async function findHolders<Context>(
  work: Work<Context>,
  types: readonly ServedType<Context>[],
  id: string,
): Promise<readonly Holder[]> {
  const filter = unwrap(parseFilter(`members.value eq ${JSON.stringify(id)}`))
  const holders: Holder[] = []
  for (const type of types.filter(hasMembers)) {
    for (let startIndex = 1; ; ) {
      const { resources, totalResults = 0 } = await listResources(withOwnBudget(work), type, {
        filter,
        attributes: ['externalId', 'displayName'],
        sortOrder: 'ascending',
        startIndex,
        count: work.exchange.limits.maxCount,
      })
      for (const { text } of resources) holders.push({ type, resource: JSON.parse(text) })
      startIndex += resources.length
      if (resources.length === 0 || startIndex > totalResults) break
    }
  }
  return holders
}
