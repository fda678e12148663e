import { isFailure } from '@plumbline/result'
import { checkExchange } from '../conformance/check.ts'
import type { Observe } from '../conformance/live/live-recorder.ts'
import type { Contract } from '../conformance/responses.ts'
import { ConformanceError } from '../conformance/violation.ts'
import { defined } from '../json/defined.ts'
import type { SecurityRequirement } from '../openapi.ts'
import type { AnyOperation } from '../operation.ts'
import { type Parts, parseRequest } from '../request/parse.ts'
import type { RouterParams } from '../spec/operation-spec.ts'
import { authenticate, type SecurityOptions } from './authenticate.ts'
import type { AnswerDefault } from './default-answers.ts'
import { announceDeprecation } from './deprecation.ts'
import { limitBody } from './limit-body.ts'
import { prepareReplies, type ReplyOptions, type WriteReply } from './reply.ts'
import type { ServerOptions } from './types.ts'

/** Answers one operation's requests. It never rejects. */
export type OperationHandler = (request: Request, params?: RouterParams) => Promise<Response>

/** A handler for any operation. */
export type AnyHandler = (context: object) => unknown

/** One operation, and everything its requests need. */
export interface OperationParts {
  readonly operation: AnyOperation
  /** Its route's pattern, as text. */
  readonly pattern: string
  readonly contract: Contract
  readonly handler: AnyHandler
  readonly requirements: readonly SecurityRequirement[]
  readonly security: SecurityOptions
  /** The problems the operation names. */
  readonly problems: object
  readonly answerDefault: AnswerDefault
  /** Checks a share of the answers in production; null unless `checkResponses` configures live checks. */
  readonly observe: Observe | null
  readonly options: ServerOptions
}

/**
 * Creates the function that answers an operation's requests: it authenticates, limits the body, parses,
 * calls the handler, and checks the answer.
 */
export function createOperationHandler(parts: OperationParts): OperationHandler {
  const bodies: ReadBodies | null = parts.options.middleware ? new WeakMap() : null
  const respond = createResponder(parts, bodies)
  const check = createCheck(parts)
  const report = createReport(parts)
  const handle: OperationHandler = async (request, params = {}) => {
    let response: Response
    try {
      response = await respond(request, params, report)
      if (check !== null) await check(request, response)
    } catch (error) {
      response = (await report(error, request)) ?? parts.answerDefault('internal')
    }
    return request.method === 'HEAD' ? withoutBody(response) : response
  }
  const announced = announceDeprecation(handle, parts.operation.spec)
  return wrap(observed(announced, parts), parts, report, bodies)
}

/** Bytes already read from request bodies, for the middleware. */
type ReadBodies = WeakMap<Request, ArrayBuffer>

function observed(
  handle: OperationHandler,
  { contract, observe }: OperationParts,
): OperationHandler {
  if (observe === null) return handle
  return (request, params = {}) =>
    observe(
      request,
      () => ({ value: contract, params }),
      () => handle(request, params),
    )
}

/** Runs the middleware around a handler. Its errors are reported like the handler's. */
function wrap(
  handle: OperationHandler,
  { operation: { operationId }, pattern, answerDefault, options: { middleware } }: OperationParts,
  report: Report,
  bodies: ReadBodies | null,
): OperationHandler {
  if (middleware === undefined) return handle
  return async (request, params) => {
    try {
      const readBytes = () => bodies?.get(request) ?? null
      const matched = { request, operationId, pattern, readBytes }
      return await middleware(matched, () => handle(request, params))
    } catch (error) {
      const response = (await report(error, request)) ?? answerDefault('internal')
      return request.method === 'HEAD' ? withoutBody(response) : response
    }
  }
}

/** Reports an error and returns the answer chosen by `onError`. */
type Report = (error: unknown, request: Request) => Promise<Response | null>

function createResponder(
  {
    operation,
    contract,
    handler,
    requirements,
    security,
    problems,
    answerDefault,
    options,
  }: OperationParts,
  bodies: ReadBodies | null,
) {
  const bodyLimit = operation.spec.bodyLimit ?? options.bodyLimit ?? MEBIBYTE
  const write = prepareReplies(operation.operationId, operation.spec)
  const callStream = prepareStreamCall({ contract, handler, answerDefault, options }, write)
  return async (request: Request, params: RouterParams, report: Report): Promise<Response> => {
    const authenticating = authenticate(request, requirements, security)
    const { principal, rejection } =
      authenticating instanceof Promise ? await authenticating : authenticating
    if (rejection) {
      const challenges = rejection.challenges.map((one): [string, string] => [CHALLENGE, one])
      const { detail } = rejection
      return answerDefault(rejection.reason, { headers: challenges, ...defined({ detail }) })
    }
    const limiting =
      operation.spec.body === undefined ? null : limitBody(request, bodyLimit, bodies !== null)
    const bytes = limiting instanceof Promise ? await limiting : limiting
    if (bytes === 'too-large') {
      return answerDefault('tooLarge', { detail: `The body must have at most ${bodyLimit} bytes.` })
    }
    if (bytes === 'unreadable') {
      return answerDefault('malformed', { detail: 'The body could not be read.' })
    }
    bodies?.set(request, bytes ?? new ArrayBuffer())
    const parsed = await parseRequest(operation.spec, request, params, bytes)
    if (isFailure(parsed)) {
      const { error } = parsed
      // The schema threw: the error may not be the client's.
      const chosen = error.cause === undefined ? null : await report(error.cause, request)
      return chosen ?? answerDefault(REASONS[error.code], { error })
    }
    const reply = (status: number, body?: unknown, options?: ReplyOptions): Response =>
      write(request, status, body, options)
    const context = new Context(parsed.data, { request, principal, reply, problems })
    const answer = await (callStream === null
      ? handler(context)
      : callStream(context, request, report))
    // Fetch §5.5: `Response.error()` has the status 0, which cannot be sent. Reading its `type` would make some servers
    // create a whole response, which takes a third of the processor time of a request over HTTP.
    if (answer instanceof Response && answer.status !== 0) return answer
    throw new TypeError(`the handler of ${operation.operationId} did not return an answer`)
  }
}

/** The handler context. A getter in an object literal would take ten times as long. */
class Context {
  readonly params: unknown
  readonly query: unknown
  readonly headers: unknown
  readonly cookies: unknown
  readonly body: unknown
  readonly request: Request
  readonly principal: unknown
  readonly reply: unknown
  readonly problems: object

  constructor(
    { params, query, headers, cookies, body }: Parts,
    { request, principal, reply, problems }: Omit<Context, keyof Parts | 'signal'>,
  ) {
    this.params = params
    this.query = query
    this.headers = headers
    this.cookies = cookies
    this.body = body
    this.request = request
    this.principal = principal
    this.reply = reply
    this.problems = problems
  }

  /** Some servers create a request's signal only when it is read. */
  get signal(): AbortSignal {
    return this.request.signal
  }
}

/** Calls a handler that may return a stream; null without streams. An API without streams does not load their code. */
function prepareStreamCall(
  {
    contract,
    handler,
    answerDefault,
    options,
  }: Pick<OperationParts, 'contract' | 'handler' | 'answerDefault' | 'options'>,
  write: WriteReply,
): ((context: object, request: Request, report: Report) => unknown) | null {
  if (![...contract.responses.values()].some(({ stream }) => stream)) return null
  return async (context, request, report) => {
    const { answerStream } = await import('./answer-stream.ts')
    const reportTo = async (error: unknown) =>
      (await report(error, request)) ?? answerDefault('internal')
    return await answerStream({
      request,
      contract,
      handler,
      context,
      write,
      report: reportTo,
      options,
    })
  }
}

function createCheck({ contract, options }: OperationParts) {
  const { checkResponses, onViolation = () => undefined } = options
  if (checkResponses !== 'throw' && checkResponses !== 'report') return null
  return async (request: Request, response: Response): Promise<void> => {
    const { violations } = await checkExchange(contract, request, response)
    if (violations.length === 0) return
    onViolation(violations, { request, operationId: contract.operationId })
    if (checkResponses === 'throw') throw new ConformanceError(violations)
  }
}

function createReport({ operation, problems, options }: OperationParts): Report {
  const { onError = (error: unknown) => console.error(error) } = options
  return async (error, request) => {
    // The client closed the connection: not a handler error.
    if (request.signal.aborted && error === request.signal.reason) return null
    try {
      const { operationId } = operation
      const answer = await onError(error, { request, operationId, problems })
      return answer instanceof Response ? answer : null
    } catch {
      // Errors thrown by `onError` cannot be reported.
      return null
    }
  }
}

/** RFC 9110 §9.3.2: GET's header fields, without content. */
export function withoutBody({ status, headers, body }: Response): Response {
  void body?.cancel().catch(() => undefined)
  return new Response(null, { status, headers })
}

const REASONS = {
  invalid: 'invalid',
  malformed: 'malformed',
  'unsupported-media-type': 'unsupportedMediaType',
} as const

const CHALLENGE = 'WWW-Authenticate'
const MEBIBYTE = 1024 * 1024
