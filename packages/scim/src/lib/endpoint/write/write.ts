import { unwrap } from '@plumbline/result'
import { invalidValue } from '../../error.ts'
import type { ListQuery } from '../../model.ts'
import { parseResource } from '../../resource/parse-resource.ts'
import { createWorkBudget, type WorkBudget } from '../../work-budget.ts'
import { isConditional, matchesWrite } from '../core/etags.ts'
import {
  type Answer,
  addIgnored,
  type Exchange,
  headersOf,
  type RequestFacts,
  readQuery,
  storeRequest,
  type Work,
} from '../core/exchange.ts'
import {
  completeResource,
  contentTagOf,
  locationOf,
  represent,
  representPrepared,
} from '../core/represent.ts'
import { createView, type TrackedView, viewWithoutMembers, wholeView } from '../core/view.ts'
import { storeFault } from '../options/faults.ts'
import type { ServedType } from '../options/resource-type.ts'
import { PreparedResource, type StoredResource, type WireResource } from '../options/store.ts'
import { requireFound, versionMismatch } from '../read/read.ts'
import { keepUnwritable } from './keep-unwritable.ts'
import { keepPlaced } from './places.ts'
import { requireUnique } from './unique.ts'

/** Creates a resource (RFC 7644 §3.3). */
export async function answerCreate<Context>(
  exchange: Exchange<Context>,
  type: ServedType<Context>,
): Promise<Answer> {
  const query = readQuery(exchange, type.definitions)
  const budget = createWorkBudget(exchange.limits.steps)
  const ignored = new Set<string>()
  const sent = parseContent(exchange, type, await exchange.body(), budget)
  const resource = keepPlaced(sent, type, exchange.profile, (path) => addIgnored(ignored, path))
  const created = await exchange.write(exchange, async (work) => {
    await requireUnique(work, type, resource, null)
    const stored = await type.store.create(resource, work.context, storeRequest(work, {}))
    const complete = completeResource(stored, { type, method: 'create', base: exchange.base })
    await exchange.changes?.created(work, type, complete)
    return complete
  })
  return { ...(await answerResource(exchange, type, created, query, 201)), ignored }
}

/** Replaces a resource (RFC 7644 §3.5.1). */
export async function answerReplace<Context>(
  exchange: Exchange<Context>,
  type: ServedType<Context>,
): Promise<Answer> {
  const query = readQuery(exchange, type.definitions)
  const budget = createWorkBudget(exchange.limits.steps)
  const ignored = new Set<string>()
  const body = parseContent(exchange, type, await exchange.body(), budget)
  const sent = keepPlaced(body, type, exchange.profile, (path) => addIgnored(ignored, path))
  const replaced = await exchange.write(exchange, async (work) => {
    const needsMembers = type.store.changeMembers === undefined || exchange.changes !== null
    const view = needsMembers ? wholeView : viewWithoutMembers
    const current = await readForUpdate(work, type, view())
    const resource = keepUnwritable(current, sent, type)
    await requireUnique(work, type, resource, current)
    return await replaceResource(work, type, { resource, current, query })
  })
  return { ...(await answerResource(exchange, type, replaced, query)), ignored }
}

/**
 * Reads a resource's attributes. Read-only attributes are ignored. Throws a ScimError. A body from a client needs a
 * budget, and an already stored resource does not.
 */
export function parseContent(
  { limits, profile }: RequestFacts,
  { definitions, requiredExtensions = [] }: ServedType<never>,
  body: unknown,
  budget?: WorkBudget,
): WireResource {
  const isStored = budget === undefined
  const reject = isStored ? [] : profile.reject
  const options = { maxValues: limits.values, budget, reject, isStored }
  const resource = unwrap(parseResource(definitions, body, options))
  const missing = requiredExtensions.find((urn) => !Object.hasOwn(resource, urn))
  // RFC 7643 §6: a resource must have the extension, and the attributes it requires.
  if (missing !== undefined) throw invalidValue(missing, 'is required')
  return resource
}

/**
 * Reads a resource before it is written, and checks the request's preconditions. Throws a ScimError, `404` or `412`.
 */
export async function readForUpdate<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  view: TrackedView,
  { isForDelete = false }: { readonly isForDelete?: boolean } = {},
): Promise<WireResource> {
  const { id, base, conditions } = work.exchange
  await work.hold(type, id)
  const extra = { view, isForUpdate: true, isForDelete, isWanted: () => true }
  const request = storeRequest(work, extra)
  const stored = requireFound(await type.store.read(id, work.context, request), type, 'read', id)
  if (stored instanceof PreparedResource) {
    throw storeFault(type, 'read', 'a prepared resource although isForUpdate is true')
  }
  const current = completeResource(stored, { type, method: 'read', base, id })
  if (!isConditional(conditions)) return stored
  const tag = await contentTagOf(current, type, { isPartial: view.hasOmitted() })
  // If the store does not set a version, computing the tag needs the whole resource.
  if (tag === null) return await readForUpdate(work, type, wholeView(), { isForDelete })
  if (!matchesWrite(conditions, tag)) throw versionMismatch()
  return stored
}

/** A resource to write, the one before, and the query for the response. */
interface Replacement {
  readonly resource: WireResource
  readonly current: WireResource
  readonly query: ListQuery
}

/** Replaces a resource in the store. Throws a ScimError, `404`, if it does not exist any more. */
export async function replaceResource<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  { resource, current, query }: Replacement,
): Promise<StoredResource> {
  const { id, base } = work.exchange
  const request = storeRequest(work, { current, view: createView(query, type.index) })
  const stored = await type.store.replace(id, resource, work.context, request)
  const replaced = requireFound(stored, type, 'replace', id)
  const isPrepared = replaced instanceof PreparedResource
  const complete = isPrepared
    ? null
    : completeResource(replaced, { type, method: 'replace', base, id })
  const after = complete ?? resource
  await work.exchange.changes?.changed(work, type, { before: current, after, written: resource })
  return complete ?? replaced
}

/** Answers with a written resource. */
export async function answerResource(
  { base, id }: RequestFacts,
  type: ServedType<never>,
  resource: StoredResource,
  query: ListQuery,
  status = 200,
): Promise<Answer> {
  const { body, version, location } =
    resource instanceof PreparedResource
      ? representPrepared(resource, locationOf(type, base, id))
      : await represent(resource, query, type)
  return { status, headers: headersOf(location, version), body }
}
