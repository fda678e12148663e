import { createOutbox } from '@plumbline/scim/endpoint'
import type { ProvisioningLog } from './features/log/provisioning-log.ts'
import { createMetrics, type Metrics } from './features/metrics/metrics.ts'
import type { SurveyOptions } from './features/metrics/survey.ts'
import type { Recorder } from './features/recordings/recorder.ts'
import { createDirectoryEndpoint } from './features/scim/endpoint.ts'
import { createReceivers, type Receivers } from './features/webhooks/addresses.ts'
import { acceptedBy } from './features/webhooks/deliveries.ts'
import type { DeliveryOptions } from './features/webhooks/delivery-job.ts'
import { createSendChange, type SendChange } from './features/webhooks/send-change.ts'
import { createAdmission } from './kernel/access/admission.ts'
import type { Principal } from './kernel/access/authenticate.ts'
import { expressible } from './kernel/clock.ts'
import { UNREAD_LIMITS } from './kernel/limits.ts'
import type { ClientLimits } from './kernel/rate-limit/client-limits.ts'
import { createLargeBodies } from './kernel/requests/large-bodies.ts'
import type { Answered } from './kernel/requests/outcome.ts'
import { originOf, type Received, receive, receivedOf } from './kernel/requests/received.ts'
import { REQUEST_ID } from './kernel/requests/request-id.ts'
import { findScimPath } from './kernel/requests/scim-path.ts'
import type { Store } from './kernel/store/store.ts'
import { VERSION } from './kernel/version.ts'
import { createLiveStreams } from './shell/api/live-streams.ts'
import { type ApiMiddleware, createApi } from './shell/api.ts'
import type { Outer, Served } from './shell/console/context.ts'
import { CONSOLE_PATH } from './shell/console/routes.ts'
import type { ConsoleOptions } from './shell/console.ts'
import { createDocumentHandler } from './shell/document.ts'
import { createObserver, HUNG_UP } from './shell/observe/observe.ts'
import type { Log } from './shell/observe/request-log.ts'
import type { Telemetry } from './shell/observe/telemetry.ts'

/** Options for `createDirectory`. */
export interface DirectoryOptions {
  readonly store: Store
  /** A token accepted in addition to those in the database. */
  readonly token?: string | null
  /**
   * The origin in resource locations, and the issuer for Security Event Tokens. Defaults to each request's origin.
   * Tokens are pushed only with it.
   */
  readonly publicOrigin?: string | null
  /** Logs each request; no log by default. */
  readonly log?: Log
  /** Stores the SCIM requests; null by default. */
  readonly provisioning?: ProvisioningLog | null
  /** Limits clients' requests; null by default. */
  readonly limits?: ClientLimits | null
  /** Whether `/metrics` also describes the process, such as its memory; false by default. */
  readonly isProcess?: boolean
  /** Records tenants' requests; null by default. */
  readonly recorder?: Recorder | null
  /** Decides which webhook receivers are permitted. Defaults to those with public addresses. */
  readonly receivers?: Receivers
  /** OpenTelemetry spans and metrics; null by default. */
  readonly telemetry?: Telemetry | null
  /** How often (ms) a silent stream sends a comment; 15 seconds by default. */
  readonly heartbeat?: number
  /** Returns the time in milliseconds since 1970; `Date.now` by default. */
  readonly now?: () => number
  /** Wraps every exchange with the management API, for example to record conformance. */
  readonly apiMiddleware?: ApiMiddleware
}

/** A directory server, without a socket. */
export interface Directory {
  /**
   * Answers a request; never rejects. `origin` is the origin where the server received the request, and defaults to the
   * origin in the URL. A client can send any Host header. `address` is the connection's.
   */
  fetch(
    request: Request,
    options?: { readonly origin?: string; readonly address?: string | undefined },
  ): Promise<Response>
  /** Options for delivering changes to webhooks. Deliveries count in this server's metrics. */
  readonly delivery: Pick<DeliveryOptions, 'send' | 'observe'>
  /** Where this server's metrics get the facts about the database. */
  readonly survey: Pick<SurveyOptions, 'observe'>
  /** Ends responses that never end on their own, and rejects new ones: the server is stopping. */
  endStreams(): void
}

/** Creates the directory server over an open database. */
export function createDirectory({
  store,
  token = null,
  publicOrigin = null,
  log = () => undefined,
  provisioning = null,
  limits = null,
  recorder = null,
  telemetry = null,
  isProcess = false,
  receivers = createReceivers(),
  heartbeat = 15_000,
  now = Date.now,
  apiMiddleware = (_, next) => next(),
}: DirectoryOptions): Directory {
  const live = createLiveStreams({ store, heartbeat })
  const clock = () => expressible(now())
  const auth = { store, token, now: clock }
  const admission = createAdmission({ ...auth, senderOf: receivedOf, limits })
  // All endpoints share what may be in memory.
  const outbox = createOutbox(UNREAD_LIMITS)
  const bodies = createLargeBodies()
  const scim = createDirectoryEndpoint({ store, now: clock, admission, outbox, bodies })
  const meter = telemetry?.meter ?? null
  const measured = { store, provisioning, version: VERSION, now: clock }
  const metrics = createMetrics({ ...measured, isProcess, meter })
  const send = countDeliveries(
    createSendChange({ store, publicOrigin, receivers, now: clock }),
    metrics,
  )
  const sources = { provisioning, recorder, live, metrics, outbox, receivers, send, publicOrigin }
  const api = createApi({ ...auth, admission, bodies }, sources, apiMiddleware)
  const console = { auth, admission, ...createInner(api, scim) }
  const serveOther = createOther(api, createLazyConsole(console))
  const observe = createObserver({ log, metrics, provisioning, recorder, now: clock })
  return {
    delivery: { send, observe: metrics.observeLease },
    survey: { observe: metrics.observeSurvey },
    endStreams: live.close,
    fetch: async (original, { origin = null, address = null } = {}) => {
      const started = performance.now()
      const scimPath = findScimPath(original.url)
      const isScim = scimPath !== null
      const request = isScim ? original : asServed(original)
      const received = receive(request, { origin: publicOrigin ?? origin, address, scimPath })
      if (isScim) await recorder?.refresh()
      const answer = (): Promise<Answered> => (isScim ? scim(request) : serveOther(request))
      const answered = await (telemetry === null
        ? answer()
        : telemetry.tracing(request, original.method, answer))
      // The SCIM endpoint does so itself: a header on a finished response costs a tenth of the processor time.
      if (!isScim) addHeaders(answered.response, received)
      return observe(request, answered, { method: original.method, started })
    },
  }
}

/** Counts attempts to send changes. */
function countDeliveries(send: SendChange, metrics: Pick<Metrics, 'observeDelivery'>): SendChange {
  return async (webhook, ...sent) => {
    const attempt = await send(webhook, ...sent)
    const isAccepted = acceptedBy(webhook)(attempt)
    const failure = attempt.status === null ? 'unanswered' : 'rejected'
    metrics.observeDelivery(isAccepted ? 'accepted' : failure)
    return attempt
  }
}

/** Creates the functions that answer the console's requests to the other endpoints. */
function createInner(api: Serve, scim: Serve): Served {
  const answer = async (
    serve: Serve,
    request: Request,
    outer: Outer,
    grant: Principal | null,
  ): Promise<Response> => {
    const { origin } = receivedOf(outer.request)
    receive(request, { origin, scimPath: findScimPath(request.url), grant })
    const { response, facts } = await serve(request)
    outer.facts.fault ??= facts.fault
    return response
  }
  return {
    api: (request, outer) => answer(api, request, outer, null),
    scim: (request, outer, principal) => answer(scim, request, outer, principal),
  }
}

/** Creates the function that answers all paths except SCIM's. Never rejects. */
function createOther(api: Serve, console: Serve): Serve {
  const serveDocument = createDocumentHandler()
  return async (request) => {
    // The client may have closed the connection while the request waited.
    if (request.signal.aborted)
      return { response: new Response(null, { status: HUNG_UP }), facts: {} }
    const { pathname } = new URL(request.url)
    if (pathname === DOCUMENT_PATH) {
      const response = await serveDocument(request, originOf(request, receivedOf(request)))
      return { response, facts: { route: pathname } }
    }
    if (pathname === '/') {
      const { serveRoot } = await import('./shell/root.ts')
      return { response: await serveRoot(request), facts: { route: pathname } }
    }
    const isConsole = pathname === CONSOLE_PATH || pathname.startsWith(`${CONSOLE_PATH}/`)
    const answered = await (isConsole ? console : api)(request)
    if (!request.signal.aborted) return answered
    return { ...answered, response: new Response(null, { status: HUNG_UP }) }
  }
}

/** Answers a request, and returns the facts about it. */
type Serve = (request: Request) => Promise<Answered>

/** Creates the console on the first request: the pages are a tenth of an idle server's memory. */
function createLazyConsole(options: ConsoleOptions): Serve {
  let console: Promise<Serve> | undefined
  return async (request) => {
    console ??= import('./shell/console.ts').then(({ createConsole }) => createConsole(options))
    return await (await console)(request)
  }
}

/** Removes the trailing slash from a request's path. */
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

/**
 * Adds the request id, forbids caching personal data, and tells a rejected client when to try again. Only the OpenAPI
 * document sets its own Cache-Control.
 */
function addHeaders({ status, headers }: Response, { id }: Received): void {
  const isRetried = status === 429 || status === 503
  if (isRetried && !headers.has('Retry-After')) headers.set('Retry-After', RETRY_AFTER)
  headers.set(REQUEST_ID, id)
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  headers.set('X-Content-Type-Options', 'nosniff')
}

/** In seconds. Without it, some clients try again immediately, for ever (RFC 9110 §10.2.3). */
const RETRY_AFTER = '5'
/** The path to the management API's OpenAPI document. */
const DOCUMENT_PATH = '/openapi.json'
