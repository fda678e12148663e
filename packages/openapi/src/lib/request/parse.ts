import { type Bytes, type Incoming, readBody } from '@plumbline/base'
import { failure, type Result, success } from '@plumbline/result'
import { ContentError } from '../http/content-error.ts'
import type { SchemaResult } from '../schema/run-schema.ts'
import type { OperationSpec, RouterParams } from '../spec/operation-spec.ts'
import { type InputLocation, inputError, OperationInputError } from './input-error.ts'
import { type PreparedPart, preparedOf } from './prepare.ts'
import { type SentRequest, validatePart } from './validate.ts'

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
  const { parts } = preparedOf(spec)
  return parseParts(parts, { request, routed, bytes: given }, { params: routed })
}

type Read = { -readonly [Name in keyof Parts]: Parts[Name] }

/** Parses one part after another. Each promise more is a tenth of the time of a small request. */
function parseParts(
  prepared: readonly PreparedPart[],
  sent: SentRequest,
  parts: Read,
): Parsed | Promise<Parsed> {
  try {
    for (const part of prepared) {
      const result = validatePart(part, sent)
      if (result === null) {
        return readBody(sent.request).then((bytes) => parseParts([part], { ...sent, bytes }, parts))
      }
      if (result instanceof Promise) {
        const accept = (known: SchemaResult) => {
          parts[part.location] = acceptedValue(part.location, known)
          return parseParts(prepared.slice(prepared.indexOf(part) + 1), sent, parts)
        }
        return result.then(accept).catch(rejected)
      }
      parts[part.location] = acceptedValue(part.location, result)
    }
  } catch (error) {
    return rejected(error)
  }
  return success(parts)
}

/** Returns a request's rejection; throws every other error. */
function rejected(error: unknown): Parsed {
  if (error instanceof OperationInputError) return failure(error)
  if (!(error instanceof ContentError)) throw error
  return failure(inputError('body', error.message, error.code, error.path))
}

/** Returns an accepted value. Throws a rejection, which `parseRequest` returns. */
function acceptedValue(location: InputLocation, result: SchemaResult): unknown {
  if (!result.issues) return result.value
  // The result holds the cause, if the schema threw.
  throw new OperationInputError(location, result.issues, 'invalid', result)
}
