import { blankProblem } from '@plumbline/problem/core'
import { createRouter } from '@remix-run/fetch-router'
import { createApi } from './api/api.ts'
import { createDocumentHandler } from './api/document.ts'
import { apiRoutes } from './api/operations.ts'
import type { RequestSources } from './api/request-handlers.ts'
import type { AuthOptions } from './auth.ts'
import { expressible } from './clock.ts'
import { memoize } from './memoize.ts'
import type { AnsweredRequest } from './provisioning/entry.ts'
import { createLiveRequests } from './provisioning/live-requests.ts'
import type { ProvisioningLog } from './provisioning/provisioning-log.ts'
import { REQUEST_ID } from './request-id.ts'
import { createRecord, errorLine, type Log, type RequestRecord } from './request-log.ts'
import { createDirectoryEndpoint, SCIM_PATH } from './scim/endpoint.ts'
import type { Store } from './store/store.ts'

/** The parts of a directory. */
export interface DirectoryOptions {
  readonly store: Store
  /** A token to accept in addition to those in the database. */
  readonly token?: string | null
  /** The origin in the locations of resources; the origin of each request by default. */
  readonly publicOrigin?: string | null
  /** Logs each request; no log by default. */
  readonly log?: Log
  /** Stores the SCIM requests; null by default. */
  readonly provisioning?: ProvisioningLog | null
  /** Returns the time in milliseconds since 1970; `Date.now` by default. */
  readonly now?: () => number
  /** Wraps every exchange of the management API, such as a conformance recorder. */
  readonly apiMiddleware?: (
    context: { readonly request: Request },
    next: () => Promise<Response>,
  ) => Promise<Response>
}

/** A directory server, without a socket. */
export interface Directory {
  /**
   * Answers a request; it never rejects. `origin` is the origin at which the server received the
   * request; the origin of its URL by default. A client can send any Host header.
   */
  fetch(request: Request, options?: { readonly origin?: string }): Promise<Response>
  /** Ends the responses that do not end by themselves, and rejects new ones: the server stops. */
  endStreams(): void
}

/** Makes the directory server over an open database. */
export function createDirectory({
  store,
  token = null,
  publicOrigin = null,
  log = () => undefined,
  provisioning = null,
  now = Date.now,
  apiMiddleware = (_, next) => next(),
}: DirectoryOptions): Directory {
  const { get: recordOf } = memoize((request: Request) => createRecord(request, publicOrigin))
  const live = createLiveRequests({ store })
  const timeText = createTimes()
  const clock = () => expressible(now())
  const auth = { store, token, now: clock }
  const scim = createDirectoryEndpoint({ ...auth, recordOf, isLogged: provisioning !== null })
  const router = createDirectoryRouter(auth, {
    recordOf,
    sources: { provisioning, live },
    apiMiddleware,
  })
  return {
    endStreams: live.close,
    fetch: async (original, { origin = null } = {}) => {
      const started = performance.now()
      const isScim = isBelow(SCIM_PATH, original.url)
      const request = isScim ? original : asServed(original)
      const record = recordOf(request)
      record.origin = publicOrigin ?? origin
      const response = isScim
        ? await scim.fetch(request)
        : await answer(() => router.fetch(request), request, record)
      if (!isScim) protect(response)
      response.headers.set(REQUEST_ID, record.id)
      const time = clock()
      const milliseconds = Math.round((performance.now() - started) * 100) / 100
      const status = request.signal.aborted ? HUNG_UP : response.status
      if (isScim) provisioning?.add(answeredOf(request, record, { time, milliseconds, status }))
      log({
        time: timeText(time),
        requestId: record.id,
        level: record.error === null ? 'info' : 'error',
        method: original.method,
        route: record.route,
        status,
        milliseconds,
        tenant: record.tenant,
        tokenId: record.tokenId,
        ...(record.error === null ? {} : { error: errorLine(record.error) }),
      })
      return original.method === 'HEAD' && !isScim ? withoutBody(response) : response
    },
  }
}

/** The facts of a SCIM request for the provisioning log. */
function answeredOf(
  request: Request,
  record: RequestRecord,
  result: Pick<AnsweredRequest, 'time' | 'milliseconds' | 'status'>,
): AnsweredRequest {
  const { tenant, tokenId, rejection, resourceId, userName, answered } = record
  return {
    ...result,
    request,
    target: request.url.slice(request.url.indexOf(SCIM_PATH) + SCIM_PATH.length),
    requestId: record.id,
    tenantId: tenant,
    tokenId,
    rejection,
    resourceId,
    userName,
    route: answered?.route ?? null,
    error: answered?.error ?? null,
    body: answered?.body,
  }
}

/** Creates a formatter of times. It caches the last one: many requests end in the same millisecond. */
function createTimes(): (time: number) => string {
  let last = { time: Number.NaN, text: '' }
  return (time) => {
    if (time !== last.time) last = { time, text: new Date(time).toISOString() }
    return last.text
  }
}

/**
 * Creates the router of all paths except those of SCIM. It calls the handlers of the API one by one, and not its
 * `fetch`, because the log records the route of each request, also of those without valid credentials.
 */
function createDirectoryRouter(
  auth: AuthOptions,
  {
    recordOf,
    sources,
    apiMiddleware,
  }: Required<Pick<DirectoryOptions, 'apiMiddleware'>> & {
    readonly sources: RequestSources
    readonly recordOf: (request: Request) => RequestRecord
  },
) {
  const router = createRouter({ defaultHandler: () => blankProblem(404, 'Not found') })
  const { handlers } = createApi(auth, recordOf, sources)
  for (const [name, handle] of Object.entries(handlers)) {
    const { method, pattern } = apiRoutes[name as keyof typeof handlers]
    router.route(method, pattern, (context) => {
      recordOf(context.request).route = pattern.source
      return apiMiddleware(context, () => handle(context.request, context.params))
    })
  }
  for (const [pattern, allow] of allowedOf(Object.values(apiRoutes))) {
    router.route('ANY', pattern, () =>
      blankProblem(405, `This path supports only ${allow}`, { headers: { Allow: allow } }),
    )
  }
  const serveDocument = createDocumentHandler()
  router.get(DOCUMENT_PATH, ({ request, url }) => {
    const record = recordOf(request)
    record.route = DOCUMENT_PATH
    return serveDocument(request, record.origin ?? url.origin)
  })
  return router
}

/** The methods that each path supports, as the Allow header lists them. */
function allowedOf(
  routes: readonly { readonly method: string; readonly pattern: { readonly source: string } }[],
): ReadonlyMap<string, string> {
  const allowed = new Map<string, string>()
  for (const { method, pattern } of routes) {
    const before = allowed.get(pattern.source)
    allowed.set(pattern.source, before === undefined ? method : `${before}, ${method}`)
  }
  return allowed
}

/** The request to route: HEAD becomes GET, and a trailing slash is removed. */
function asServed(request: Request): Request {
  const isHead = request.method === 'HEAD'
  const [path = ''] = request.url.split('?', 1)
  const isTrailing = path.endsWith('/')
  if (!isHead && !isTrailing) return request
  const url = isTrailing ? path.slice(0, -1) + request.url.slice(path.length) : request.url
  try {
    return new Request(new Request(url, request), isHead ? { method: 'GET' } : {})
  } catch {
    // Request rejects some methods, such as TRACE; no route supports them.
    return request
  }
}

async function answer(
  route: () => Promise<Response>,
  request: Request,
  record: RequestRecord,
): Promise<Response> {
  try {
    return await route()
  } catch (error) {
    // The client has closed the connection.
    if (request.signal.aborted) return new Response(null, { status: HUNG_UP })
    record.error = error
    return blankProblem(500, 'Internal server error')
  }
}

/** Whether a URL has a path or is below it. */
function isBelow(path: string, url: string): boolean {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start === -1 || !url.startsWith(path, start)) return false
  const next = url[start + path.length]
  return next === undefined || next === '/' || next === '?' || next === '#'
}

/** Forbids caching of personal data. Only the OpenAPI document sets its own Cache-Control. */
function protect({ headers }: Response): void {
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  headers.set('X-Content-Type-Options', 'nosniff')
}

function withoutBody({ status, headers, body }: Response): Response {
  void body?.cancel()
  return new Response(null, { status, headers })
}

/** The path of the OpenAPI document of the management API. */
const DOCUMENT_PATH = '/openapi.json'
/** The status that servers log if a client closed the connection before the response. */
const HUNG_UP = 499
