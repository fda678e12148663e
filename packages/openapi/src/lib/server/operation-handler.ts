import { isFailure } from '@plumbline/result'
import { checkExchange } from '../conformance/check.ts'
import type { Contract } from '../conformance/responses.ts'
import { ConformanceError } from '../conformance/violation.ts'
import { defined } from '../json/defined.ts'
import type { SecurityRequirement } from '../openapi.ts'
import type { AnyOperation } from '../operation.ts'
import type { RouterParams } from '../spec/operation-spec.ts'
import { authenticate, type SecurityOptions } from './authenticate.ts'
import type { AnswerDefault } from './default-answers.ts'
import { limitBody } from './limit-body.ts'
import { prepareReplies, type ReplyOptions } from './reply.ts'
import type { ServerOptions } from './types.ts'

/** Answers the requests of one operation. It never rejects. */
export type OperationHandler = (request: Request, params?: RouterParams) => Promise<Response>

/** A handler of any operation. */
export type AnyHandler = (context: object) => unknown

/** One operation, and everything that its requests need. */
export interface OperationParts {
  readonly operation: AnyOperation
  /** The pattern of its route, as text. */
  readonly pattern: string
  readonly contract: Contract
  readonly handler: AnyHandler
  readonly requirements: readonly SecurityRequirement[]
  readonly security: SecurityOptions
  /** The problems that the operation names. */
  readonly problems: object
  readonly answerDefault: AnswerDefault
  readonly options: ServerOptions
}

/**
 * Creates the function that answers the requests of an operation: it authenticates, limits the body, parses,
 * calls the handler, and checks the answer.
 */
export function createOperationHandler(parts: OperationParts): OperationHandler {
  const respond = createResponder(parts)
  const check = createCheck(parts)
  const report = createReport(parts)
  const handle: OperationHandler = async (request, params = {}) => {
    let response: Response
    try {
      response = await respond(request, params, report)
      await check(request, response)
    } catch (error) {
      response = (await report(error, request)) ?? parts.answerDefault('internal')
    }
    return request.method === 'HEAD' ? withoutBody(response) : response
  }
  return wrap(handle, parts, report)
}

/** Runs the middleware around a handler. An error of the middleware is reported like one of the handler. */
function wrap(
  handle: OperationHandler,
  { operation: { operationId }, pattern, answerDefault, options: { middleware } }: OperationParts,
  report: Report,
): OperationHandler {
  if (middleware === undefined) return handle
  return async (request, params) => {
    try {
      return await middleware({ request, operationId, pattern }, () => handle(request, params))
    } catch (error) {
      const response = (await report(error, request)) ?? answerDefault('internal')
      return request.method === 'HEAD' ? withoutBody(response) : response
    }
  }
}

/** Reports an error, and returns the answer that `onError` chooses. */
type Report = (error: unknown, request: Request) => Promise<Response | null>

function createResponder({
  operation,
  handler,
  requirements,
  security,
  problems,
  answerDefault,
  options: { bodyLimit = MEBIBYTE },
}: OperationParts) {
  const write = prepareReplies(operation.operationId, operation.spec)
  return async (request: Request, params: RouterParams, report: Report): Promise<Response> => {
    const { principal, rejection } = await authenticate(request, requirements, security)
    if (rejection) {
      const challenges = rejection.challenges.map((one): [string, string] => [CHALLENGE, one])
      const { detail } = rejection
      return answerDefault(rejection.reason, { headers: challenges, ...defined({ detail }) })
    }
    const limited =
      operation.spec.body === undefined ? request : await limitBody(request, bodyLimit)
    if (limited === 'too-large') {
      return answerDefault('tooLarge', { detail: `The body must have at most ${bodyLimit} bytes.` })
    }
    if (limited === 'unreadable') {
      return answerDefault('malformed', { detail: 'The body could not be read.' })
    }
    const parsed = await operation.parse(limited, params)
    if (isFailure(parsed)) {
      const { error } = parsed
      // The schema threw: the error may not be the client's.
      const chosen = error.cause === undefined ? null : await report(error.cause, request)
      return chosen ?? answerDefault(REASONS[error.code], { error })
    }
    const reply = (status: number, body?: unknown, options?: ReplyOptions): Response =>
      write(request, status, body, options)
    const { signal } = request
    const context = { ...Object(parsed.data), request, signal, principal, reply, problems }
    const answer = await handler(context)
    if (answer instanceof Response) return answer
    throw new TypeError(`the handler of ${operation.operationId} did not return an answer`)
  }
}

function createCheck({ contract, options }: OperationParts) {
  const { checkResponses, onViolation = () => undefined } = options
  return async (request: Request, response: Response): Promise<void> => {
    if (checkResponses === undefined) return
    const { violations } = await checkExchange(contract, request, response)
    if (violations.length === 0) return
    onViolation(violations, { request, operationId: contract.operationId })
    if (checkResponses === 'throw') throw new ConformanceError(violations)
  }
}

function createReport({ operation, problems, options }: OperationParts): Report {
  const { onError = (error: unknown) => console.error(error) } = options
  return async (error, request) => {
    // The client has closed the connection: it is not an error of the handler.
    if (request.signal.aborted && error === request.signal.reason) return null
    try {
      const { operationId } = operation
      const answer = await onError(error, { request, operationId, problems })
      return answer instanceof Response ? answer : null
    } catch {
      // An error of `onError` cannot be reported.
      return null
    }
  }
}

/** RFC 9110 §9.3.2: the header fields of GET, and no content. */
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
