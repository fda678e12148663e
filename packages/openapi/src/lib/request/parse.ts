import { failure, type Result, success } from '@plumbline/result'
import { ContentError } from '../http/content-error.ts'
import type { OperationSpec, RouterParams } from '../spec/operation-spec.ts'
import {
  coerceAlternatives,
  coerceBody,
  coerceContent,
  coerceParameters,
  parseJsonBody,
} from './coerce.ts'
import { inputError, OperationInputError } from './input-error.ts'
import { type PreparedParameters, preparedOf } from './prepare.ts'
import {
  type ReceivedBody,
  receiveBody,
  receivedText,
  receiveParameters,
  rejectUnreadable,
} from './receive.ts'
import { validate, validateCoerced, validateFirst } from './validate.ts'

/** A request's parts, as their schemas return them. */
export interface Parts {
  readonly params: unknown
  readonly query: unknown
  readonly headers: unknown
  readonly cookies: unknown
  readonly body: unknown
}

/**
 * Reads a request by its operation's spec, up to the first rejected part. Each part is received, coerced and validated.
 * Does not wait for synchronous schemas. A body already read must be given as its bytes.
 */
export async function parseRequest(
  spec: OperationSpec,
  request: Request,
  routed: RouterParams,
  given: ArrayBuffer | null = null,
): Promise<Result<Parts, OperationInputError>> {
  try {
    const { parameters, body } = preparedOf(spec)
    const read: { -readonly [Location in keyof Parts]: unknown } = {
      params: routed,
      query: undefined,
      headers: undefined,
      cookies: undefined,
      body: undefined,
    }
    for (const schema of parameters) {
      const validated = parseParameters(schema, request, routed)
      read[schema.location] = validated instanceof Promise ? await validated : validated
    }
    if (body) {
      const receiving = receiveBody(body, request, given)
      let received: ReceivedBody
      if (receiving instanceof Promise) received = await receiving
      else {
        let bytes = given
        try {
          bytes ??= await request.arrayBuffer()
        } catch {
          rejectUnreadable(request)
        }
        received = receivedText(receiving, request, bytes)
      }
      const validated = validateBody(received)
      read.body = validated instanceof Promise ? await validated : validated
    }
    return success(read)
  } catch (error) {
    if (error instanceof OperationInputError) return failure(error)
    if (!(error instanceof ContentError)) throw error
    return failure(inputError('body', error.message, error.code, error.path))
  }
}

function parseParameters(
  parameters: PreparedParameters,
  request: Request,
  routed: RouterParams,
): unknown {
  const { location, schema, alternatives } = parameters
  const received = receiveParameters[location](request, parameters, routed)
  return alternatives.length === 0
    ? validate(location, schema, coerceParameters[location](received, parameters))
    : validateFirst(location, coerceAlternatives(location, received, parameters))
}

function validateBody(received: ReceivedBody): unknown {
  if (received.kind === 'json') {
    // JSON values have types, so they are not coerced.
    return validate('body', received.schema.schema, parseJsonBody(received))
  }
  if (received.kind === 'content' && received.schema.alternatives.length === 0) {
    return validateCoerced('body', received.schema.schema, coerceContent(received))
  }
  // A body without bytes may be absent, but is rejected as its media type's empty value.
  const reported = received.kind === 'empty' ? 'last' : 'first'
  return validateFirst('body', coerceBody(received), reported)
}
