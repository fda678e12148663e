import { createTurns } from '../../bulk/turns.ts'
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
  type Work,
} from '../core/exchange.ts'
import { completeResource, represent } from '../core/represent.ts'
import type { ServedType } from '../options/resource-type.ts'
import { PreparedResource, type StoredResource, type WireResource } from '../options/store.ts'
import { type Answered, askStore, isPage } from './ask-store.ts'
import { cursorAfter, cursorOf, type QueryByCursor, readPlace } from './cursors.ts'
import { finishByCursor, finishInMemory } from './in-memory.ts'
import { createListing, type Listing } from './listing.ts'

/** A page of resources as JSON. */
export type ListedPage = Page<RawJson> | CursorPage<RawJson>

/** Lists a type's resources (RFC 7644 §3.4.2). */
export async function answerList<Context>(
  exchange: Exchange<Context>,
  type: ServedType<Context>,
): Promise<Answer> {
  const query = readQuery(exchange, type.definitions)
  const work = readingWork(exchange)
  const page = await listResources(work, type, query)
  return answerPage(page)
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
  const listing = createListing(work, type, query)
  const asked = await askStore(work, type, listing)
  const { cursor, startIndex } = query
  if (cursor !== undefined) return await showByCursor(asked, listing, { ...query, cursor })
  const { answer } = asked
  const { resources, totalResults = 0 } = isPage(answer)
    ? answer
    : await finishInMemory(answer, listing)
  return { resources: await showPage(resources, listing), totalResults, startIndex }
}

/** Shows a page by cursor: the store's, its page by index, or a page from its candidates. */
async function showByCursor(
  { request, answer }: Answered,
  listing: Listing,
  query: QueryByCursor,
): Promise<CursorPage<RawJson>> {
  const { type } = listing
  const { totalResults, nextCursor, previousCursor } = answer
  if (!isPage(answer)) {
    const place = await readPlace(query, type, { isInMemory: true })
    const show = (rows: readonly StoredResource[]) => showPage(rows, listing)
    const { next, previous, ...page } = await finishByCursor(answer, listing, place, show)
    const [after, before] = [next, previous].map((to) => cursorOf(to, query, type))
    return { ...page, nextCursor: await after, previousCursor: await before }
  }
  if (request.cursor === undefined) {
    await readPlace(query, type, { isInMemory: false })
    const resources = await showPage(answer.resources, listing)
    const next = await cursorAfter(answer, request, { type, shown: resources.length })
    return { resources, totalResults, nextCursor: next }
  }
  // The store has chosen where the next page starts, so the page is not cut.
  const resources = await showPage(answer.resources, listing, Number.POSITIVE_INFINITY)
  return { resources, totalResults, nextCursor, previousCursor }
}

/**
 * Writes as many of the first resources as fit into a page, at least one, as JSON (RFC 7644 §3.4.2.4).
 *
 * @param limit the page's size, in code units
 */
async function showPage(
  resources: readonly StoredResource[],
  listing: Listing,
  limit: number = listing.work.exchange.limits.page,
): Promise<readonly RawJson[]> {
  const fits = fitsWithin(limit)
  const nextTurn = createTurns()
  const shown: RawJson[] = []
  for (const [at, resource] of resources.entries()) {
    const isWritten = isPrepared(resource)
    // Resources that the store has written take hardly any time.
    if (!isWritten) await nextTurn()
    const json = isWritten ? showPrepared(resource) : await show(resource, at, listing)
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
  { work, type, query, view }: Listing,
): Promise<RawJson> {
  const { base } = work.exchange
  const complete = completeResource(resource, { type, method: 'list', base, at })
  const { body } = await represent(complete, query, type, { isPartial: view.hasOmitted() })
  return new RawJson(stringifyJson(body))
}
