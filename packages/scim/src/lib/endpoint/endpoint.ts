import { notify } from '@plumbline/base'
import { createBodyTurns } from '../bulk/turns.ts'
import { isJsonObject } from '../json.ts'
import { createOriginWatch, parseTarget } from './addresses.ts'
import {
  answerRequest,
  createExchange,
  createFacts,
  executeCall,
  NO_HEADERS,
  respondToFailure,
  type Service,
} from './answer-request.ts'
import { prepareReports } from './changes/report-changes.ts'
import { createWrite } from './core/transaction.ts'
import { createFailures } from './failures.ts'
import { type ExtraHeaders, requireHeaders } from './options/headers.ts'
import { createOutbox } from './options/outbox.ts'
import type { Answered, ScimEndpointOptions, TransactionIfNeeded } from './options.ts'
import { prepareOptions } from './prepare.ts'
import { type ResourceReader, readerOf } from './read/resource-reader.ts'
import { createRoutes } from './routes.ts'

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
   * @param context a client's context, as `authenticate` returned it
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
      if (fault === null) return answerRequest(service, request, isBodyRead(rest[0]))
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

function defaultTurn(): (context: unknown, bytes: number) => Promise<void> | undefined {
  const turn = createBodyTurns()
  return (_, bytes) => turn(bytes)
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

/** The URL for work that no client requested. */
const OWN_URL = 'http://localhost/'

/**
 * Returns the error for an argument that is not a web-standard Request, such as Express's; null for a Request. Express
 * waits for `next`, so an endpoint mounted without an adapter would never answer.
 */
export function mountFault(request: unknown): TypeError | null {
  const headers = isJsonObject(request) ? request.headers : undefined
  if (isJsonObject(headers) && typeof headers.get === 'function') return null
  return new TypeError(
    'fetch must receive a Request: mount it with an adapter, such as getRequestListener(scim.fetch) of @hono/node-server',
  )
}

/**
 * Whether another middleware has read a request's body: reads the node:http message that adapters such as
 * @hono/node-server pass on. Some hosts keep the bytes for the adapter.
 */
export function isBodyRead(adapter: unknown): boolean {
  const incoming = isJsonObject(adapter) ? adapter.incoming : undefined
  return isJsonObject(incoming) && incoming.readableDidRead === true && !('rawBody' in incoming)
}
