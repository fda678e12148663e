import { isFailure, unwrap } from '@plumbline/result'
import { createBodyTurns } from '../bulk/turns.ts'
import type { Call } from '../bulk/types.ts'
import { alreadyRead, isEmptyBody, readBody } from '../message/read-body.ts'
import type { Answer } from './answer.ts'
import type { ChangeReports, Exchange, Handler, Write } from './exchange.ts'
import { createFailures, endpointNotFound, type Failures, MethodError } from './failures.ts'
import { type ExtraHeaders, requireHeaders } from './headers.ts'
import { addIgnored } from './ignored.ts'
import { isBodyRead, mountFault } from './mount.ts'
import { notify } from './notify.ts'
import type { Answered, ScimEndpointOptions, TransactionIfNeeded } from './options.ts'
import { createOriginWatch } from './origins.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { type Prepared, prepareOptions } from './prepare.ts'
import { type ResourceReader, readerOf } from './reader.ts'
import { prepareReports } from './report-changes.ts'
import { respond, respondWithoutBody } from './respond.ts'
import { createRoutes, type Matched } from './routes.ts'
import { parseTarget, type Target } from './target.ts'
import { requireClient } from './verdicts.ts'
import { createWrite } from './writing.ts'

/** A SCIM endpoint a server mounts (RFC 7644). */
export interface ScimEndpoint {
  /**
   * Answers a request. It never rejects: every error is a SCIM document (RFC 7644 §3.12). An argument that is not a
   * web-standard Request, such as Express's, is a TypeError that names an adapter.
   */
  readonly fetch: (request: Request) => Promise<Response>
}

/** An endpoint whose transactions other work can use. */
export interface TransactingEndpoint<Context> extends ScimEndpoint {
  /**
   * Runs work in a transaction as a write does, such as a job comparing the resources with other tables. It passes on
   * whatever the work throws.
   *
   * @param context a client's context, as returned by `authenticate`
   */
  readonly transact: <Value>(
    context: Context,
    work: (resources: ResourceReader, transaction: Context) => Promise<Value>,
  ) => Promise<Value>
}

/**
 * Creates the SCIM endpoint over an application's stores.
 *
 * It serves every method and path of RFC 7644: resources, lists, `.search`, `/Bulk`, `/Me` and the discovery
 * documents, with filters, sorting, projection, PATCH, entity tags and preconditions. A type's definitions
 * decide which attributes exist. Throws a `TypeError` that names the option for one that cannot be right.
 *
 * @example
 * ```ts
 * import { ENTERPRISE_USER_DEFINITION, USER_DEFINITION } from '@plumbline/scim/discovery'
 * import {
 *   bearerTokens,
 *   createScimEndpoint,
 *   defineResourceType,
 *   issueToken,
 *   memoryStore,
 * } from '@plumbline/scim/endpoint'
 *
 * const definitions = {
 *   [USER_DEFINITION.id]: USER_DEFINITION,
 *   [ENTERPRISE_USER_DEFINITION.id]: ENTERPRISE_USER_DEFINITION,
 * }
 * const store = memoryStore({ definitions })
 * const { token } = await issueToken()
 * const scim = createScimEndpoint({
 *   basePath: '/scim/v2',
 *   resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', definitions, store })],
 *   authenticate: bearerTokens({ token, context: { tenant: 'a' } }),
 *   onError: (error) => console.error(error),
 * })
 * const url = 'https://example.com/scim/v2/Users'
 * const rejected = await scim.fetch(new Request(url))
 * rejected.status //=> 401
 * const headers = { Authorization: `Bearer ${token}` }
 * const answered = await scim.fetch(new Request(url, { headers }))
 * answered.status //=> 200
 * ```
 * @see RFC 7644 §3
 */
export function createScimEndpoint<Context extends object>(
  options: ScimEndpointOptions<Context> & TransactionIfNeeded,
): TransactingEndpoint<Context> {
  const prepared = prepareOptions(options)
  const { authenticate, client = () => '', transaction, challenge = 'Bearer' } = options
  const { onError, toScimError } = options
  const failures = createFailures<Context>({ onError, toScimError, challenge })
  const find = createRoutes<Context>({
    ...prepared,
    execute: (exchange, call) => executeCall(service, exchange, call),
  })
  const write = createWrite<Context>(transaction)
  const changes = prepareReports(options, prepared.types)
  const outbox = options.outbox ?? createOutbox(prepared.limits)
  const service: Service<Context> = {
    prepared,
    failures,
    find,
    write,
    changes,
    authenticate,
    client,
    turn: options.turn ?? defaultTurn(),
    outbox,
    headersOf: prepareHeaders(options.headers),
    onAnswer: prepareOnAnswer(options.onAnswer),
    watchOrigin:
      options.base === undefined
        ? createOriginWatch((error, request) => failures.report(error, request, null))
        : () => undefined,
  }
  return {
    fetch: async (request: Request, ...rest: readonly unknown[]) => {
      const fault = mountFault(request)
      if (fault === null) return answer(service, request, isBodyRead(rest[0]))
      const [, next] = rest
      if (typeof next !== 'function') throw fault
      next(fault)
      return respondToFailure(service, failures.internal, NO_HEADERS, true)
    },
    transact: (context, work) => transact(service, context, work),
  }
}

function transact<Context, Value>(
  service: Service<Context>,
  context: Context,
  work: (resources: ResourceReader, transaction: Context) => Promise<Value>,
): Promise<Value> {
  const { prepared, write } = service
  const facts = createFacts<Context>(new Request(OWN_URL))
  const exchange = createExchange(service, facts, parseTarget(OWN_URL), context)
  return write(exchange, (own) => work(readerOf(own, prepared.types), own.context))
}

/** The URL for work not requested by a client. */
const OWN_URL = 'http://localhost/'

function defaultTurn(): (context: unknown, bytes: number) => Promise<void> | undefined {
  const turn = createBodyTurns()
  return (_, bytes) => turn(bytes)
}

/** An endpoint's parts. */
interface Service<Context> {
  readonly prepared: Prepared<Context>
  readonly failures: Failures<Context>
  readonly find: (path: string) => Matched<Context> | null
  readonly write: Write<Context>
  readonly changes: ChangeReports<Context> | null
  readonly authenticate: (request: Request) => Promise<Context | null>
  readonly client: (context: Context) => string
  readonly turn: (context: Context, bytes: number) => Promise<void> | undefined
  readonly outbox: Outbox
  readonly headersOf: (request: Request) => ExtraHeaders
  readonly onAnswer: (answered: Answered<Context>) => void
  readonly watchOrigin: (request: Request, origin: string) => void
}

function prepareHeaders(
  headers: ((request: Request) => unknown) | undefined,
): (request: Request) => ExtraHeaders {
  if (headers === undefined) return () => NO_HEADERS
  return (request) => requireHeaders(headers(request))
}

function prepareOnAnswer<Context>(
  report: ((answered: Answered<Context>) => void) | undefined,
): (answered: Answered<Context>) => void {
  if (report === undefined) return () => undefined
  return (answered) => notify('onAnswer', () => report(answered))
}

async function answer<Context>(
  service: Service<Context>,
  request: Request,
  isRead: boolean,
): Promise<Response> {
  const isHead = request.method === 'HEAD'
  const facts = createFacts<Context>(request)
  let response: Response
  let extra = NO_HEADERS
  try {
    extra = service.headersOf(request)
    const answered = await dispatch(service, request, facts, isRead)
    const hold = (length: number) =>
      service.outbox.hold(facts.context === null ? '' : service.client(facts.context), length)
    response = isHead ? respondWithoutBody(answered, extra) : respond(answered, extra, hold)
  } catch (thrown) {
    const failed = service.failures.answer(thrown, request, facts.context)
    facts.error = failed.error
    response = respondToFailure(service, failed, extra, isHead)
  }
  service.onAnswer({ ...facts, status: response.status })
  return response
}

/** Errors are small, so they are not counted. */
function respondToFailure<Context>(
  { failures }: Service<Context>,
  failed: Answer,
  extra: ExtraHeaders,
  isHead: boolean,
): Response {
  const hold = () => () => undefined
  const write = isHead ? respondWithoutBody : respond
  try {
    return write(failed, extra, hold)
  } catch {
    // A thrown ScimError's members may change between two reads.
    return write(failures.internal, NO_HEADERS, hold)
  }
}

function createFacts<Context>(request: Request): Facts<Context> {
  return {
    request,
    context: null,
    route: null,
    id: '',
    error: null,
    body: undefined,
    ignored: [],
  }
}

/** An answer's facts, as far as they are known. */
type Facts<Context> = {
  -readonly [Name in Exclude<keyof Answered<Context>, 'status'>]: Answered<Context>[Name]
}

async function dispatch<Context>(
  service: Service<Context>,
  request: Request,
  facts: Facts<Context>,
  isRead: boolean,
): Promise<Answer> {
  const { method } = request
  const target = parseTarget(request.url)
  const matched = findRoute(service, request, target)
  const handle = handlerOf(matched, method === 'HEAD' ? 'GET' : method)
  facts.route = matched.route.pattern
  facts.id = matched.id
  const context = requireClient(await service.authenticate(request))
  facts.context = context
  service.watchOrigin(request, target.origin)
  return await handle(createExchange(service, facts, target, context, isRead))
}

/** Answers a bulk operation like a separate request (RFC 7644 §3.7). It does not throw. */
async function executeCall<Context>(
  { prepared, find, failures }: Service<Context>,
  exchange: Exchange<Context>,
  { method, path, version, data }: Call,
): Promise<Answer> {
  try {
    const { signal }: { readonly signal?: AbortSignal } = exchange.request
    signal?.throwIfAborted()
    const matched = find(path)
    if (matched === null || !matched.route.isInBulk)
      throw endpointNotFound(prepared.types, path, '')
    const handle = handlerOf(matched, method)
    const conditions = { ifMatch: version ?? null, ifNoneMatch: null }
    return await handle({
      ...exchange,
      id: matched.id,
      query: '',
      conditions,
      body: async () => data,
    })
  } catch (error) {
    return failures.answer(error, exchange.request, exchange.context)
  }
}

function findRoute<Context>(
  { prepared, find }: Service<Context>,
  request: Request,
  { path }: Target,
): Matched<Context> {
  const basePath = prepared.basePathOf(request)
  const end = path.endsWith('/') ? path.length - 1 : path.length
  // Each route's path starts with a slash.
  const matched = path.startsWith(basePath) ? find(path.slice(basePath.length, end)) : null
  if (matched === null) throw endpointNotFound(prepared.types, path, basePath)
  return matched
}

function handlerOf<Context>({ route }: Matched<Context>, method: string): Handler<Context> {
  const handle = route.handlers.get(method)
  if (handle === undefined) throw new MethodError(route.allow)
  return handle
}

function createExchange<Context>(
  service: Service<Context>,
  facts: Facts<Context>,
  { origin, query }: Target,
  context: Context,
  isRead = false,
): Exchange<Context> {
  const { prepared, write, changes } = service
  const { request, id } = facts
  const { headers } = request
  const { limits, profileOf, baseOf } = prepared
  const turn = (bytes: number) => service.turn(context, bytes)
  return {
    request,
    context,
    profile: profileOf(context),
    limits,
    base: baseOf(request, origin),
    id,
    query,
    conditions: { ifMatch: headers.get('If-Match'), ifNoneMatch: headers.get('If-None-Match') },
    body: async () => {
      const received = await readBody(request, { limit: limits.body, turn })
      // Node has given a body to a reader, and the request is empty. It is not if the reader has cloned the request.
      if (isRead && isFailure(received) && isEmptyBody(received.error)) throw alreadyRead()
      facts.body = unwrap(received)
      return facts.body
    },
    reportIgnored: (paths) => {
      if (paths.size === 0) return
      // Bulk operations share the list.
      const all = new Set(facts.ignored)
      for (const path of paths) addIgnored(all, path)
      facts.ignored = [...all]
    },
    turn,
    types: prepared.types,
    write,
    changes,
  }
}

const NO_HEADERS: ExtraHeaders = {}
