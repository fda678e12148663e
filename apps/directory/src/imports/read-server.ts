import { setTimeout } from 'node:timers/promises'
import { SourceError } from './source.ts'

/** A SCIM server to read resources from. */
export interface RemoteServer {
  /** The base URL, such as `https://scim.example/v2`, without a trailing slash. */
  readonly url: string
  /** The bearer token; null to send none. */
  readonly token: string | null
  /** `fetch` by default. */
  readonly fetch?: (request: Request) => Promise<Response>
  /** Waits some milliseconds; a timer by default. */
  readonly sleep?: (time: number) => Promise<unknown>
}

/** A page from a list response (RFC 7644 §3.4.2). */
export interface RemotePage {
  readonly resources: readonly Readonly<Record<string, unknown>>[]
  /** How many resources the server has; null if it doesn't say. */
  readonly total: number | null
}

/** Whether a server pages by cursor (RFC 9865 §5). Without a configuration, it pages by index. */
export async function hasCursors(server: RemoteServer): Promise<boolean> {
  const config = await read(server, `${server.url}/ServiceProviderConfig`)
  return config.status === 200 && Object(Object(config.body).pagination).cursor === true
}

/**
 * Reads all pages from an endpoint, such as `/Users`. If a page would be too large, it is requested again with half as
 * many resources. Yields nothing if the server lacks the endpoint. Rejects with a SourceError.
 */
export async function* readPages(
  server: RemoteServer,
  endpoint: string,
  { isByCursor }: { readonly isByCursor: boolean },
): AsyncGenerator<RemotePage> {
  const seen = new Set<string>()
  let place = isByCursor ? '' : '1'
  let count = MOST_IN_PAGE
  for (;;) {
    const query = new URLSearchParams({ [isByCursor ? 'cursor' : 'startIndex']: place })
    query.set('count', String(count))
    const url = `${server.url}${endpoint}?${query}`
    const { status, body } = await read(server, url)
    if (status === TOO_LARGE && count > 1) {
      count = Math.ceil(count / 2)
      continue
    }
    if (status === 404 && seen.size === 0) return
    const page = listOf(url, status, body)
    const next = isByCursor ? page.nextCursor : nextIndex(Number(place), page)
    // A server that ignores the position would send the first page forever.
    const mark = isByCursor ? place : String(page.resources[0]?.id)
    if (seen.has(mark) && page.resources.length > 0) {
      throw new SourceError(`${url}: the server repeats a page`)
    }
    seen.add(mark)
    yield page
    if (next === null) return
    place = next
  }
}

function nextIndex(index: number, { resources, total }: RemotePage): string | null {
  const next = index + resources.length
  return resources.length === 0 || (total !== null && next > total) ? null : String(next)
}

function listOf(
  url: string,
  status: number,
  body: unknown,
): RemotePage & { readonly nextCursor: string | null } {
  if (status !== 200) throw new SourceError(`${url}: ${reasonOf(status, body)}`)
  const { Resources = [], totalResults, nextCursor }: Record<string, unknown> = Object(body)
  if (!Array.isArray(Resources) || Object(body).schemas === undefined) {
    throw new SourceError(`${url}: the answer is not a SCIM list`)
  }
  return {
    resources: Resources.map((resource) => Object(resource)),
    total: typeof totalResults === 'number' ? totalResults : null,
    nextCursor: typeof nextCursor === 'string' ? nextCursor : null,
  }
}

function reasonOf(status: number, body: unknown): string {
  if (status === 401 || status === 403) return `the server rejects the token with ${status}`
  if (status === TOO_LARGE) return `a resource is larger than ${MOST_BYTES / 2 ** 20} MiB`
  const { detail } = Object(body)
  return `status ${status}${typeof detail === 'string' ? `, ${detail}` : ''}`
}

interface Read {
  readonly status: number
  readonly body: unknown
}

/** Sends a request, and retries after a while if the server is busy or doesn't answer. */
async function read(
  { token, fetch = globalThis.fetch, sleep = setTimeout }: RemoteServer,
  url: string,
): Promise<Read> {
  const headers = new Headers({ Accept: 'application/scim+json, application/json' })
  if (token !== null) headers.set('Authorization', `Bearer ${token}`)
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === ATTEMPTS
    try {
      const signal = AbortSignal.timeout(PATIENCE)
      const response = await fetch(new Request(url, { headers, signal }))
      if (isLast || !BUSY.has(response.status)) return await bodyOf(response)
      await response.body?.cancel()
      const wait = Number(response.headers.get('Retry-After') ?? Number.NaN)
      await sleep(Number.isFinite(wait) ? Math.min(wait * 1_000, PATIENCE) : 500 * 2 ** attempt)
    } catch (error) {
      if (isLast) throw new SourceError(`${url}: the server does not answer`, { cause: error })
      await sleep(500 * 2 ** attempt)
    }
  }
}

async function bodyOf(response: Response): Promise<Read> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MOST_BYTES) return { status: TOO_LARGE, body: undefined }
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  try {
    return { status: response.status, body: JSON.parse(text) }
  } catch {
    return { status: response.status, body: undefined }
  }
}

/** The page size to request. */
const MOST_IN_PAGE = 500
const MOST_BYTES = 64 * 2 ** 20
/** The status for a larger answer. */
const TOO_LARGE = 413
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504])
const ATTEMPTS = 5
/** A request's time limit, and the longest wait (ms). */
const PATIENCE = 60_000
