import { type Bytes, defined, type Incoming, isResponse, notify, requestOf } from '@plumbline/base'
import { isFailure } from '@plumbline/result'
import { checkExchange } from '../check/check.ts'
import type { Contract } from '../check/responses.ts'
import { ConformanceError } from '../check/violation.ts'
import type { SecurityRequirement } from '../openapi.ts'
import type { AnyOperation } from '../operation.ts'
import type { OperationInputError } from '../request/input-error.ts'
import { type Parsed, type Parts, parseRequest } from '../request/parse.ts'
import type { RouterParams } from '../spec/operation-spec.ts'
import {
  type Authentication,
  prepareAuthentication,
  type Rejection,
  type SecurityOptions,
} from './authenticate.ts'
import type { AnswerDefault } from './default-answers.ts'
import { prepareDeprecation } from './deprecation.ts'
import { type Limited, limitBody } from './limit-body.ts'
import { prepareReplies, type ReplyOptions, type WriteReply } from './reply.ts'
import { createReport, type Report } from './report.ts'
import type { ServerOptions } from './types.ts'
import { whenKnown } from './when-known.ts'
import { WithRequest } from './with-request.ts'
import { withoutContent } from './without-content.ts'

/** Answers one operation's requests. It never rejects. */
export type OperationHandler = (request: Incoming, params?: RouterParams) => Promise<Response>

/** An operation as it is served. */
export interface ServedOperation {
  readonly handle: OperationHandler
  /** Answers a request whose answer could not be sent. It never rejects. */
  readonly recover: (request: Incoming, error: unknown) => Promise<Response>
}

/** A handler for any operation. */
export type AnyHandler = (context: object) => unknown

/** One operation, and everything requests to it need. */
export interface OperationParts {
  readonly operation: AnyOperation
  /** The route's pattern, as text. */
  readonly pattern: string
  readonly contract: Contract
  readonly handler: AnyHandler
  readonly requirements: readonly SecurityRequirement[]
  readonly security: SecurityOptions
  /** The problems the operation names. */
  readonly problems: object
  readonly answerDefault: AnswerDefault
  readonly options: ServerOptions
}

/**
 * Creates the function that answers an operation's requests: it authenticates, limits the body, parses,
 * calls the handler, and checks the answer.
 */
export function createOperationHandler(parts: OperationParts): ServedOperation {
  const { operation, answerDefault } = parts
  const bodies: ReadBodies | null = parts.options.middleware ? new WeakMap() : null
  const report = createReport(operation.operationId, parts)
  const respond = createResponder(parts, bodies, report)
  const check = createCheck(parts)
  const announce = prepareDeprecation(operation.spec)
  const handle: OperationHandler = async (request, params = {}) => {
    let response: Response
    try {
      const answering = respond(request, params)
      response = answering instanceof Promise ? await answering : answering
      if (check !== null) await check(request, response)
      if (announce !== null) response = announce(response)
    } catch (error) {
      response = (await report(error, request)) ?? answerDefault('internal')
      if (announce !== null) response = announce(response)
    }
    return withoutContent(request, response)
  }
  return {
    handle: wrap(handle, parts, report, bodies),
    recover: async (request, error) => (await report(error, request)) ?? answerDefault('internal'),
  }
}

/** Bytes already read from request bodies, for the middleware. */
type ReadBodies = WeakMap<Incoming, Bytes>

/** Runs the middleware around a handler. Middleware errors are reported like the handler's. */
function wrap(
  handle: OperationHandler,
  { operation: { operationId }, pattern, answerDefault, options: { middleware } }: OperationParts,
  report: Report,
  bodies: ReadBodies | null,
): OperationHandler {
  if (middleware === undefined) return handle
  return async (request, params) => {
    try {
      const readBytes = () => bufferOf(bodies?.get(request) ?? null)
      const matched = Object.assign(new WithRequest(request), { operationId, pattern, readBytes })
      const answer: unknown = await middleware(matched, () => handle(request, params))
      return requireAnswer(answer, 'middleware', operationId)
    } catch (error) {
      const response = (await report(error, request)) ?? answerDefault('internal')
      return withoutContent(request, response)
    }
  }
}

function requireAnswer(answer: unknown, owner: string, operationId: string): Response {
  // Fetch §5.5: `Response.error()` has the status 0, which cannot be sent. Reading the `type` would make some servers
  // create a whole response, which takes a third of the processor time of a request over HTTP.
  if (isResponse(answer) && answer.status !== 0) return answer
  throw new TypeError(`the ${owner} of ${operationId} did not return an answer`)
}

/** The bytes in a buffer of their own. */
function bufferOf(bytes: Bytes | null): ArrayBuffer | null {
  if (!(bytes instanceof Uint8Array)) return bytes
  return bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer
}

/**
 * Creates the function that answers a request, unless it throws. Each step waits only for what is asynchronous: promises
 * and generators take a tenth of the processor time of a small request.
 */
function createResponder(
  parts: OperationParts,
  bodies: ReadBodies | null,
  report: Report,
): (request: Incoming, params: RouterParams) => Response | Promise<Response> {
  const { operation, requirements, security, answerDefault, options } = parts
  const { spec, operationId } = operation
  const authenticate = prepareAuthentication(requirements, security)
  const limit = spec.bodyLimit ?? options.bodyLimit ?? MEBIBYTE
  const call = createCall(parts, report)
  const checked = (answer: unknown): Response => requireAnswer(answer, 'handler', operationId)

  function handle(request: Incoming, principal: unknown, parsed: Parsed) {
    if (isFailure(parsed)) return answerInvalid(parsed.error, request, report, answerDefault)
    return whenKnown(call(request, principal, parsed.data), checked)
  }
  function parse(request: Incoming, params: RouterParams, principal: unknown, bytes: Limited) {
    if (typeof bytes === 'string') return answerUnread(bytes, limit, answerDefault)
    bodies?.set(request, bytes ?? new ArrayBuffer())
    const parsing = parseRequest(spec, request, params, bytes)
    return whenKnown(parsing, (parsed) => handle(request, principal, parsed))
  }
  function receive(request: Incoming, params: RouterParams, found: Authentication) {
    const { principal, rejection } = found
    if (rejection) return answerRejection(rejection, answerDefault)
    const limited = spec.body ? limitBody(request, limit, bodies !== null) : null
    return whenKnown(limited, (bytes) => parse(request, params, principal, bytes))
  }
  return (request, params) =>
    whenKnown(authenticate(request), (found) => receive(request, params, found))
}

function answerRejection(
  { reason, challenges, detail }: Rejection,
  answerDefault: AnswerDefault,
): Response {
  const headers = challenges.map((one): [string, string] => [CHALLENGE, one])
  return answerDefault(reason, { headers, ...defined({ detail }) })
}

function answerUnread(
  why: 'too-large' | 'unreadable',
  limit: number,
  answerDefault: AnswerDefault,
): Response {
  return why === 'too-large'
    ? answerDefault('tooLarge', { detail: `The body must have at most ${limit} bytes.` })
    : answerDefault('malformed', { detail: 'The body could not be read.' })
}

/** Answers a request that cannot be parsed. */
async function answerInvalid(
  error: OperationInputError,
  request: Incoming,
  report: Report,
  answerDefault: AnswerDefault,
): Promise<Response> {
  // The schema threw: the error may not be the client's.
  const chosen = error.cause === undefined ? null : await report(error.cause, request)
  return chosen ?? answerDefault(REASONS[error.code], { error })
}

/** Creates the function that calls the handler. */
function createCall(
  parts: OperationParts,
  report: Report,
): (request: Incoming, principal: unknown, parsed: Parts) => unknown {
  const { operation, handler, problems } = parts
  const write = prepareReplies(operation.operationId, operation.spec)
  const callStream = prepareStreamCall(parts, write, report)
  return (request, principal, parsed) => {
    const reply = (status: number, body?: unknown, options?: ReplyOptions): Response =>
      write(request, status, body, options)
    const context = new Context(parsed, request, { principal, reply, problems })
    return callStream === null ? handler(context) : callStream(context, request)
  }
}

/** The handler context. */
class Context extends WithRequest {
  readonly params: unknown
  readonly query: unknown
  readonly headers: unknown
  readonly cookies: unknown
  readonly body: unknown
  readonly principal: unknown
  readonly reply: unknown
  readonly problems: object

  constructor(
    { params, query, headers, cookies, body }: Parts,
    request: Incoming,
    { principal, reply, problems }: Pick<Context, 'principal' | 'reply' | 'problems'>,
  ) {
    super(request)
    this.params = params
    this.query = query
    this.headers = headers
    this.cookies = cookies
    this.body = body
    this.principal = principal
    this.reply = reply
    this.problems = problems
  }
}

/** Calls a handler that may return a stream; null without streams. An API without streams does not load their code. */
function prepareStreamCall(
  { contract, handler, answerDefault, options }: OperationParts,
  write: WriteReply,
  report: Report,
): ((context: Context, incoming: Incoming) => unknown) | null {
  if (![...contract.responses.values()].some(({ stream }) => stream)) return null
  return async (context, incoming) => {
    const { answerStream } = await import('./answer-stream.ts')
    const request = requestOf(incoming)
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
  return async (incoming: Incoming, response: Response): Promise<void> => {
    const request = requestOf(incoming)
    const { violations } = await checkExchange(contract, request, response)
    if (violations.length === 0) return
    const { operationId } = contract
    notify('onViolation', () => onViolation(violations, { request, operationId }))
    if (checkResponses === 'throw') throw new ConformanceError(violations)
  }
}

const REASONS = {
  invalid: 'invalid',
  malformed: 'malformed',
  'unsupported-media-type': 'unsupportedMediaType',
} as const

const CHALLENGE = 'WWW-Authenticate'
const MEBIBYTE = 1024 * 1024
