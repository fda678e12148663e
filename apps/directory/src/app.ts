import type { Api } from '@plumbline/openapi/server'
import { type ApiMiddleware, createApi } from './api/api.ts'
import { createDocumentHandler } from './api/document.ts'
import { createAdmission } from './auth/admission.ts'
import type { Principal } from './auth/authenticate.ts'
import { expressible } from './clock.ts'
import type { ConsoleOptions } from './console/console.ts'
import type { Served } from './console/exchange.ts'
import { CONSOLE_PATH } from './console/routes.ts'
import { createMetrics } from './metrics/metrics.ts'
import { createObserver, HUNG_UP } from './observe.ts'
import { outcomeOf, report } from './outcome.ts'
import { createLiveRequests } from './provisioning/live-requests.ts'
import type { ProvisioningLog } from './provisioning/provisioning-log.ts'
import type { ClientLimits } from './rate-limit/client-limits.ts'
import { originOf, type Received, receive, receivedOf } from './received.ts'
import type { Recorder } from './recordings/recorder.ts'
import { REQUEST_ID } from './request-id.ts'
import type { Log } from './request-log.ts'
import { createDirectoryEndpoint } from './scim/endpoint.ts'
import { findScimPath } from './scim-path.ts'
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
  const live = createLiveRequests({ store })
  const clock = () => expressible(now())
  const auth = { store, token, now: clock }
  const admission = createAdmission({ ...auth, senderOf: receivedOf, limits })
  const scim = createDirectoryEndpoint({ store, now: clock, admission })
  const metrics = createMetrics({ store, provisioning, version: VERSION, isProcess })
  const sources = { provisioning, live, metrics }
  const api = createApi({ ...auth, admission }, sources, apiMiddleware)
  const console = { auth, admission, ...createInner(api, scim) }
  const serveOther = createOther(api, createLazyConsole(console))
  const observe = createObserver({ log, metrics, provisioning, recorder, now: clock })
  return {
    endStreams: live.close,
    fetch: async (original, { origin = null, address = null } = {}) => {
      const started = performance.now()
      const scimPath = findScimPath(original.url)
      const isScim = scimPath !== null
      const request = isScim ? original : asServed(original)
      const received = receive(request, { origin: publicOrigin ?? origin, address, scimPath })
      if (isScim) await recorder?.refresh()
      const response = await (isScim ? scim.fetch(request) : serveOther(request))
      // The SCIM endpoint does so itself: a header of a finished response costs a tenth of the processor time.
      if (!isScim) addHeaders(response, received)
      return observe(request, response, { method: original.method, started })
    },
  }
}

/** Creates the functions that answer the requests of the console to the other endpoints. */
function createInner(api: Api, scim: Pick<Api, 'fetch'>): Served {
  const answer = async (
    { fetch }: Pick<Api, 'fetch'>,
    request: Request,
    outer: Request,
    grant: Principal | null,
  ): Promise<Response> => {
    const { origin } = receivedOf(outer)
    receive(request, { origin, scimPath: findScimPath(request.url), grant })
    const response = await fetch(request)
    report(outer, { fault: outcomeOf(request).fault })
    return response
  }
  return {
    api: (request, outer) => answer(api, request, outer, null),
    scim: (request, outer, principal) => answer(scim, request, outer, principal),
  }
}

/** Creates the function that answers all paths except those of SCIM. It never rejects. */
function createOther(api: Api, console: Serve): Serve {
  const serveDocument = createDocumentHandler()
  return async (request) => {
    // The client may have closed the connection while the request waited.
    if (request.signal.aborted) return new Response(null, { status: HUNG_UP })
    const { pathname } = new URL(request.url)
    if (pathname === DOCUMENT_PATH) {
      report(request, { route: DOCUMENT_PATH })
      return await serveDocument(request, originOf(request, receivedOf(request)))
    }
    if (pathname === '/') {
      const { serveRoot } = await import('./console/root.ts')
      return await serveRoot(request)
    }
    const isConsole = pathname === CONSOLE_PATH || pathname.startsWith(`${CONSOLE_PATH}/`)
    const response = await (isConsole ? console(request) : api.fetch(request))
    return request.signal.aborted ? new Response(null, { status: HUNG_UP }) : response
  }
}

type Serve = (request: Request) => Promise<Response>

/** Creates the console with its first request: its pages are a tenth of an idle server's memory. */
function createLazyConsole(options: ConsoleOptions): Serve {
  let console: Promise<Serve> | undefined
  return async (request) => {
    console ??= import('./console/console.ts').then(({ createConsole }) => createConsole(options))
    return await (await console)(request)
  }
}

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
function addHeaders({ headers }: Response, { id }: Received): void {
  headers.set(REQUEST_ID, id)
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  headers.set('X-Content-Type-Options', 'nosniff')
}

/** The path of the OpenAPI document of the management API. */
const DOCUMENT_PATH = '/openapi.json'
