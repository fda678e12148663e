import { setTimeout } from 'node:timers/promises'
import { hideSecrets } from '../../kernel/hide-secrets.ts'
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

/** A server's answer. */
export interface RemoteAnswer {
  readonly status: number
  /** The parsed JSON; undefined for other content. */
  readonly body: unknown
  /** The length of the content, in bytes. */
  readonly size: number
}

/**
 * Sends a request, and retries after a while if the server is busy or does not answer. Follows redirects, but only
 * within the server's origin. Rejects with a SourceError.
 */
export async function requestJson(server: RemoteServer, url: string): Promise<RemoteAnswer> {
  let at = url
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await retry(server, at)
    if (!('location' in answer)) return answer
    at = locationOf(server, at, answer.location)
  }
  throw new SourceError(`${url}: the server redirects more than ${MAX_REDIRECTS} times`)
}

/** Another origin may not be the server that an administrator has named. */
function locationOf({ token }: RemoteServer, url: string, location: string): string {
  const next = URL.canParse(location, url) ? new URL(location, url) : null
  if (next !== null && next.origin === new URL(url).origin) return next.href
  throw new SourceError(
    `${url}: the server redirects to ${hideSecrets(location, [token])}: if you trust it, import --from its URL`,
  )
}

async function retry(
  { token, fetch = globalThis.fetch, sleep = setTimeout }: RemoteServer,
  url: string,
): Promise<RemoteAnswer | { readonly location: string }> {
  const headers = new Headers({ Accept: 'application/scim+json, application/json' })
  if (token !== null) headers.set('Authorization', `Bearer ${token}`)
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === MAX_ATTEMPTS
    try {
      const signal = AbortSignal.timeout(MAX_WAIT)
      const response = await fetch(new Request(url, { headers, signal, redirect: 'manual' }))
      const location = REDIRECTS.has(response.status) ? response.headers.get('Location') : null
      if (location === null && (isLast || !BUSY.has(response.status)))
        return await readBody(response)
      await response.body?.cancel()
      if (location !== null) return { location }
      const wait = Number(response.headers.get('Retry-After') ?? Number.NaN)
      await sleep(Number.isFinite(wait) ? Math.min(wait * 1_000, MAX_WAIT) : 500 * 2 ** attempt)
    } catch (error) {
      if (isLast) throw new SourceError(`${url}: the server does not answer`, { cause: error })
      await sleep(500 * 2 ** attempt)
    }
  }
}

async function readBody(response: Response): Promise<RemoteAnswer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_ANSWER_BYTES) return { status: TOO_LARGE, body: undefined, size }
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  try {
    return { status: response.status, body: JSON.parse(text), size }
  } catch {
    return { status: response.status, body: undefined, size }
  }
}

/** The maximum size of an answer. */
export const MAX_ANSWER_BYTES = 64 * 2 ** 20
/** The status for a larger answer. */
export const TOO_LARGE = 413
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504])
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const MAX_ATTEMPTS = 5
const MAX_REDIRECTS = 5
/** A request's time limit, and the longest wait (ms). */
const MAX_WAIT = 60_000
