import { isFailure, unwrap } from '@plumbline/result'
import type { Call } from '../bulk/types.ts'
import { alreadyRead, isEmptyBody, readBody } from '../message/read-body.ts'
import { parseTarget, type Target } from './addresses.ts'
import type { Answer, ChangeReports, Exchange, Handler, Write } from './core/exchange.ts'
import { endpointNotFound, type Failures, MethodError } from './failures.ts'
import { requireClient } from './options/faults.ts'
import type { ExtraHeaders } from './options/headers.ts'
import type { Outbox } from './options/outbox.ts'
import type { Answered } from './options.ts'
import type { Prepared } from './prepare.ts'
import { respond, respondWithoutBody } from './respond.ts'
import type { Matched } from './routes.ts'

/** The parts of an endpoint, for answering requests. */
export interface Service<Context> extends ExchangeParts<Context> {
  readonly failures: Failures<Context>
  readonly find: (path: string) => Matched<Context> | null
  readonly authenticate: (request: Request) => Promise<Context | null>
  readonly client: (context: Context) => string
  readonly outbox: Outbox
  readonly headersOf: (request: Request) => ExtraHeaders
  readonly onAnswer: (answered: Answered<Context>) => void
  readonly watchOrigin: (request: Request, origin: string) => void
}

/** Answers a request. A failure is answered with an error document. */
export async function answerRequest<Context>(
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
    facts.ignored = [...(answered.ignored ?? [])]
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

/** Errors are small, so they are not counted. */
export function respondToFailure<Context>(
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

/** Answers a bulk operation like a separate request (RFC 7644 §3.7). It does not throw. */
export async function executeCall<Context>(
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

/** An answer's facts, as far as they are known. */
export type Facts<Context> = {
  -readonly [Name in Exclude<keyof Answered<Context>, 'status'>]: Answered<Context>[Name]
}

/** Creates the facts of a new request, before the route is known. */
export function createFacts<Context>(request: Request): Facts<Context> {
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

/** The endpoint parts that all exchanges share. */
export interface ExchangeParts<Context> {
  readonly prepared: Prepared<Context>
  readonly write: Write<Context>
  readonly changes: ChangeReports<Context> | null
  readonly turn: (context: Context, bytes: number) => Promise<void> | undefined
}

/** Creates an authenticated client's exchange. It adds the body to the facts when it is read. */
export function createExchange<Context>(
  service: ExchangeParts<Context>,
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
    turn,
    types: prepared.types,
    write,
    changes,
  }
}

/** Used without the option `headers`. */
export const NO_HEADERS: ExtraHeaders = {}
