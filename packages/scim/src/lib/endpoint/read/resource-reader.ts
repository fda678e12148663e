import { RawJson } from '../../message/raw-json.ts'
import { storeRequest, type Work } from '../core/exchange.ts'
import { completeResource } from '../core/represent.ts'
import { wholeView } from '../core/view.ts'
import type { ResourceType, ServedType } from '../options/resource-type.ts'
import { PreparedResource, type WireResource } from '../options/store.ts'
import { listResources } from './list.ts'
import { FEW, readAll, withOwnBudget } from './list-all.ts'
import { findHolders, lockAll } from './memberships.ts'

/** A resource and the resource type's name. */
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
  /** The endpoint's resource types. */
  readonly resourceTypes: readonly ResourceType<never>[]
  /** Returns a resource, or null. */
  read(resourceType: string, id: string): Promise<WireResource | null>
  /**
   * Returns the existing resources by id, with the named attributes and the always returned ones; if `attributes` is
   * omitted, with all attributes returned by default.
   */
  readAll(
    resourceType: string,
    ids: readonly string[],
    attributes?: readonly string[],
  ): Promise<ReadonlyMap<string, WireResource>>
  /** Locks resource rows until the transaction ends, as before a write. */
  lock(resourceType: string, ids: readonly string[]): Promise<void>
  /**
   * Returns the groups with a resource as a direct member, keyed by the resource's id, each with `id`, `externalId` and
   * `displayName`. A resource without groups is absent.
   */
  groupsOf(
    resourceType: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly NamedResource[]>>
  /**
   * Returns a page with the ids of all resources of a type, after the page that `after` names. If the store pages by
   * index only, a page may skip a resource while others are deleted.
   */
  page(resourceType: string, after?: string | null): Promise<PageOfIds>
  /**
   * Throws if the write is over, because of `limits.writeTime` or the client: the transaction is rolled back. Call it
   * after waiting and before a statement of your own.
   */
  throwIfOver(): void
}

/** Reads resources in a write's transaction. */
export function readerOf<Context>(
  work: Work<Context>,
  types: readonly ServedType<Context>[],
): ResourceReader {
  const typeOf = (name: string) => typeNamed(types, name)
  return {
    resourceTypes: types,
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
    throwIfOver: () => work.deadline?.throwIfOver(),
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

function typeNamed<Context>(
  types: readonly ServedType<Context>[],
  name: string,
): ServedType<Context> {
  const found = types.find((type) => type.name === name)
  if (found === undefined) throw new TypeError(`the resource type ${name} does not exist`)
  return found
}
