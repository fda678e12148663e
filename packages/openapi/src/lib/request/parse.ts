import { type Bytes, type Incoming, readBody } from '@plumbline/base'
import { failure, type Result, success } from '@plumbline/result'
import { ContentError } from '../http/content-error.ts'
import { runSchema, type SchemaResult } from '../schema/run-schema.ts'
import type { OperationSpec, RouterParams } from '../spec/operation-spec.ts'
import { run, type Steps, wait } from '../steps.ts'
import {
  type Candidate,
  coerceAlternatives,
  coerceBody,
  coerceContent,
  coerceParameters,
  parseJsonBody,
} from './coerce.ts'
import { type InputLocation, inputError, OperationInputError } from './input-error.ts'
import { type PreparedParameters, preparedOf } from './prepare.ts'
import { type ReceivedBody, receiveBody, receiveParameters } from './receive.ts'

/** A request's parts, as their schemas return them. */
export interface Parts {
  readonly params: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly cookies?: unknown
  readonly body?: unknown
}

type Parsed = Result<Parts, OperationInputError>

/**
 * Reads a request as the operation's spec describes it, up to the first rejected part. Each part is received, coerced
 * and validated. Waits only for asynchronous schemas and for a body. A body already read must be given as its bytes.
 */
export function parseRequest(
  spec: OperationSpec,
  request: Incoming,
  routed: RouterParams,
  given: Bytes | null = null,
): Parsed | Promise<Parsed> {
  return run(parse(spec, request, routed, given))
}

function* parse(
  spec: OperationSpec,
  request: Incoming,
  routed: RouterParams,
  given: Bytes | null,
): Steps<Parsed> {
  const { parameters, body } = preparedOf(spec)
  const parts: { -readonly [Name in keyof Parts]: Parts[Name] } = { params: routed }
  try {
    for (const prepared of parameters) {
      const result = runParameters(prepared, request, routed)
      const known = result instanceof Promise ? yield* wait(result) : result
      parts[prepared.location] = valueOf(prepared.location, known)
    }
    if (body === null) return success(parts)
    const bytes = given ?? (yield* wait(readBody(request)))
    const receiving = receiveBody(body, request, bytes)
    const result = runBody(receiving instanceof Promise ? yield* wait(receiving) : receiving)
    parts.body = valueOf('body', result instanceof Promise ? yield* wait(result) : result)
    return success(parts)
  } catch (error) {
    if (error instanceof OperationInputError) return failure(error)
    if (!(error instanceof ContentError)) throw error
    return failure(inputError('body', error.message, error.code, error.path))
  }
}

/** Runs the schema of one request part's parameters. */
function runParameters(
  parameters: PreparedParameters,
  request: Incoming,
  routed: RouterParams,
): SchemaResult | Promise<SchemaResult> {
  const { location, schema, alternatives } = parameters
  const received = receiveParameters[location](request, parameters, routed)
  return alternatives.length === 0
    ? runSchema(schema, coerceParameters[location](received, parameters))
    : run(runFirst(coerceAlternatives(location, received, parameters)))
}

/** Runs the schema of a body. */
function runBody(received: ReceivedBody): SchemaResult | Promise<SchemaResult> {
  if (received.kind === 'json') {
    // JSON values have types, so they are not coerced.
    return runSchema(received.schema.schema, parseJsonBody(received))
  }
  if (received.kind === 'content' && received.schema.alternatives.length === 0) {
    const coerced = coerceContent(received)
    return coerced.issues ? coerced : runSchema(received.schema.schema, coerced.value)
  }
  // A body without bytes may be absent, but is rejected as the media type's empty value.
  return run(runFirst(coerceBody(received), received.kind === 'empty' ? 'last' : 'first'))
}

/** Runs candidates up to the first whose schema accepts it. If none does, returns the first or the last rejection. */
function* runFirst(
  candidates: readonly Candidate[],
  reported: 'first' | 'last' = 'first',
): Steps<SchemaResult> {
  let rejected: SchemaResult | null = null
  for (const { schema, coerce } of candidates) {
    const coerced = coerce()
    const ran = coerced.issues ? coerced : runSchema(schema, coerced.value)
    const result = ran instanceof Promise ? yield* wait(ran) : ran
    if (!result.issues) return result
    if (rejected === null || reported === 'last') rejected = result
  }
  return rejected ?? { value: undefined }
}

/** Returns an accepted value. Throws a rejection, which `parse` returns. */
function valueOf(location: InputLocation, result: SchemaResult): unknown {
  if (!result.issues) return result.value
  // The result holds the cause, if the schema threw.
  throw new OperationInputError(location, result.issues, 'invalid', result)
}
