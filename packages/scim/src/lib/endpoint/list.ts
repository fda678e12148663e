import { unwrap } from '@plumbline/result'
import { createTurns } from '../bulk/turns.ts'
import { badRequest } from '../error.ts'
import { compileFilter } from '../filter/compile.ts'
import { findAttributes } from '../filter/find-attributes.ts'
import { RawJson, stringifyJson } from '../message/raw-json.ts'
import { stringifyList } from '../message/responses.ts'
import type { CursorPage, ListQuery, Page } from '../model.ts'
import type { Answer } from './answer.ts'
import { exceedsTotal, requireApplied, totalFault } from './applied.ts'
import { type Exchange, readingWork, storeRequest, type Task, type Work } from './exchange.ts'
import { completerFor, finishInMemory } from './in-memory.ts'
import { readQuery, readSearch } from './queries.ts'
import { completeResource, represent } from './represent.ts'
import type { ServedType } from './served-type.ts'
import { type ListAnswer, PreparedResource, type StoredResource } from './store.ts'
import { collectAttributes, createView, type TrackedView } from './view.ts'

/** A page of resources as JSON. */
export type ListedPage = Page<RawJson> | CursorPage<RawJson>

/** Lists the resources of a type (RFC 7644 §3.4.2). */
export async function answerList<Context>(
  exchange: Exchange<Context>,
  type: ServedType<Context>,
): Promise<Answer> {
  const query = readQuery(exchange, type.definitions)
  return answerPage(await listResources(readingWork(exchange), type, query))
}

/** Lists the resources of a type by a query in the body (RFC 7644 §3.4.3). */
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

/** A page of a type's resources. What the store has not done itself is done in memory. */
export async function listResources<Context>(
  work: Work<Context>,
  type: ServedType<Context>,
  query: ListQuery,
): Promise<ListedPage> {
  const { definitions, index, store } = type
  const { filter, sortBy, sortOrder, startIndex, count, cursor } = query
  if (cursor !== undefined && store.cursors === undefined) {
    throw badRequest('invalidValue', 'this endpoint does not support cursors')
  }
  requireSearchable(query, type)
  const options = { definitions, budget: work.budget }
  const matches = filter === undefined ? null : unwrap(compileFilter(filter, options))
  const view = createView(query, index)
  const complete = completerFor(query, work, type)
  const searched = { filter: filter ?? null, sortBy: sortBy ?? null, sortOrder, complete }
  const page = { startIndex, count, cursor: cursor ?? null }
  const ask = async (): Promise<ListAnswer> => {
    const request = storeRequest(work, { view, ...searched, ...page })
    const listed = await store.list(work.context, request)
    requireApplied(listed, query, type)
    return listed
  }
  let answer = await ask()
  // Other clients may insert rows between a store's statements. They hardly do so twice.
  if (exceedsTotal(answer, query)) answer = await ask()
  if (exceedsTotal(answer, query)) throw totalFault(answer, query, type)
  const { applied = [] } = answer
  const { resources, totalResults = 0 } = applied.includes('page')
    ? answer
    : await finishInMemory(answer, { work, type, query, matches })
  const showing = { work, type, query, view }
  const shown = resources.every(isPrepared)
    ? takeWithin(resources, showing)
    : await showWithin(resources, showing)
  if (cursor === undefined) return { resources: shown, totalResults, startIndex }
  return { resources: shown, ...linksOf(answer) }
}

function linksOf({ totalResults, nextCursor, previousCursor }: ListAnswer) {
  return { totalResults, nextCursor, previousCursor }
}

/** An attribute that is never returned, such as a password, must not be found out by a search. */
function requireSearchable({ filter, sortBy }: ListQuery, { index }: ServedType<never>): void {
  if (filter === undefined && sortBy === undefined) return
  const named = findAttributes(sortBy === undefined ? [] : [sortBy], index)
  if (filter !== undefined) collectAttributes(filter, index, named)
  for (const { name, returned, parent } of named) {
    if (returned !== 'never' && parent?.returned !== 'never') continue
    throw badRequest('invalidFilter', `${name} is never returned, so it cannot be searched`)
  }
}

interface Showing {
  readonly work: Task
  readonly type: ServedType<never>
  readonly query: ListQuery
  readonly view: TrackedView
}

/** The JSON of as many of the first resources as fit into a page, and of at least one (RFC 7644 §3.4.2.4). */
async function showWithin(
  resources: readonly StoredResource[],
  showing: Showing,
): Promise<RawJson[]> {
  const limit = limitOf(showing)
  const shown: RawJson[] = []
  const nextTurn = createTurns()
  let size = 0
  for (const [at, resource] of resources.entries()) {
    await nextTurn()
    const json = await show(resource, at, showing)
    size += json.text.length
    if (size > limit && shown.length > 0) break
    shown.push(json)
  }
  return shown
}

/** The same for resources the store has written as JSON, without a wait between them. */
function takeWithin(resources: readonly PreparedResource[], showing: Showing): readonly RawJson[] {
  const limit = limitOf(showing)
  const shown: RawJson[] = []
  let size = 0
  for (const resource of resources) {
    const json = showPrepared(resource)
    size += json.text.length
    if (size > limit && shown.length > 0) break
    shown.push(json)
  }
  return shown
}

/** A page by cursor is not cut, because the store has chosen where the next page starts. */
function limitOf({ query, work }: Showing): number {
  return query.cursor === undefined ? work.exchange.limits.page : Number.POSITIVE_INFINITY
}

function isPrepared(resource: StoredResource): resource is PreparedResource {
  return resource instanceof PreparedResource
}

function showPrepared({ body }: PreparedResource): RawJson {
  return body instanceof RawJson ? body : new RawJson(body.join(''))
}

async function show(
  resource: StoredResource,
  at: number,
  { work, type, query, view }: Showing,
): Promise<RawJson> {
  if (isPrepared(resource)) return showPrepared(resource)
  const { base } = work.exchange
  const complete = completeResource(resource, { type, method: 'list', base, at })
  const { body } = await represent(complete, query, type, { isPartial: view.hasOmitted() })
  return new RawJson(stringifyJson(body))
}
