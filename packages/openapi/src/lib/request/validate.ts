import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Schema } from '../schema/standard-schema.ts'
import type { PreparedSchema } from './contract.ts'
import { type InputErrorCode, type InputLocation, OperationInputError } from './input-error.ts'

/** Runs the schema of a part. Throws a rejection that only `parseRequest` catches. */
export function validate(
  location: InputLocation,
  { schema }: { readonly schema: Schema },
  value: unknown,
): unknown {
  const outcome = outcomeOf(schema, value)
  return outcome instanceof Promise
    ? outcome.then((later) => accepted(location, later))
    : accepted(location, outcome)
}

/** The result of a schema for a value; `cause` is the exception, if the schema threw. */
export type Outcome = StandardSchemaV1.Result<unknown> & { readonly cause?: unknown }

/** Runs a schema. It never throws: a schema that throws has not accepted the value. */
export function outcomeOf(schema: Schema, value: unknown): Outcome | Promise<Outcome> {
  try {
    const result = schema['~standard'].validate(value)
    return result instanceof Promise ? result.catch(thrown) : result
  } catch (error) {
    return thrown(error)
  }
}

/** A recursive schema follows the nesting of the input, which a client can make deeper than the stack. */
function thrown(cause: unknown): Outcome {
  const isOverflow = cause instanceof RangeError && OVERFLOW.test(cause.message)
  if (isOverflow) return { issues: [{ message: 'nested too deeply', path: [] }] }
  return { issues: [{ message: 'the schema could not validate this value', path: [] }], cause }
}

// Another RangeError of a schema, such as that of an invalid Date, is a bug in the schema.
const OVERFLOW = /call stack/i

function accepted(location: InputLocation, outcome: Outcome): unknown {
  if (!outcome.issues) return outcome.value
  // The outcome holds the cause, if the schema threw.
  throw new OperationInputError(location, outcome.issues, 'invalid', outcome)
}

/**
 * Reads and validates a part. If the alternatives of a schema give a key different types, the part is
 * read by all alternatives combined. If that is rejected, each alternative is tried in order.
 */
export function readAndValidate(
  location: InputLocation,
  part: PreparedSchema,
  read: (part: PreparedSchema) => unknown,
): unknown {
  return part.alternatives.length === 0
    ? validate(location, part, read(part))
    : firstAccepted(location, part, read)
}

async function firstAccepted(
  location: InputLocation,
  part: PreparedSchema,
  read: (part: PreparedSchema) => unknown,
): Promise<unknown> {
  let refusal: OperationInputError | null = null
  for (const reading of [part, ...part.alternatives]) {
    try {
      return await validate(location, part, read(reading))
    } catch (error) {
      if (!(error instanceof OperationInputError)) throw error
      refusal ??= error
    }
  }
  throw refusal
}

/** Rejects a part of the request with one issue. */
export function refuse(
  location: InputLocation,
  message: string,
  code: InputErrorCode,
): OperationInputError {
  return new OperationInputError(location, [{ message, path: [] }], code)
}
