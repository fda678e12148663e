import { failure, type Result, success } from '@plumbline/result'
import { ContentError } from '../http/content-error.ts'
import type { Bytes, Incoming } from '../incoming.ts'
import type { OperationSpec, RouterParams } from '../spec/operation-spec.ts'
import { whenKnown } from '../when-known.ts'
import {
  coerceAlternatives,
  coerceBody,
  coerceContent,
  coerceParameters,
  parseJsonBody,
} from './coerce.ts'
import { inputError, OperationInputError } from './input-error.ts'
import { type PreparedBody, type PreparedParameters, preparedOf } from './prepare.ts'
import { type ReceivedBody, readBody, receiveBody, receiveParameters } from './receive.ts'
import { validate, validateCoerced, validateFirst } from './validate.ts'

/** A request's parts, as their schemas return them. */
export interface Parts {
  readonly params: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly cookies?: unknown
  readonly body?: unknown
}

/**
 * Reads a request as the operation's spec describes it, up to the first rejected part. Each part is received, coerced
 * and validated. Does not wait for synchronous schemas. A body already read must be given as its bytes.
 */
export function parseRequest(
  spec: OperationSpec,
  request: Incoming,
  routed: RouterParams,
  given: Bytes | null = null,
): Parsed | Promise<Parsed> {
  const { parameters, body } = preparedOf(spec)
  const read: Read = { params: routed }
  try {
    const reading = readParameters(parameters, request, routed, read)
    if (reading !== null) {
      return reading.then(() => finish(body, request, given, read)).catch(rejected)
    }
  } catch (error) {
    return rejected(error)
  }
  return finish(body, request, given, read)
}

type Parsed = Result<Parts, OperationInputError>
type Read = { -readonly [Location in keyof Parts]: Parts[Location] }

/** Reads the body, the last part. */
function finish(
  body: PreparedBody | null,
  request: Incoming,
  given: Bytes | null,
  read: Read,
): Parsed | Promise<Parsed> {
  if (body === null) return success(read)
  return given === null
    ? readBody(request, (bytes) => parseBody(body, request, bytes, read))
    : parseBody(body, request, given, read)
}

/** Returns the rejection of a request; throws every other error. */
function rejected(error: unknown): Parsed {
  if (error instanceof OperationInputError) return failure(error)
  if (!(error instanceof ContentError)) throw error
  return failure(inputError('body', error.message, error.code, error.path))
}

/** Reads the parameters one part after the other. Returns null, because a rejection is thrown. */
function readParameters(
  parameters: readonly PreparedParameters[],
  request: Incoming,
  routed: RouterParams,
  read: Read,
  from = 0,
): null | Promise<null> {
  for (let at = from; at < parameters.length; at += 1) {
    const prepared = parameters[at] as PreparedParameters
    const value = parseParameters(prepared, request, routed)
    if (value instanceof Promise) {
      return value.then((later: unknown) => {
        read[prepared.location] = later
        return readParameters(parameters, request, routed, read, at + 1)
      })
    }
    read[prepared.location] = value
  }
  return null
}

function parseParameters(
  parameters: PreparedParameters,
  request: Incoming,
  routed: RouterParams,
): unknown {
  const { location, schema, alternatives } = parameters
  const received = receiveParameters[location](request, parameters, routed)
  return alternatives.length === 0
    ? validate(location, schema, coerceParameters[location](received, parameters))
    : validateFirst(location, coerceAlternatives(location, received, parameters))
}

/** Does not leave a rejection to the caller: each promise more is a tenth of the time of a small request. */
function parseBody(
  body: PreparedBody,
  request: Incoming,
  bytes: Bytes | null,
  read: Read,
): Parsed | Promise<Parsed> {
  try {
    const parsing = whenKnown(receiveBody(body, request, bytes), validateBody)
    return parsing instanceof Promise
      ? parsing.then((value) => withBody(read, value)).catch(rejected)
      : withBody(read, parsing)
  } catch (error) {
    return rejected(error)
  }
}

function withBody(read: Read, body: unknown): Parsed {
  read.body = body
  return success(read)
}

function validateBody(received: ReceivedBody): unknown {
  if (received.kind === 'json') {
    // JSON values have types, so they are not coerced.
    return validate('body', received.schema.schema, parseJsonBody(received))
  }
  if (received.kind === 'content' && received.schema.alternatives.length === 0) {
    return validateCoerced('body', received.schema.schema, coerceContent(received))
  }
  // A body without bytes may be absent, but is rejected as the media type's empty value.
  const reported = received.kind === 'empty' ? 'last' : 'first'
  return validateFirst('body', coerceBody(received), reported)
}
