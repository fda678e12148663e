import type { Api } from '@plumbline/openapi/server'
import { createAdmission } from './admission.ts'
import { type ApiMiddleware, createApi } from './api/api.ts'
import { createDocumentHandler } from './api/document.ts'
import type { Principal } from './auth.ts'
import { expressible } from './clock.ts'
import { createConsole } from './console/console.ts'
import type { Served } from './console/exchange.ts'
import { serveRoot } from './console/root.ts'
import { CONSOLE_PATH } from './console/routes.ts'
import { attach } from './memoize.ts'
import { createMetrics } from './metrics/metrics.ts'
import type { AnsweredRequest } from './provisioning/entry.ts'
import { createLiveRequests } from './provisioning/live-requests.ts'
import type { ProvisioningLog } from './provisioning/provisioning-log.ts'
import type { ClientLimits } from './rate-limit/client-limits.ts'
import type { Recorder } from './recordings/recorder.ts'
import { REQUEST_ID } from './request-id.ts'
import {
  createRecord,
  errorLine,
  type Log,
  type RecordOf,
  type RequestRecord,
} from './request-log.ts'
import { createDirectoryEndpoint } from './scim/endpoint.ts'
import { findScimPath, type ScimPath, TOKEN_PATH } from './scim-path.ts'
import type { Store } from './store/store.ts'
import { VERSION } from './version.ts'

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
  /** Limits the requests of clients; null by default. */
  readonly limits?: ClientLimits | null
  /** Whether `/metrics` also describes the process, such as its memory; false by default. */
  readonly isProcess?: boolean
  /** Records the requests of tenants; null by default. */
  readonly recorder?: Recorder | null
  /** Returns the time in milliseconds since 1970; `Date.now` by default. */
  readonly now?: () => number
  /** Wraps every exchange of the management API, such as a conformance recorder. */
  readonly apiMiddleware?: ApiMiddleware
}

/** A directory server, without a socket. */
export interface Directory {
  /**
   * Answers a request; it never rejects. `origin` is the origin at which the server received the
   * request; the origin of its URL by default. A client can send any Host header. `address` is that of the
   * connection.
   */
  fetch(
    request: Request,
    options?: { readonly origin?: string; readonly address?: string | undefined },
  ): Promise<Response>
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
  limits = null,
  recorder = null,
  isProcess = false,
  now = Date.now,
  apiMiddleware = (_, next) => next(),
}: DirectoryOptions): Directory {
  const { get: recordOf } = attach((request: Request) => createRecord(request, publicOrigin))
  const live = createLiveRequests({ store })
  const timeText = createTimes()
  const clock = () => expressible(now())
  const auth = { store, token, now: clock }
  const admission = createAdmission({ ...auth, recordOf, limits })
  const scim = createDirectoryEndpoint({ ...auth, recordOf, admission })
  const metrics = createMetrics({ store, provisioning, version: VERSION, isProcess })
  const sources = { provisioning, live, metrics }
  const api = createApi({ ...auth, admission }, recordOf, sources, apiMiddleware)
  const console = createConsole({ auth, admission, recordOf, ...createInner(api, scim, recordOf) })
  const serveOther = createOther(api, console, recordOf)
  return {
    endStreams: live.close,
    fetch: async (original, { origin = null, address = null } = {}) => {
      const started = performance.now()
      const scimPath = findScimPath(original.url)
      const isScim = scimPath !== null
      const request = isScim ? original : asServed(original)
      const record = recordOf(request)
      record.origin = publicOrigin ?? origin
      record.scimPath = scimPath
      record.address = address
      if (isScim) await recorder?.refresh()
      const response = await (isScim ? scim.fetch(request) : serveOther(request))
      // The SCIM endpoint does so itself: a header of a finished response costs a tenth of the processor time.
      if (!isScim) addHeaders(response, record)
      const time = clock()
      const milliseconds = Math.round((performance.now() - started) * 100) / 100
      const status = request.signal.aborted ? HUNG_UP : response.status
      let answered: AnsweredRequest | null = null
      const isLogged = isScim ? record.limited?.isLogged !== false : record.answered !== null
      if (isLogged) {
        answered = answeredOf(request, record, { time, milliseconds, status })
        provisioning?.add(answered)
      }
      metrics.observe({ method: original.method, route: record.route, status, milliseconds })
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
      return answered === null || recorder === null ? response : recorder.record(answered, response)
    },
  }
}

/** The facts of a SCIM request, or of a rejected request for an access token, for the provisioning log. */
function answeredOf(
  request: Request,
  record: RequestRecord,
  result: Pick<AnsweredRequest, 'time' | 'milliseconds' | 'status'>,
): AnsweredRequest {
  const { tenant, tokenId, types, rejection, resourceId, userName, answered, scimPath } = record
  return {
    ...result,
    request,
    target: scimPath === null ? TOKEN_PATH : targetOf(request, scimPath),
    requestId: record.id,
    tenantId: tenant,
    tokenId,
    types,
    rejection,
    resourceId,
    userName,
    route: answered?.route ?? null,
    error: answered?.error ?? null,
    body: answered?.body,
  }
}

/** The path and the query below the SCIM endpoint. */
function targetOf({ url }: Request, { base }: ScimPath): string {
  return url.slice(url.indexOf(base) + base.length)
}

/** Creates a formatter of times. It caches the last one: many requests end in the same millisecond. */
function createTimes(): (time: number) => string {
  let last = { time: Number.NaN, text: '' }
  return (time) => {
    if (time !== last.time) last = { time, text: new Date(time).toISOString() }
    return last.text
  }
}

/** Creates the functions that answer the requests of the console to the other endpoints. */
function createInner(api: Api, scim: Pick<Api, 'fetch'>, recordOf: RecordOf): Served {
  const answer = async (
    { fetch }: Pick<Api, 'fetch'>,
    request: Request,
    outer: RequestRecord,
    grant: Principal | null,
  ): Promise<Response> => {
    const scimPath = findScimPath(request.url)
    const record = Object.assign(recordOf(request), { origin: outer.origin, scimPath, grant })
    const response = await fetch(request)
    outer.error ??= record.error
    return response
  }
  return {
    api: (request, outer) => answer(api, request, outer, null),
    scim: (request, outer, principal) => answer(scim, request, outer, principal),
  }
}

/** Creates the function that answers all paths except those of SCIM. It never rejects. */
function createOther(api: Api, console: Serve, recordOf: RecordOf): Serve {
  const serveDocument = createDocumentHandler()
  return async (request) => {
    // The client may have closed the connection while the request waited.
    if (request.signal.aborted) return new Response(null, { status: HUNG_UP })
    const { pathname, origin } = new URL(request.url)
    if (pathname === DOCUMENT_PATH) {
      const record = recordOf(request)
      record.route = DOCUMENT_PATH
      return await serveDocument(request, record.origin ?? origin)
    }
    if (pathname === '/') return await serveRoot(request, recordOf(request))
    const isConsole = pathname === CONSOLE_PATH || pathname.startsWith(`${CONSOLE_PATH}/`)
    const response = await (isConsole ? console(request) : api.fetch(request))
    return request.signal.aborted ? new Response(null, { status: HUNG_UP }) : response
  }
}

type Serve = (request: Request) => Promise<Response>

/** The request without the trailing slash of its path. */
function asServed(request: Request): Request {
  const [path = ''] = request.url.split('?', 1)
  if (!path.endsWith('/')) return request
  try {
    return new Request(path.slice(0, -1) + request.url.slice(path.length), request)
  } catch {
    // Request rejects some methods, such as TRACE; no route supports them.
    return request
  }
}

/** Adds the request id, and forbids caching of personal data. Only the OpenAPI document sets its own Cache-Control. */
function addHeaders({ headers }: Response, { id }: RequestRecord): void {
  headers.set(REQUEST_ID, id)
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  headers.set('X-Content-Type-Options', 'nosniff')
}

/** The path of the OpenAPI document of the management API. */
const DOCUMENT_PATH = '/openapi.json'
/** The status that servers log if a client closed the connection before the response. */
const HUNG_UP = 499
