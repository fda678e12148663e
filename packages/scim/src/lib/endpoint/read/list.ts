import { unwrap } from '@plumbline/result'
import { createTurns } from '../../bulk/turns.ts'
import { badRequest } from '../../error.ts'
import { compileFilter } from '../../filter/compile.ts'
import { searchedAttributes } from '../../filter/find-attributes.ts'
import { fitsWithin } from '../../list/fits-within.ts'
import { RawJson, stringifyJson } from '../../message/raw-json.ts'
import { stringifyList } from '../../message/responses.ts'
import type { CursorPage, ListQuery, Page } from '../../model.ts'
import {
  type Answer,
  type Exchange,
  readingWork,
  readQuery,
  readSearch,
  type Task,
  type Work,
} from '../core/exchange.ts'
import { completeResource, represent } from '../core/represent.ts'
import { createView, type TrackedView } from '../core/view.ts'
import type { ServedType } from '../options/resource-type.ts'
import { PreparedResource, type StoredResource, type WireResource } from '../options/store.ts'
import { type Answered, askStore, isPage } from './ask-store.ts'
import { cursorAfter, cursorOf, type QueryByCursor, readPlace } from './cursors.ts'
import { finishByCursor, finishInMemory, type Steps } from './in-memory.ts'

/** A page of resources as JSON. */
export type ListedPage = Page<RawJson> | CursorPage<RawJson>

/** Lists a type's resources (RFC 7644 §3.4.2). */
export async function answerList<Context>(
  exchange: Exchange<Context>,
  type: ServedType<Context>,
): Promise<Answer> {
  const query = readQuery(exchange, type.definitions)
  return answerPage(await listResources(readingWork(exchange), type, query))
}

/** Lists the resources that match a query in the body (RFC 7644 §3.4.3). */
export async function answerSearch<Context>(
  exchange: Exchange<Context>,
  type: ServedType<Context>,
): Promise<Answer> {
  const query = await readSearch(exchange, type.definitions)
  return answerPage(await listResources(readingWork(exchange), type, query))
}

/** Answers with a page. */
export function answerPage(page: ListedPage): Answer {
  return { status: 200, headers: {}, body: stringifyList(page, (resource) => resource) }
}

/** Lists a page of a type's resources. Steps the store has not done are done in memory. */
export async function listResources<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  query: ListQuery,
): Promise<ListedPage> {
  requireSearchable(query, type)
  const { definitions, index } = type
  const { filter, cursor, startIndex } = query
  const options = { definitions, budget: work.budget }
  const matches = filter === undefined ? null : unwrap(compileFilter(filter, options))
  const view = createView(query, index)
  const { request, answer } = await askStore(work, type, { query, view })
  const showing = { work, type, query, view, limit: work.exchange.limits.page }
  const steps = { work, type, query, matches }
  if (cursor !== undefined) {
    return await showByCursor({ request, answer }, steps, {
      ...showing,
      query: { ...query, cursor },
    })
  }
  const { resources, totalResults = 0 } = isPage(answer)
    ? answer
    : await finishInMemory(answer, steps)
  return { resources: await showPage(resources, showing), totalResults, startIndex }
}

/** Shows a page by cursor: the store's, its page by index, or a page from its candidates. */
async function showByCursor(
  { request, answer }: Answered,
  steps: Steps,
  showing: Showing & { readonly query: QueryByCursor },
): Promise<CursorPage<RawJson>> {
  const { query, type } = showing
  const { totalResults, nextCursor, previousCursor } = answer
  if (!isPage(answer)) {
    const place = await readPlace(query, type, { isInMemory: true })
    const show = (rows: readonly StoredResource[]) => showPage(rows, showing)
    const { next, previous, ...page } = await finishByCursor(answer, steps, place, show)
    const [after, before] = [next, previous].map((to) => cursorOf(to, query, type))
    return { ...page, nextCursor: await after, previousCursor: await before }
  }
  if (request.cursor === undefined) {
    await readPlace(query, type, { isInMemory: false })
    const resources = await showPage(answer.resources, showing)
    const next = await cursorAfter(answer, request, { type, shown: resources.length })
    return { resources, totalResults, nextCursor: next }
  }
  // The store has chosen where the next page starts, so the page is not cut.
  const limit = Number.POSITIVE_INFINITY
  const resources = await showPage(answer.resources, { ...showing, limit })
  return { resources, totalResults, nextCursor, previousCursor }
}

/** Rejects searches by an attribute that is never returned, such as a password: they would reveal the value. */
function requireSearchable(query: ListQuery, { index }: ServedType<never>): void {
  for (const { name, returned, parent } of searchedAttributes(query, index)) {
    if (returned !== 'never' && parent?.returned !== 'never') continue
    throw badRequest('invalidFilter', `${name} is never returned, so it cannot be searched`)
  }
}

interface Showing {
  readonly work: Task
  readonly type: ServedType<never>
  readonly query: ListQuery
  readonly view: TrackedView
  /** The page size, in code units. */
  readonly limit: number
}

/** Writes as many of the first resources as fit into a page, at least one, as JSON (RFC 7644 §3.4.2.4). */
async function showPage(
  resources: readonly StoredResource[],
  showing: Showing,
): Promise<readonly RawJson[]> {
  const fits = fitsWithin(showing.limit)
  const nextTurn = createTurns()
  const shown: RawJson[] = []
  for (const [at, resource] of resources.entries()) {
    const isWritten = isPrepared(resource)
    // A store has written these resources, so they do not take the event loop.
    if (!isWritten) await nextTurn()
    const json = isWritten ? showPrepared(resource) : await show(resource, at, showing)
    if (!fits(json.text.length)) break
    shown.push(json)
  }
  return shown
}

function isPrepared(resource: StoredResource): resource is PreparedResource {
  return resource instanceof PreparedResource
}

function showPrepared({ body }: PreparedResource): RawJson {
  return body instanceof RawJson ? body : new RawJson(body.join(''))
}

async function show(
  resource: WireResource,
  at: number,
  { work, type, query, view }: Showing,
): Promise<RawJson> {
  const { base } = work.exchange
  const complete = completeResource(resource, { type, method: 'list', base, at })
  const { body } = await represent(complete, query, type, { isPartial: view.hasOmitted() })
  return new RawJson(stringifyJson(body))
}
