import { type Bytes, type Incoming, readBody } from '@plumbline/base'
import { failure, type Result, success } from '@plumbline/result'
import { ContentError } from '../http/content-error.ts'
import type { SchemaResult } from '../schema/run-schema.ts'
import type { OperationSpec, RouterParams } from '../spec/operation-spec.ts'
import { type InputLocation, inputError, OperationInputError } from './input-error.ts'
import { type PreparedBody, type PreparedParameters, preparedOf } from './prepare.ts'
import { receiveBody, receiveParameters } from './receive.ts'
import { validateBody, validateParameters } from './validate.ts'

/** A request's parts, as their schemas return them. */
export interface Parts {
  readonly params: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly cookies?: unknown
  readonly body?: unknown
}

/** A request's parts, or its rejection. */
export type Parsed = Result<Parts, OperationInputError>

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
  const { parameters, body } = preparedOf(spec)
  const parts: Read = { params: routed }
  try {
    for (const prepared of parameters) {
      const result = parseParameters(prepared, request, routed)
      if (result instanceof Promise) {
        return parseLater(spec, { request, routed, given, parts, prepared, result })
      }
      parts[prepared.location] = acceptedValue(prepared.location, result)
    }
  } catch (error) {
    return rejected(error)
  }
  return body === null ? success(parts) : parseBody(body, request, given, parts)
}

type Read = { -readonly [Name in keyof Parts]: Parts[Name] }

/** A request whose parameters are parsed up to an asynchronous schema. */
interface Waiting {
  readonly request: Incoming
  readonly routed: RouterParams
  readonly given: Bytes | null
  readonly parts: Read
  /** The parameters with the asynchronous schema, and its result. */
  readonly prepared: PreparedParameters
  readonly result: Promise<SchemaResult>
}

/** Parses the rest of a request. */
async function parseLater(
  spec: OperationSpec,
  { request, routed, given, parts, prepared, result }: Waiting,
): Promise<Parsed> {
  const { parameters, body } = preparedOf(spec)
  try {
    for (const one of parameters.slice(parameters.indexOf(prepared))) {
      const known = one === prepared ? result : parseParameters(one, request, routed)
      parts[one.location] = acceptedValue(one.location, await known)
    }
  } catch (error) {
    return rejected(error)
  }
  return body === null ? success(parts) : await parseBody(body, request, given, parts)
}

/** Parses the body, the last part. Each promise more is a tenth of the time of a small request. */
function parseBody(
  body: PreparedBody,
  request: Incoming,
  given: Bytes | null,
  parts: Read,
): Parsed | Promise<Parsed> {
  const finish = (result: SchemaResult): Parsed => {
    parts.body = acceptedValue('body', result)
    return success(parts)
  }
  const parse = (bytes: Bytes | 'unreadable'): Parsed | Promise<Parsed> => {
    try {
      const result = validateBody(receiveBody(body, request, bytes))
      return result instanceof Promise ? result.then(finish).catch(rejected) : finish(result)
    } catch (error) {
      return rejected(error)
    }
  }
  return given === null ? readBody(request).then(parse) : parse(given)
}

/** Returns a request's rejection; throws every other error. */
function rejected(error: unknown): Parsed {
  if (error instanceof OperationInputError) return failure(error)
  if (!(error instanceof ContentError)) throw error
  return failure(inputError('body', error.message, error.code, error.path))
}

/** Receives and validates one request part's parameters. */
function parseParameters(
  parameters: PreparedParameters,
  request: Incoming,
  routed: RouterParams,
): SchemaResult | Promise<SchemaResult> {
  const received = receiveParameters[parameters.location](request, parameters, routed)
  return validateParameters(received, parameters)
}

/** Returns an accepted value. Throws a rejection, which `parseRequest` returns. */
function acceptedValue(location: InputLocation, result: SchemaResult): unknown {
  if (!result.issues) return result.value
  // The result holds the cause, if the schema threw.
  throw new OperationInputError(location, result.issues, 'invalid', result)
}
