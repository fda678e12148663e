import { hideSecrets } from '../../kernel/hide-secrets.ts'
import { sha256 } from '../../kernel/store/sha256.ts'
import {
  MAX_ANSWER_BYTES,
  type RemoteAnswer,
  type RemoteServer,
  requestJson,
  TOO_LARGE,
} from './request-server.ts'
import { SourceError } from './source.ts'

/** A resource, and its id. */
export interface RemoteResource {
  readonly id: string
  readonly resource: Readonly<Record<string, unknown>>
}

/** A page from a list response (RFC 7644 §3.4.2). */
export interface RemotePage {
  /** The resources that were not on a page before. */
  readonly resources: readonly RemoteResource[]
  /** How many resources the server has; null if it doesn't say. */
  readonly total: number | null
}

/** Limits for a server whose pages do not end. */
export interface ReadLimits {
  readonly pages: number
  /** The total size of all answers, in bytes. */
  readonly bytes: number
}

/** More than any directory needs: a million users with large groups have 5 GiB. */
export const READ_LIMITS: ReadLimits = { pages: 1_000_000, bytes: 64 * 2 ** 30 }

/** Whether a server pages by cursor (RFC 9865 §5). Without a configuration, it pages by index. */
export async function hasCursors(server: RemoteServer): Promise<boolean> {
  const config = await requestJson(server, `${server.url}/ServiceProviderConfig`)
  return config.status === 200 && Object(Object(config.body).pagination).cursor === true
}

/**
 * Reads all pages from an endpoint, such as `/Users`. If a page would be too large, it is requested again with half as
 * many resources. Yields nothing if the server lacks the endpoint. Rejects with a SourceError, also if the server has
 * more resources than it has sent.
 *
 * Pages by index end with an empty one: some servers answer the length of the page as `totalResults`.
 */
export async function* readPages(
  server: RemoteServer,
  endpoint: string,
  {
    isByCursor,
    limits = READ_LIMITS,
  }: { readonly isByCursor: boolean; readonly limits?: ReadLimits },
): AsyncGenerator<RemotePage> {
  const seen = new Set<string>()
  const totals = new Set<number>()
  const known = new Map<string, string>()
  let place = isByCursor ? '' : '1'
  let count = MAX_PAGE
  let [done, bytes, wanted] = [0, 0, 0]
  for (;;) {
    const url = urlOf(server, endpoint, { [isByCursor ? 'cursor' : 'startIndex']: place, count })
    const { status, body, size } = await requestJson(server, url)
    if (status === TOO_LARGE && count > 1) {
      count = Math.ceil(count / 2)
      continue
    }
    if (status === 404 && seen.size === 0) return
    // RFC 7644 §3.4.2.4 asks for an empty list, but some servers reject a start after the last resource.
    if (!isByCursor && AFTER_LAST.has(status) && seen.size > 0 && done >= wanted) break
    const { resources, total, nextCursor } = listOf(server, url, { status, body })
    bytes += size
    if (seen.size >= limits.pages || bytes > limits.bytes) throw endless(url, limits)
    // A server that ignores the position would send the first page forever.
    const id = resources[0]?.id
    const mark = isByCursor ? place : typeof id === 'string' ? id : ''
    if (seen.has(mark) && resources.length > 0) {
      // If it sends everything in one page, nothing is missing.
      if (!isByCursor && seen.size === 1 && total === done) break
      throw new SourceError(`${url}: the server repeats a page`)
    }
    wanted = total ?? Number.POSITIVE_INFINITY
    if (!isByCursor && total !== null && total !== resources.length) totals.add(total)
    if (totals.size > 1) throw changed(url)
    if (!isByCursor && resources.length === 0) break
    seen.add(mark)
    yield { resources: newOf(resources, known, url), total }
    done = known.size
    if (isByCursor && nextCursor === null) break
    place = isByCursor ? String(nextCursor) : String(Number(place) + resources.length)
  }
  await requireAll(server, endpoint, { done, totals })
}

/**
 * Returns the resources that are not known yet. A resource is on two pages if another was created meanwhile. Without an
 * id, or with that of another resource, it could not be imported.
 *
 * @param known the hashes of resources, keyed by id
 */
function newOf(
  resources: RemoteList['resources'],
  known: Map<string, string>,
  url: string,
): readonly RemoteResource[] {
  return resources.flatMap((resource) => {
    const { id } = resource
    if (typeof id !== 'string' || id === '') {
      throw new SourceError(`${url}: the server sends a resource without an id`)
    }
    const hash = sha256(textOf(resource, `${url}: ${id}`))
    const before = known.get(id)
    if (before === hash) return []
    if (before !== undefined) {
      throw new SourceError(`${url}: the server sends the id ${id} twice, with other attributes`)
    }
    known.set(id, hash)
    return [{ id, resource }]
  })
}

function textOf(resource: object, place: string): string {
  try {
    return JSON.stringify(resource)
  } catch (error) {
    // The only reason for which parsed JSON cannot be written.
    if (error instanceof RangeError) throw new SourceError(`${place} is nested too deeply`)
    throw error
  }
}

/** Counts the resources again, to compare with those read. */
async function requireAll(
  server: RemoteServer,
  endpoint: string,
  // For pages by index, also the totals of the pages. The length of a page is not one.
  { done, totals }: { readonly done: number; readonly totals: ReadonlySet<number> },
): Promise<void> {
  const url = urlOf(server, endpoint, { startIndex: '1', count: 1 })
  const { status, body } = await requestJson(server, url)
  const { total } = listOf(server, url, { status, body })
  if (total === null) return
  if (total > done) {
    throw new SourceError(`${url}: the server has ${total} resources, but its pages have ${done}`)
  }
  const [first = total] = totals
  if (totals.size > 0 && first !== total) throw changed(url)
}

function urlOf(
  server: RemoteServer,
  endpoint: string,
  { count, ...place }: { readonly count: number; readonly [name: string]: string | number },
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...place, count })) query.set(name, String(value))
  return `${server.url}${endpoint}?${query}`
}

/** A list response as the server sent it. */
interface RemoteList extends Pick<RemotePage, 'total'> {
  readonly resources: readonly Readonly<Record<string, unknown>>[]
  readonly nextCursor: string | null
}

function listOf(
  { token }: RemoteServer,
  url: string,
  { status, body }: Pick<RemoteAnswer, 'status' | 'body'>,
): RemoteList {
  if (status !== 200) {
    // A server may return the token in its message.
    throw new SourceError(`${url}: ${hideSecrets(reasonOf(status, body), [token])}`)
  }
  const { Resources = [], totalResults, nextCursor }: Record<string, unknown> = Object(body)
  if (!Array.isArray(Resources) || Object(body).schemas === undefined) {
    throw new SourceError(`${url}: the answer is not a SCIM list`)
  }
  return {
    resources: Resources.map((resource) => Object(resource)),
    total: typeof totalResults === 'number' ? totalResults : null,
    nextCursor: typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : null,
  }
}

function reasonOf(status: number, body: unknown): string {
  if (status === 401 || status === 403) return `the server rejects the token with ${status}`
  if (status === TOO_LARGE) return `a resource is larger than ${MAX_ANSWER_BYTES / 2 ** 20} MiB`
  const { detail } = Object(body)
  return `status ${status}${typeof detail === 'string' ? `, ${detail}` : ''}`
}

function endless(url: string, { pages, bytes }: ReadLimits): SourceError {
  const limits = `${pages} pages or ${Math.round(bytes / 2 ** 20)} MiB`
  return new SourceError(`${url}: the server sends more than ${limits}`)
}

/** If a resource is deleted, those after it move forward, and the next page does not have one of them. */
function changed(url: string): SourceError {
  return new SourceError(
    `${url}: resources were created or deleted during the download. Run the command again when the server is not written to`,
  )
}

/** The page size to request. */
const MAX_PAGE = 500
/** The statuses with which servers reject a start after the last resource. */
const AFTER_LAST: ReadonlySet<number> = new Set([400, 404])
